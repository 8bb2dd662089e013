import { expect, test } from "vitest";
import type { Entry } from "./data";
import { mergedLines, type OutsideEvent, saidBy } from "./timeline";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const entry = (minute: number, rest: Partial<Entry> = {}): Entry => ({
    at: at(minute),
    type: "run",
    ...rest,
});
const event = (minute: number, name = "bought", id = `e${minute}`): OutsideEvent => ({
    id,
    name,
    at: at(minute),
    state: "matched",
});
const minutes = (lines: { at: string }[]) => lines.map((line) => new Date(line.at).getUTCMinutes());

test("two lists become one, newest first", () => {
    const lines = mergedLines(
        { rows: [entry(9), entry(4)], more: false },
        { rows: [event(7), event(2)], more: false },
    );
    expect(minutes(lines)).toEqual([9, 7, 4, 2]);
});

test("nothing is shown below the place up to which both lists were read", () => {
    const entries = [entry(9), entry(4)];
    const events = [event(7), event(2)];
    const some = mergedLines({ rows: entries, more: true }, { rows: events, more: false });
    expect(minutes(some)).toEqual([9, 7, 4]);
    const others = mergedLines({ rows: [], more: false }, { rows: events, more: true });
    expect(minutes(others)).toEqual([7, 2]);
});

test("what became of a message is told once, with its message", () => {
    const events = [
        event(7, "message.clicked", "fact:resend:shop:1"),
        event(6, "message.unsubscribed", "by the page"),
        event(5, "messages.read"),
    ];
    const lines = mergedLines({ rows: [], more: false }, { rows: events, more: false });
    expect(minutes(lines)).toEqual([6, 5]);
});

test("a fact says what belongs to it", () => {
    const fact = (kind: string, detail: Entry["detail"]) =>
        saidBy(entry(1, { type: "fact", fact: kind, detail: detail ?? null }));
    expect(fact("replied", { text: "yes" })).toBe("yes");
    expect(fact("clicked", { url: "https://shop.example" })).toBe("https://shop.example");
    expect(fact("bounced", { reason: "no such mailbox" })).toBe("no such mailbox");
    expect(fact("opened", { text: "x" })).toBe(undefined);
    expect(fact("replied", { text: { hacked: 1 } })).toBe(undefined);
    expect(fact("replied", null)).toBe(undefined);
});
