import { type InfiniteData, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { type LiveEvent, useLive, useLiveEvents } from "./live";
import type { Page } from "./queries";

interface Options<T> {
    /** The list, as usePages reads it. */
    key: QueryKey;
    /** Whether an event adds a row to it. */
    adds: (event: LiveEvent) => boolean;
    /** The key of the row that an event changes; undefined if it is not shown. */
    changes?: (event: LiveEvent) => string | undefined;
    rowKey?: (row: T) => string;
    /** Reads one row again. */
    read?: (key: string) => Promise<T>;
}

// More rows than this at once are not worth a request each: the list is read again, seldom.
const rowsMax = 12;
const listEvery = 5000;

/** Counts rows that a list does not show yet; rows that are shown change in place. */
export function useFresh<T>({ key, adds, changes, rowKey, read }: Options<T>) {
    const client = useQueryClient();
    const [fresh, setFresh] = useState(0);
    const readAt = useRef(0);
    const again = useCallback(
        () => void client.invalidateQueries({ queryKey: key }),
        [client, key],
    );
    const patch = async (keys: string[]) => {
        const rows = await Promise.allSettled(keys.map((one) => read!(one)));
        const found = new Map(
            rows.flatMap((row) =>
                row.status === "fulfilled" ? [[rowKey!(row.value), row.value]] : [],
            ),
        );
        client.setQueryData<InfiniteData<Page<T>>>(key, (old) =>
            old
                ? {
                      ...old,
                      pages: old.pages.map((page) => ({
                          ...page,
                          data: page.data.map((row) => found.get(rowKey!(row)) ?? row),
                      })),
                  }
                : old,
        );
    };
    useLiveEvents((events) => {
        const added = events.filter(adds).length;
        if (added > 0) setFresh((count) => count + added);
        if (useLive.getState().paused || !changes) return;
        const keys = new Set(events.flatMap((event) => changes(event) ?? []));
        if (keys.size === 0) return;
        if (read && rowKey && keys.size <= rowsMax) {
            void patch([...keys]);
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
