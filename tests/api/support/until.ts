import { setTimeout as pause } from "node:timers/promises";

/** Asks again and again until the answer is something; fails when that takes too long. */
export async function until<T>(
    what: string,
    ask: () => Promise<T | undefined | false> | T | undefined | false,
    milliseconds = 120_000,
): Promise<T> {
    const deadline = Date.now() + milliseconds;
    for (;;) {
        const answer = await ask();
        if (answer !== undefined && answer !== false) return answer;
        if (Date.now() > deadline) throw new Error(`not within ${milliseconds} ms: ${what}`);
        await pause(20);
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
