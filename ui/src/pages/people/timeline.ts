import type { Schemas } from "@/data/api";
import type { Entry } from "./data";

export type OutsideEvent = Schemas["OutsideEvent"];

/** A line of the timeline: what Pawl did or heard of a message, or what the person's event says. */
export type Line = { at: string; entry: Entry } | { at: string; event: OutsideEvent };

interface Read<T> {
    rows: readonly T[];
    /** There are older ones that were not read. */
    more: boolean;
}

/** Facts about messages are events, too: the timeline has them with their message. */
export const isOfMessage = (event: OutsideEvent) =>
    event.name.startsWith("message.") && event.id.startsWith("fact:");

/**
 * Two lists, each newest first, as one. Where one of them was not read to its end, what is older
 * than its last row is left out: there may be something between.
 */
export function mergedLines(entries: Read<Entry>, events: Read<OutsideEvent>): Line[] {
    const lines: Line[] = [
        ...entries.rows.map((entry) => ({ at: entry.at, entry })),
        ...events.rows
            .filter((event) => !isOfMessage(event))
            .map((event) => ({ at: event.at, event })),
    ];
    const ends = [entries, events].flatMap((list) => {
        const last = list.rows.at(-1);
        return list.more && last ? [Date.parse(last.at)] : [];
    });
    const certain = Math.max(Number.NEGATIVE_INFINITY, ...ends);
    return lines
        .filter((line) => Date.parse(line.at) >= certain)
        .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** What a fact says besides: the text of an answer, the address that was clicked, a reason. */
export function saidBy(entry: Entry): string | undefined {
    const { text, url, reason } = entry.detail ?? {};
    const wanted = { replied: text, clicked: url, bounced: reason, failed: reason }[
        entry.fact ?? ""
    ];
    return typeof wanted === "string" && wanted !== "" ? wanted : undefined;
}
