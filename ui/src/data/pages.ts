import type { Page } from "./queries";

interface Row {
    id: string;
}

// A list may have a hundred pages: each is looked through once, and only if something asks for it.
const known = new WeakMap<object, Map<string, number>>();

function placesIn(page: Page<Row>): Map<string, number> {
    let places = known.get(page);
    if (!places) {
        places = new Map(page.data.map((row, place) => [row.id, place]));
        known.set(page, places);
    }
    return places;
}

/** Which page has the row, and where. */
export function placeOf(pages: readonly Page<Row>[], id: string): [number, number] | undefined {
    for (const [index, page] of pages.entries()) {
        const place = placesIn(page).get(id);
        if (place !== undefined) return [index, place];
    }
    return undefined;
}

/** The pages with rows that were read again; those without such a row stay the same objects. */
export function withRows<T extends Row>(pages: readonly Page<T>[], rows: readonly T[]): Page<T>[] {
    const result = [...pages];
    for (const row of rows) {
        const found = placeOf(pages, row.id);
        if (!found) continue;
        const [index, place] = found;
        const page = result[index]!;
        result[index] = { ...page, data: page.data.with(place, row) };
    }
    return result;
}
