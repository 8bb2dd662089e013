import { api, call, type Schemas } from "./api";
import { now } from "./clock";
import { windowOf } from "./ids";

type Run = Schemas["Run"];

const pageSize = 1000;
/** As many of the newest runs are looked through for an end, as the command line does. */
const lookedAtMax = 10_000;

async function runsOfPage(query: object, signal: AbortSignal) {
    const all = { query: { limit: pageSize, ...query } };
    const page = await call(api.GET("/v1/runs", { params: all, signal }));
    return { runs: page.data as Run[], next: page.next_cursor ?? undefined };
}

async function find(query: object, fits: (id: string) => boolean, signal: AbortSignal) {
    let cursor: string | undefined;
    for (let looked = 0; looked < lookedAtMax; looked += pageSize) {
        const { runs, next } = await runsOfPage(
            { ...query, ...(cursor ? { cursor } : {}) },
            signal,
        );
        const found = runs.filter(({ id }) => fits(id));
        // One that was found needs no further pages.
        if (found.length > 0 || !next) return found;
        cursor = next;
    }
    return [];
}

/** The runs whose id begins with the text; all of an id finds one. */
export async function runsThatBegin(part: string, signal: AbortSignal): Promise<Run[]> {
    const begun = part.toLowerCase();
    const window = windowOf(begun, now());
    if (!window) return [];
    const query = {
        created_after: window.from.toISOString(),
        created_before: window.to.toISOString(),
    };
    return find(query, (id) => id.startsWith(begun), signal);
}

/** The runs that a part of an id names: by its beginning, or by its end, as rows show it. */
export async function runsOfPart(part: string, signal: AbortSignal): Promise<Run[]> {
    const end = part.toLowerCase();
    const [begun, ended] = await Promise.all([
        runsThatBegin(part, signal),
        find({}, (id) => id.endsWith(end), signal),
    ]);
    return [...new Map([...begun, ...ended].map((one) => [one.id, one])).values()];
}
