/** How far the server's clock is ahead of the browser's, in milliseconds: at least, at most. */
export interface Offset {
    least: number;
    most: number;
}

/** One answer: when it was asked for and when it came, by the browser; its Date, whole seconds. */
export interface Sample {
    asked: number;
    came: number;
    date: number;
}

/**
 * What an answer adds to what is known. Its second had begun before the answer came, and was not
 * over when it was asked for. A sample that contradicts what is known, after one of the clocks was
 * set, begins anew.
 */
export function narrowed(known: Offset | undefined, { asked, came, date }: Sample): Offset {
    const said = { least: date - came, most: date + 1000 - asked };
    if (!known) return said;
    const both = {
        least: Math.max(known.least, said.least),
        most: Math.min(known.most, said.most),
    };
    return both.least <= both.most ? both : said;
}

/** The best guess. A clock that may be right is taken as right. */
export function guess(known: Offset | undefined): number {
    if (!known || (known.least <= 0 && known.most >= 0)) return 0;
    return Math.round((known.least + known.most) / 2);
}
