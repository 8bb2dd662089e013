import type { Page } from "./types.js";

export type GetPage<T> = (cursor: string | undefined) => Promise<Page<T>>;

export async function* pages<T>(get: GetPage<T>, from?: string): AsyncGenerator<Page<T>> {
    for (let cursor = from; ; ) {
        const page = await get(cursor);
        yield page;
        if (page.next_cursor === null) return;
        cursor = page.next_cursor;
    }
}

/** A list that is fetched page by page while it is read: `for await (const run of pawl.list())`. */
export class List<T> implements AsyncIterable<T> {
    constructor(private readonly get: GetPage<T>) {}

    async *[Symbol.asyncIterator](): AsyncGenerator<T> {
        for await (const page of pages(this.get)) yield* page.data;
    }

    /** One page: the first, or the one after `cursor`. */
    page(cursor?: string): Promise<Page<T>> {
        return this.get(cursor);
    }

    /** All items; for short lists. */
    all(): Promise<T[]> {
        return this.take(Infinity);
    }

    /** The first items, at most `most`. */
    async take(most: number): Promise<T[]> {
        const items: T[] = [];
        if (most <= 0) return items;
        for await (const item of this) {
            items.push(item);
            if (items.length >= most) break;
        }
        return items;
    }
}
