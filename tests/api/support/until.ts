import { setTimeout as pause } from "node:timers/promises";

/** Asks again and again until the answer is something; fails when that takes too long. */
export async function until<T>(
    what: string,
    ask: () => Promise<T | undefined | false> | T | undefined | false,
    milliseconds = 120_000,
): Promise<T> {
    const since = Date.now();
    for (;;) {
        const answer = await ask();
        if (answer !== undefined && answer !== false) return answer;
        const waited = Date.now() - since;
        if (waited > milliseconds) throw new Error(`not within ${milliseconds} ms: ${what}`);
        // What takes long is asked for less often: each question takes of what it waits for.
        await pause(Math.min(Math.max(waited / 10, 20), 100));
    }
}

/** Fails when a promise takes too long, instead of hanging. */
export async function within<T>(what: string, promise: Promise<T>, ms = 60_000): Promise<T> {
    const timer = new AbortController();
    const late = pause(ms, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`not within ${ms} ms: ${what}`);
    });
    try {
        return await Promise.race([promise, late]);
    } finally {
        timer.abort();
        late.catch(() => {});
    }
}
