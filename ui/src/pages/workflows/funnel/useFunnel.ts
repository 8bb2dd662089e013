import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { edgeId } from "@/builder/graph";
import { api, call, type Schemas } from "@/data/api";
import { today } from "@/data/clock";
import { useLive, useLiveEvents } from "@/data/live";
import { readRange } from "./range";
import { channelsOf } from "./reach";

export type Funnel = Schemas["Funnel"];
export type FunnelTotals = Schemas["FunnelTotals"];
export type FunnelNode = Schemas["FunnelNode"];
export type FunnelGroup = Schemas["FunnelGroup"];
export type Comparison = Schemas["VariantComparison"];

export type By = "variant" | "channel" | "day" | "version";
export type Metric = "converted" | "completed" | "opened" | "clicked" | "replied";

export interface FunnelQuery {
    range?: string | undefined;
    version?: string | undefined;
    by?: By | undefined;
    metric?: Metric | undefined;
}

export const funnelKey = (name: string) => ["workflows", name, "funnel"];

export function queryOf({ range, version, by, metric }: FunnelQuery, now: Date) {
    return {
        ...readRange(range, now),
        ...(version ? { version } : {}),
        ...(by ? { by } : {}),
        ...(metric ? { metric } : {}),
    };
}

export function useFunnel(name: string, wanted: FunnelQuery, enabled = true) {
    return useQuery({
        queryKey: [...funnelKey(name), wanted],
        enabled,
        placeholderData: keepPreviousData,
        refetchInterval: 15_000,
        queryFn: async ({ signal }) => {
            const query = queryOf(wanted, today());
            const body = await call(
                api.GET("/v1/workflows/{name}/funnel", {
                    params: { path: { name }, query },
                    signal,
                }),
            );
            return body as Funnel;
        },
    });
}

/** Whether there were messages, alone or in groups. */
export function sends(funnel: Funnel | undefined): boolean {
    const all = [funnel?.totals, ...(funnel?.groups ?? []).map((group) => group.totals)];
    return all.some((one) => (one?.sent ?? 0) > 0);
}

/** What the channels of a workflow report of its messages. */
export function useChannels(name: string, wanted: FunnelQuery, enabled: boolean) {
    const { data } = useFunnel(name, { ...wanted, by: "channel" }, enabled);
    return useMemo(() => (data?.groups ? channelsOf(data.groups) : undefined), [data]);
}

// The counts are made a second or so behind the log.
const readEvery = 1500;
const looksAfter = 3;

/** Reads the counts and lists of a workflow again while something happens in it. */
export function useLiveFunnel(name: string): void {
    const client = useQueryClient();
    const looks = useRef(0);
    useLiveEvents((events) => {
        if (events.some((event) => event.workflow === name)) looks.current = looksAfter;
    });
    useEffect(() => {
        const timer = setInterval(() => {
            if (looks.current === 0 || useLive.getState().paused) return;
            looks.current--;
            for (const queryKey of [funnelKey(name), ["workflows", name, "people"]]) {
                void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
            }
        }, readEvery);
        return () => clearInterval(timer);
    }, [client, name]);
}

/** Numbers for the canvas: who waits at which node, how often edges were taken. */
export function useCounts(funnel: Funnel | undefined) {
    return useMemo(
        () => ({
            waiting: Object.fromEntries(
                (funnel?.nodes ?? []).map((node) => [node.node, node.waiting]),
            ) as Record<string, number>,
            taken: Object.fromEntries(
                (funnel?.edges ?? []).map((edge) => [edgeId(edge), edge.count]),
            ) as Record<string, number>,
        }),
        [funnel],
    );
}
