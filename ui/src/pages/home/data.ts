import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { api, call, type Schemas } from "@/data/api";
import { now } from "@/data/clock";
import { useLive, useLiveEvents } from "@/data/live";
import { queryClient } from "@/data/queries";
import { type Range, type Rate, ranges } from "./numbers";

export type Overview = Schemas["Overview"];
export type Target = Schemas["Target"];

const every = 15_000;

export function useOverview() {
    const paused = useLive((state) => state.paused);
    const asked = useRef(0);
    // Runs may change many times a second: the numbers are read every two seconds at most.
    useLiveEvents(() => {
        if (paused || Date.now() - asked.current < 2_000) return;
        asked.current = Date.now();
        void queryClient.invalidateQueries({ queryKey: ["overview"] });
    });
    return useQuery({
        queryKey: ["overview"],
        refetchInterval: paused ? false : every,
        queryFn: ({ signal }) => call(api.GET("/v1/overview", { signal })) as Promise<Overview>,
    });
}

/** Servers that steps call and that are left alone now. */
export function useLeftAlone(): Target[] {
    const paused = useLive((state) => state.paused);
    const { data } = useQuery({
        queryKey: ["targets", "open"],
        refetchInterval: paused ? false : every,
        queryFn: ({ signal }) => call(api.GET("/v1/targets", { signal })),
    });
    return ((data?.data ?? []) as Target[]).filter((one) => one.state === "open");
}

export function useRates(range: Range) {
    const paused = useLive((state) => state.paused);
    return useQuery({
        queryKey: ["rates", range],
        refetchInterval: paused ? false : every,
        queryFn: ({ signal }) => {
            const from = new Date(now() - ranges[range]).toISOString();
            return call(
                api.GET("/v1/runs/rates", { params: { query: { from } }, signal }),
            ) as Promise<{ step: string; data: Rate[] }>;
        },
    });
}

/** Whether anything ever ran here. */
export function useHasRuns() {
    return useQuery({
        queryKey: ["runs", "any"],
        staleTime: 60_000,
        queryFn: async ({ signal }) => {
            const page = await call(
                api.GET("/v1/runs", { params: { query: { limit: 1 } }, signal }),
            );
            return (page as { data: unknown[] }).data.length > 0;
        },
    });
}
