import { ApiError } from "@/data/error";

/** Saves people; fails with what the server says. */
export type Save<P> = (people: P[], signal: AbortSignal) => Promise<unknown>;

/** Waits, unless it is stopped. */
export type Wait = (seconds: number, signal: AbortSignal) => Promise<void>;

export interface Refused<P> {
    person: P;
    why: string;
}

const triesMax = 8;
const secondsMax = 30;

/** No answer, or one that says that another time may do. */
function passes(error: unknown): error is ApiError {
    return error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status);
}

/** Something in the people is wrong, or they are too large together. */
function isAboutPeople(error: unknown): error is ApiError {
    return error instanceof ApiError && [400, 413, 422].includes(error.status);
}

async function trySeveralTimes<P>(
    people: P[],
    save: Save<P>,
    wait: Wait,
    signal: AbortSignal,
): Promise<void> {
    for (let tries = 1; ; tries++) {
        try {
            await save(people, signal);
            return;
        } catch (error) {
            if (!passes(error) || tries === triesMax) throw error;
            const seconds = error.retryAfter ?? 2 ** (tries - 1);
            await wait(Math.min(seconds, secondsMax), signal);
        }
        signal.throwIfAborted();
    }
}

/** What is wrong with each of the people that the server names, by their place in the list. */
function namedBy(error: ApiError, count: number): Map<number, string> {
    const named = new Map<number, string>();
    for (const { pointer, detail } of error.errors) {
        const [, digits, rest] = /^\/people\/(\d+)(?:\/(.*))?$/.exec(pointer ?? "") ?? [];
        const index = Number(digits);
        if (digits === undefined || index >= count) continue;
        const said = rest ? `${rest} ${detail}` : detail;
        named.set(index, named.has(index) ? `${named.get(index)}; ${said}` : said);
    }
    return named;
}

/**
 * Saves all of the people that the server takes, in their order: of two with the same key the last
 * one counts. One that is refused stops no other. The server names those at fault, or they are
 * looked for by halves. Fails with what is not about single people.
 */
export async function savePeople<P>(
    people: P[],
    save: Save<P>,
    wait: Wait,
    signal: AbortSignal,
): Promise<Refused<P>[]> {
    if (people.length === 0) return [];
    try {
        await trySeveralTimes(people, save, wait, signal);
        return [];
    } catch (error) {
        if (!isAboutPeople(error)) throw error;
        const named = namedBy(error, people.length);
        if (named.size > 0) {
            const refused = [...named].map(([at, why]) => ({ person: people[at]!, why }));
            const others = people.filter((_, at) => !named.has(at));
            return [...refused, ...(await savePeople(others, save, wait, signal))];
        }
        if (people.length === 1) return [{ person: people[0]!, why: error.text }];
        const half = Math.ceil(people.length / 2);
        const first = await savePeople(people.slice(0, half), save, wait, signal);
        return [...first, ...(await savePeople(people.slice(half), save, wait, signal))];
    }
}

/** Ends early when it is stopped. */
export function waitFor(seconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
        const end = () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", end);
            resolve();
        };
        const timer = setTimeout(end, seconds * 1000);
        signal.addEventListener("abort", end);
    });
}
