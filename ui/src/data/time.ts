import { i18n } from "@lingui/core";

/** Words for times. All of them take the moment they compare with, so that they can be tested. */
const units = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1000],
] as const;

const thai = { d: " วัน", h: " ชม.", m: " นาที", s: " วิ", ms: " มว." };
type Unit = keyof typeof thai;

/** `5m`, in the language of the viewer. */
const counted = (count: number | string, unit: Unit) =>
    `${count}${i18n.locale === "th" ? thai[unit] : unit}`;

/** `24h` as people of that language write it. */
export function span(text: string): string {
    const parts = /^(\d+)(ms|[dhms])$/.exec(text);
    return parts ? counted(parts[1]!, parts[2] as Unit) : text;
}

/** `90061000` is `1d 1h`; two units are enough. */
export function duration(milliseconds: number): string {
    const ms = Math.max(0, milliseconds);
    if (ms < 1000) return counted(Math.round(ms), "ms");
    if (ms < 10_000) return counted((ms / 1000).toFixed(1).replace(/\.0$/, ""), "s");
    const parts: string[] = [];
    let rest = ms;
    for (const [name, size] of units) {
        const count = Math.floor(rest / size);
        rest -= count * size;
        if (count > 0) parts.push(counted(count, name));
        else if (parts.length > 0) break;
        if (parts.length === 2) break;
    }
    return parts.join(" ");
}

/** To the millisecond, with all units: for moments that lie close together. */
export function exactDuration(milliseconds: number): string {
    const ms = Math.max(0, Math.round(milliseconds));
    if (ms < 1000) return counted(ms, "ms");
    const parts: string[] = [];
    let rest = ms;
    for (const [name, size] of units.slice(0, 3)) {
        const count = Math.floor(rest / size);
        rest -= count * size;
        if (count > 0) parts.push(counted(count, name));
    }
    if (rest > 0) parts.push(counted((rest / 1000).toFixed(3).replace(/\.?0+$/, ""), "s"));
    return parts.join(" ");
}

/** Moments as short as they differ: what would look the same is said to the millisecond. */
export function durations(all: readonly number[]): string[] {
    const short = all.map(duration);
    const count = new Map<string, number>();
    for (const one of short) count.set(one, (count.get(one) ?? 0) + 1);
    return short.map((one, index) => (count.get(one)! > 1 ? exactDuration(all[index]!) : one));
}

/** One unit: how long ago, or until when. */
export function roughly(milliseconds: number): string {
    const ms = Math.abs(milliseconds);
    for (const [name, size] of units) {
        if (ms >= size) return counted(Math.floor(ms / size), name);
    }
    return counted(0, "s");
}

// To make one takes longer than to draw the rest of a row.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const key = `${locale} ${JSON.stringify(options)}`;
    const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
    formats.set(key, known);
    return known;
}

const full: Intl.DateTimeFormatOptions = {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
};

/** In the viewer's zone; the year is left out when it is this one. */
export function shortTime(at: Date, now: Date, locale: string): string {
    const sameDay = at.toDateString() === now.toDateString();
    const clock = {
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
        hourCycle: "h23",
    } as const;
    if (sameDay) return formatOf(locale, clock).format(at);
    const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
    return formatOf(locale, {
        month: "short",
        day: "numeric",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
        ...year,
    }).format(at);
}

export function fullTime(at: Date, locale: string, zone?: string): string {
    return formatOf(locale, {
        ...full,
        ...(zone ? { timeZone: zone } : {}),
        timeZoneName: "short",
    }).format(at);
}

/**
 * What moment a number is that counts microseconds since 1970, as logs do in members such as
 * `until` and `retry_at`; undefined: it is none.
 */
export function microsHint(key: unknown, value: unknown): string | undefined {
    if (typeof key !== "string" || !/^until$|_at$/.test(key)) return undefined;
    const micros = typeof value === "number" ? value : Number.NaN;
    // From 2001 to 2096: other numbers count something else.
    if (!(micros >= 1e15 && micros < 4e15)) return undefined;
    return fullTime(new Date(micros / 1000), i18n.locale);
}

/** `2h`, `3d`, `15m` before now, or a date, as an instant; undefined if it is neither. */
export function readMoment(text: string, now: Date): Date | undefined {
    const back = /^(\d{1,6})(s|m|h|d|w)$/.exec(text.trim());
    if (back) {
        const sizes = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
        return new Date(now.getTime() - Number(back[1]) * sizes[back[2] as keyof typeof sizes]);
    }
    if (!/^\d{4}-\d{2}-\d{2}/.test(text.trim())) return undefined;
    const at = new Date(text.trim());
    return Number.isNaN(at.getTime()) ? undefined : at;
}
