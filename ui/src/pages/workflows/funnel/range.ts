/** Ranges of time as the address has them: `7d`, `all`, or `2026-05-01..2026-05-31`. */
export const presets = ["24h", "7d", "30d", "90d", "all"] as const;
export const usual = "30d";

const hours = new Map([
    ["24h", 24],
    ["7d", 168],
    ["30d", 720],
    ["90d", 2160],
]);
const day = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

export interface Range {
    from?: string;
    to?: string;
}

/** Days count from their midnight to the midnight after the last, on the viewer's clock. */
export function readRange(text: string | undefined, now: Date): Range {
    const wanted = text ?? usual;
    const days = day.exec(wanted);
    if (days) {
        const from = new Date(`${days[1]}T00:00:00`);
        const to = new Date(`${days[2]}T00:00:00`);
        to.setDate(to.getDate() + 1);
        const fine = !Number.isNaN(from.getTime()) && !Number.isNaN(to.getTime()) && from < to;
        return fine ? { from: from.toISOString(), to: to.toISOString() } : {};
    }
    if (wanted === "all") return {};
    const back = hours.get(wanted) ?? 720;
    // At full hours, as the counts are: the same request for a while.
    const start = Math.floor(now.getTime() / 3_600_000) - back;
    return { from: new Date(start * 3_600_000).toISOString() };
}

export function writeDays(from: string, to: string): string {
    return `${from}..${to}`;
}

export function daysOf(text: string | undefined): [string | null, string | null] {
    const days = text ? day.exec(text) : null;
    return days ? [days[1]!, days[2]!] : [null, null];
}
