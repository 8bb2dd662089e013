/** A long id by its end: ids of the same minute begin alike. */
export const shortId = (id: string) => (id.length > 13 ? id.slice(-8) : id);

const shortest = 8;
const wholeId = 36;

/** Whether the text may be the beginning or the end of an id, such as rows show. */
export const isPartOfId = (text: string) =>
    text.length >= shortest && text.length < wholeId && /^[0-9a-f-]+$/i.test(text);

/**
 * The first twelve digits of an id are its time: when the runs were made whose ids begin so.
 * Undefined: that time has not come.
 */
export function windowOf(part: string, today: number): { from: Date; to: Date } | undefined {
    const digits = part.replaceAll("-", "").slice(0, 12);
    const first = Number.parseInt(digits.padEnd(12, "0"), 16);
    const last = Number.parseInt(digits.padEnd(12, "f"), 16);
    const day = 86_400_000;
    if (first > today + day) return undefined;
    // No date is later than this.
    return { from: new Date(first - 1), to: new Date(Math.min(last + 1, 8.64e15)) };
}
