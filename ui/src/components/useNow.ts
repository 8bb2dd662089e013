import { useSyncExternalStore } from "react";

// One clock for all times on a page: it ticks once a second while anything shows a time.
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
    readers.add(reader);
    timer ??= setInterval(() => {
        now = Date.now();
        for (const one of readers) one();
    }, 1000);
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
