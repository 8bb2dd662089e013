import { describe, expect, it } from "vitest";
import { ExactNumber, parseExact } from "@/data/json";
import type { Log, Run, RunEvent } from "../model";
import { differences, firstOf, inWords, rowsOf } from "./compare";

const zero = Date.parse("2026-01-01T00:00:00Z");
const nodes = ["a", "b", "c", "d"].map((id) => ({ id, type: "code" }));
const edges = [
    { from: "a", to: "b", handle: "default" },
    { from: "b", to: "c", handle: "yes" },
    { from: "b", to: "d", handle: "no" },
];

/** A run that ended each of these steps, a tenth of a second after the other. */
function side(steps: Record<string, unknown>, failed?: string) {
    const names = Object.keys(steps);
    const events = names.map((step, index) => ({
        seq: index,
        at: new Date(zero + (index + 1) * 100).toISOString(),
        type: step === failed ? "step_failed" : "step_completed",
        step,
        attempt: 1,
    }));
    const log: Log = {
        events: [
            { seq: -1, at: new Date(zero).toISOString(), type: "run_started" },
            ...events,
        ] as RunEvent[],
        cut: false,
        ready: true,
        graph: { nodes, edges },
        steps: names.map((step) => ({
            step,
            type: "code",
            status: step === failed ? "failed" : "completed",
            attempts: [{ attempt: 1, outcome: "completed", at: "" }],
            ...(step === failed ? { error: { message: "no" } } : { result: steps[step] }),
        })) as Log["steps"],
    };
    return { run: {} as Run, log };
}

describe("differences", () => {
    it("names the members that differ", () => {
        const left = { total: 5, list: [1, 2], same: { x: 1 }, "a/b": 1, only: true };
        const right = { total: 7, list: [1, 3, 4], same: { x: 1 }, "a/b": 2 };
        expect(differences(left, right)).toEqual([
            { path: "/total", left: 5, right: 7 },
            { path: "/list/1", left: 2, right: 3 },
            { path: "/list/2", left: undefined, right: 4 },
            { path: "/a~1b", left: 1, right: 2 },
            { path: "/only", left: true, right: undefined },
        ]);
    });
    it("sees the last digit of large numbers, and that text is no number", () => {
        const read = (text: string) => parseExact(text);
        expect(differences(read("9223372036854775807"), read("9223372036854775806"))).toHaveLength(
            1,
        );
        expect(differences(read("9223372036854775807"), read("9223372036854775807"))).toEqual([]);
        expect(differences("1", 1)).toHaveLength(1);
        expect(inWords(new ExactNumber("9223372036854775807"))).toBe("9223372036854775807");
    });
    it("stops before it is too much to read", () => {
        const left = Array.from({ length: 5000 }, (_, index) => index);
        expect(
            differences(
                left,
                left.map((one) => -one - 1),
            ),
        ).toHaveLength(200);
    });
});

describe("rowsOf", () => {
    it("puts what only one of them did where it was done", () => {
        const rows = rowsOf(side({ a: 1, b: 1, c: 1 }), side({ a: 1, b: 1, d: 1 }), zero);
        expect(rows.map((row) => [row.step, Boolean(row.left), Boolean(row.right)])).toEqual([
            ["a", true, true],
            ["b", true, true],
            ["d", false, true],
            ["c", true, false],
        ]);
        expect(rows[0]?.left).toMatchObject({ took: 100, attempts: 1, status: "completed" });
        expect(firstOf([], rows)).toMatchObject({ kind: "only", side: "right" });
    });
    it("finds where they part first", () => {
        const rows = rowsOf(side({ a: { n: 1 }, b: 1 }), side({ a: { n: 2 }, b: 1 }, "b"), zero);
        expect(firstOf([], rows)).toMatchObject({
            kind: "result",
            at: { path: "/n", left: 1, right: 2 },
        });
        expect(firstOf(differences({ x: 1 }, {}), rows)).toMatchObject({ kind: "input" });
        const other = rowsOf(side({ a: 1, b: 1 }), side({ a: 1, b: 1 }, "b"), zero);
        expect(firstOf([], other)).toMatchObject({ kind: "status", row: { step: "b" } });
    });
    it("says nothing of runs that did the same", () => {
        const rows = rowsOf(side({ a: 1, b: { x: [1] } }), side({ a: 1, b: { x: [1] } }), zero);
        expect(firstOf([], rows)).toBeUndefined();
    });
});
