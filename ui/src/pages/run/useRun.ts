import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, call, type Schemas } from "@/data/api";
import { useLive, useLiveEvents } from "@/data/live";
import { queryClient } from "@/data/queries";
import { graphOf, isOpen, type Run, type RunEvent, type Step } from "./model";

// A log of more events than this is shown from its beginning; all of it can be downloaded.
export const eventsMax = 5000;

/** Reads the log page by page until `enough` says so, or to its end. */
async function readPages(id: string, signal: AbortSignal, enough: (events: number) => boolean) {
    const events: RunEvent[] = [];
    let cursor: string | undefined;
    for (;;) {
        const query = { limit: 1000, ...(cursor ? { cursor } : {}) };
        const page = await call(
            api.GET("/v1/runs/{id}/events", { params: { path: { id }, query }, signal }),
        );
        events.push(...((page.data ?? []) as RunEvent[]));
        cursor = page.has_more ? (page.next_cursor ?? undefined) : undefined;
        if (!cursor || enough(events.length)) return { events, cut: cursor !== undefined };
    }
}

const readEvents = (id: string, signal: AbortSignal) =>
    readPages(id, signal, (count) => count >= eventsMax);

/** All events there are, also those that are not shown; `read` hears how many it has. */
export async function readWholeLog(
    id: string,
    signal: AbortSignal,
    read: (events: number) => void,
): Promise<RunEvent[]> {
    const { events } = await readPages(id, signal, (count) => {
        read(count);
        return false;
    });
    return events;
}

const none: never[] = [];

/** The log, the steps and the graph of a run: what a waterfall needs. */
export function useRunLog(id: string, run: Run | undefined, enabled = true) {
    const log = useQuery({
        queryKey: ["runs", id, "events"],
        enabled,
        queryFn: ({ signal }) => readEvents(id, signal),
    });
    const steps = useQuery({
        queryKey: ["runs", id, "steps"],
        enabled,
        queryFn: ({ signal }) =>
            call(api.GET("/v1/runs/{id}/steps", { params: { path: { id } }, signal })),
    });
    const version = useQuery({
        queryKey: ["workflows", run?.workflow, "versions", run?.version],
        enabled: enabled && run !== undefined,
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: ({ signal }) =>
            call(
                api.GET("/v1/workflows/{name}/versions/{version}", {
                    params: {
                        path: { name: run!.workflow, version: String(run!.version) } as never,
                    },
                    signal,
                }),
            ) as Promise<Schemas["Workflow"]>,
    });
    const graph = useMemo(() => graphOf(version.data?.definition), [version.data]);
    return {
        events: log.data?.events ?? (none as RunEvent[]),
        cut: log.data?.cut ?? false,
        steps: (steps.data?.data ?? none) as Step[],
        trace: steps.data?.trace_url ?? null,
        graph,
        ready: log.data !== undefined && steps.data !== undefined,
        error: log.error ?? steps.error,
    };
}

/** One run with everything that its page shows, read again whenever it moves. */
export function useRun(id: string) {
    const run = useQuery({
        queryKey: ["runs", id],
        queryFn: ({ signal }) =>
            call(api.GET("/v1/runs/{id}", { params: { path: { id } }, signal })),
    });
    const why = useQuery({
        queryKey: ["runs", id, "why"],
        enabled: run.data !== undefined && run.data.status !== "completed",
        refetchInterval: run.data && isOpen(run.data) ? 15_000 : false,
        queryFn: ({ signal }) =>
            call(api.GET("/v1/runs/{id}/why", { params: { path: { id } }, signal })),
    });
    const log = useRunLog(id, run.data);
    useLiveEvents((events) => {
        if (useLive.getState().paused) return;
        if (events.some((event) => event.run_id === id)) {
            void queryClient.invalidateQueries({ queryKey: ["runs", id] });
        }
    });
    return { run, why, log };
}
