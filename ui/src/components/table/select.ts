/** Selections of rows by their keys; every change is a new set. */
export type Keys = ReadonlySet<string>;

export function flip(selected: Keys | undefined, key: string): Keys {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    return next;
}

function between(keys: readonly string[], one: string, other: string): readonly string[] {
    const [from, to] = [keys.indexOf(one), keys.indexOf(other)];
    return from < 0 || to < 0 ? [] : keys.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/**
 * All rows from the anchor to `to` become what the anchor is. Without an anchor, or when its row is
 * not in the list any more, `to` alone is selected.
 */
export function span(
    selected: Keys | undefined,
    keys: readonly string[],
    anchor: string | undefined,
    to: string,
): Keys {
    const next = new Set(selected);
    const spanned = anchor === undefined ? [] : between(keys, anchor, to);
    if (spanned.length === 0) return next.add(to);
    const takes = next.has(anchor!);
    for (const key of spanned) {
        if (takes) next.add(key);
        else next.delete(key);
    }
    return next;
}

/** The end of a span moves from one row to another: back towards the anchor, rows are left. */
export function extended(
    selected: Keys | undefined,
    keys: readonly string[],
    anchor: string,
    from: string,
    to: string,
): Keys {
    const next = new Set(selected);
    for (const key of between(keys, anchor, from)) next.delete(key);
    for (const key of between(keys, anchor, to)) next.add(key);
    return next;
}

/** What is selected and still there: a row that left the list is not acted on unseen. */
export function present(selected: Keys, keys: readonly string[]): string[] {
    return keys.filter((key) => selected.has(key));
}
