import type { Schemas } from "@/data/api";

export type Rate = Schemas["RunRate"];

/** The ranges of the chart, in milliseconds. */
export const ranges = {
    "3h": 3 * 3_600_000,
    "24h": 24 * 3_600_000,
    "7d": 7 * 86_400_000,
    "30d": 30 * 86_400_000,
} as const;
export type Range = keyof typeof ranges;

export const rangeOf = (text: string | undefined): Range =>
    text !== undefined && text in ranges ? (text as Range) : "24h";

export function totals(rates: readonly Rate[]) {
    const sum = { started: 0, completed: 0, failed: 0, cancelled: 0 };
    for (const rate of rates) {
        sum.started += Number(rate.started);
        sum.completed += Number(rate.completed);
        sum.failed += Number(rate.failed);
        sum.cancelled += Number(rate.cancelled);
    }
    return sum;
}

/** What stands below the chart: the time of day, at the begin of a day the day. */
export function ticks(seconds: readonly number[], locale: string): string[] {
    const clock = new Intl.DateTimeFormat(locale, {
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
    });
    const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
    return seconds.map((second) => {
        const at = new Date(second * 1000);
        return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : clock.format(at);
    });
}

const units = ["B", "kB", "MB", "GB", "TB"];

/** `1536` is `1.5 kB`. */
export function bytes(count: number): string {
    let rest = count;
    let unit = 0;
    while (rest >= 1000 && unit < units.length - 1) {
        rest /= 1000;
        unit++;
    }
    return `${unit === 0 || rest >= 100 ? Math.round(rest) : rest.toFixed(1)} ${units[unit]}`;
}
