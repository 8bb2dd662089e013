/** Resolves after some milliseconds; fails with the signal's reason if that fires first. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
        if (signal?.aborted) {
            reject(signal.reason);
            return;
        }
        const stop = (): void => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, milliseconds);
        signal?.addEventListener("abort", stop, { once: true });
    });
}

/** The wait before the next attempt: doubles, and differs between clients. */
export function backoff(tries: number, first = 200, most = 10_000): number {
    const longest = Math.min(most, first * 2 ** tries);
    return longest / 2 + (Math.random() * longest) / 2;
}

/** A signal that fires with another one, or after some time, whichever comes first. */
export class Deadline {
    private readonly controller = new AbortController();
    private timer: ReturnType<typeof setTimeout> | undefined;
    private unfollow = (): void => {};

    constructor(signal: AbortSignal | undefined, milliseconds?: number, reason?: () => unknown) {
        if (signal) this.follow(signal);
        if (milliseconds === undefined || milliseconds === Infinity) return;
        this.timer = setTimeout(() => this.controller.abort(reason?.()), milliseconds);
    }

    get signal(): AbortSignal {
        return this.controller.signal;
    }

    abort(reason?: unknown): void {
        this.controller.abort(reason);
    }

    stopClock(): void {
        clearTimeout(this.timer);
    }

    /** Releases the timer and the other signal. */
    clear(): void {
        this.stopClock();
        this.unfollow();
    }

    private follow(signal: AbortSignal): void {
        const fire = (): void => this.controller.abort(signal.reason);
        if (signal.aborted) fire();
        signal.addEventListener("abort", fire, { once: true });
        this.unfollow = () => signal.removeEventListener("abort", fire);
    }
}
