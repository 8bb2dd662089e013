import { useSyncExternalStore } from "react";
import { now as clock, onClock } from "@/data/clock";

// One clock for all times on a page, the server's: it ticks once a second while anything shows a
// time.
let now = clock();
let timer: ReturnType<typeof setInterval> | undefined;
const readers = new Set<() => void>();

function tick(): void {
    now = clock();
    for (const one of readers) one();
}

onClock(tick);

function subscribe(reader: () => void): () => void {
    readers.add(reader);
    timer ??= setInterval(tick, 1000);
    return () => {
        readers.delete(reader);
        if (readers.size === 0) {
            clearInterval(timer);
            timer = undefined;
        }
    };
}

/** The moment, to `step` milliseconds: a component is drawn again only when that changes. */
export function useNow(step = 1000): number {
    return useSyncExternalStore(subscribe, () => Math.floor(now / step) * step);
}
