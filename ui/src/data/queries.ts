import { notifications } from "@mantine/notifications";
import {
    type InfiniteData,
    QueryClient,
    type QueryKey,
    useInfiniteQuery,
    useMutation,
    useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { say } from "@/words";
import { commonWords } from "@/words/common";
import { placeLine, placeText } from "@/words/refusal";
import { onClock } from "./clock";
import { ApiError, errorText } from "./error";

const lasting = (error: unknown) =>
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

export const queryClient = new QueryClient({
    defaultOptions: {
        queries: {
            staleTime: 5_000,
            gcTime: 5 * 60_000,
            retry: (count, error) => !lasting(error) && count < 2,
            refetchOnWindowFocus: true,
            throwOnError: false,
        },
    },
});

// What was asked for by a wrong clock, such as the runs of the last hour, is other data. First
// questions that are still under way would be waited for instead of asked again.
onClock(async (by) => {
    if (Math.abs(by) < 2_000) return;
    await queryClient.cancelQueries();
    await queryClient.invalidateQueries();
});

export interface Page<T> {
    data: T[];
    next_cursor: string | null;
    has_more: boolean;
}

interface Pages<T> {
    key: QueryKey;
    fetch: (cursor: string | undefined, signal: AbortSignal) => Promise<unknown>;
    enabled?: boolean;
    /** In milliseconds: for what changes without events of runs. */
    refetchInterval?: number;
    /** Only to name the type of a row. */
    row?: T;
}

/** A list that is read page by page with the server's cursors. */
export function usePages<T>({ key, fetch, enabled = true, refetchInterval }: Pages<T>) {
    const query = useInfiniteQuery<
        Page<T>,
        Error,
        InfiniteData<Page<T>>,
        QueryKey,
        string | undefined
    >({
        queryKey: key,
        queryFn: ({ pageParam, signal }) => fetch(pageParam, signal) as Promise<Page<T>>,
        initialPageParam: undefined,
        getNextPageParam: (last) => (last.has_more ? (last.next_cursor ?? undefined) : undefined),
        enabled,
        ...(refetchInterval ? { refetchInterval } : {}),
    });
    const rows = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
    return { ...query, rows };
}

interface Act<V, R> {
    run: (values: V) => Promise<R>;
    /** What is said when it worked. */
    done?: string | ((result: R, values: V) => string);
    /** Lists and details that it changes. */
    changes?: QueryKey[];
    onDone?: (result: R, values: V) => void;
    /** Says what went wrong by itself; false: it does not. */
    refused?: (error: Error) => boolean;
}

/** A change: says that it worked or why it did not, and reads again what it changed. */
export function useAct<V = void, R = unknown>(act: Act<V, R>) {
    const { run, done, changes = [], onDone, refused } = act;
    const client = useQueryClient();
    return useMutation<R, Error, V>({
        mutationFn: run,
        onSuccess: async (result, values) => {
            const message = typeof done === "function" ? done(result, values) : done;
            if (message) notifications.show({ message, color: "teal" });
            await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
            onDone?.(result, values);
        },
        onError: (error) => {
            if (!refused?.(error)) showError(error);
        },
    });
}

/** Says what went wrong, with the request id for the operators of the server. */
export function showError(error: unknown): void {
    const known = error instanceof ApiError;
    const title = errorText(error);
    // Where the sentence is about one place, it says all of it.
    const places = known ? error.errors.filter((one) => !title.includes(placeText(one))) : [];
    const lines = places.map(placeLine);
    notifications.show({
        color: "red",
        title,
        message: [
            ...lines,
            known && error.requestId ? `${say(commonWords, "requestId")} ${error.requestId}` : "",
        ]
            .filter(Boolean)
            .join("\n"),
        autoClose: 12_000,
    });
}
