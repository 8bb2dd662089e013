import type { Schemas } from "@/data/api";
import type { Page } from "@/data/queries";

type Run = Schemas["Run"];

/** Rows that are shown, and how many were looked at to find them. */
export interface Sieved<T> extends Page<T> {
    looked: number;
}

// The server cannot search errors: pages are read until there is something to show. This is how
// many runs one search looks at in all, so that its cost is bounded.
export const lookedMax = 10_000;
const enough = 50;

/** Whether the error of a run has the text in it: its message, code, class or step. */
export function hasError(run: Run, text: string): boolean {
    const { message, code, class: kind, step } = run.error ?? {};
    const wanted = text.toLowerCase();
    return [message, code, kind, step].some((one) => one?.toLowerCase().includes(wanted));
}

const count = (cursor: string | undefined) => Number(cursor?.split(" ")[1] ?? 0);

/**
 * Reads on until enough rows fit, or as many were looked at as one search may. Its cursor is that of
 * the server with the number of rows that were looked at.
 */
export async function sieve<T>(
    read: (cursor: string | undefined) => Promise<Page<T>>,
    fits: (row: T) => boolean,
    from: string | undefined,
): Promise<Sieved<T>> {
    const data: T[] = [];
    let looked = count(from);
    let cursor = from?.split(" ")[0];
    for (;;) {
        const page = await read(cursor);
        looked += page.data.length;
        data.push(...page.data.filter(fits));
        cursor = page.has_more ? (page.next_cursor ?? undefined) : undefined;
        if (!cursor || looked >= lookedMax) {
            return { data, looked, has_more: false, next_cursor: null };
        }
        if (data.length >= enough) {
            return { data, looked, has_more: true, next_cursor: `${cursor} ${looked}` };
        }
    }
}
