import { type InfiniteData, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { type LiveEvent, useLive, useLiveEvents } from "./live";
import { placeOf, withRows } from "./pages";
import type { Page } from "./queries";

interface Options<T> {
    /** The list of runs, as usePages reads it. */
    key: QueryKey;
    /** Whether an event of a run that is not shown adds a row. */
    adds: (event: LiveEvent) => boolean;
    /** Reads one row again. */
    read: (id: string) => Promise<T>;
}

// More rows than this at once are not worth a request each: the list is read again, seldom.
const rowsMax = 12;
const listEvery = 5000;

/** Counts runs that a list does not show yet; those that are shown change in place. */
export function useFresh<T extends { id: string }>({ key, adds, read }: Options<T>) {
    const client = useQueryClient();
    const [fresh, setFresh] = useState(0);
    const readAt = useRef(0);
    const again = useCallback(
        () => void client.invalidateQueries({ queryKey: key }),
        [client, key],
    );
    const patch = async (ids: string[]) => {
        const rows = await Promise.allSettled(ids.map((one) => read(one)));
        const found = rows.flatMap((row) => (row.status === "fulfilled" ? [row.value] : []));
        client.setQueryData<InfiniteData<Page<T>>>(
            key,
            (old) => old && { ...old, pages: withRows(old.pages, found) },
        );
    };
    useLiveEvents((events) => {
        const pages = client.getQueryData<InfiniteData<Page<T>>>(key)?.pages ?? [];
        const shown = (event: LiveEvent) => placeOf(pages, event.run_id) !== undefined;
        const added = events.filter((event) => adds(event) && !shown(event)).length;
        if (added > 0) setFresh((count) => count + added);
        if (useLive.getState().paused) return;
        const ids = new Set(events.filter(shown).map((event) => event.run_id));
        if (ids.size === 0) return;
        if (ids.size <= rowsMax) {
            void patch([...ids]);
        } else if (Date.now() - readAt.current > listEvery) {
            readAt.current = Date.now();
            void client.invalidateQueries({ queryKey: key }, { cancelRefetch: false });
        }
    });
    const show = useCallback(() => {
        setFresh(0);
        again();
    }, [again]);
    return { fresh, show };
}
