import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { type LiveEvent, useLive, useLiveEvents } from "./live";

interface Options {
    /** The list that is read again. */
    key: QueryKey;
    /** Whether an event adds a row to it. */
    adds: (event: LiveEvent) => boolean;
    /** Whether an event changes a row that is shown: read again at once, unless paused. */
    changes?: (event: LiveEvent) => boolean;
}

/** Counts rows that a list does not show yet; rows that are shown change in place. */
export function useFresh({ key, adds, changes }: Options) {
    const client = useQueryClient();
    const [fresh, setFresh] = useState(0);
    const again = useCallback(
        () => void client.invalidateQueries({ queryKey: key }),
        [client, key],
    );
    useLiveEvents((events) => {
        if (useLive.getState().paused) {
            setFresh((count) => count + events.filter(adds).length);
            return;
        }
        const added = events.filter(adds).length;
        if (added > 0) setFresh((count) => count + added);
        if (changes && events.some(changes)) again();
    });
    const show = useCallback(() => {
        setFresh(0);
        again();
    }, [again]);
    return { fresh, show };
}
