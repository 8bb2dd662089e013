import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, call } from "@/data/api";
import { today } from "@/data/clock";
import type { Count } from "./counts";
import { type Filter, toQuery } from "./filter";

/** How many runs have each status; from 10,000 on the server stops counting. */
export function useCounts(filter: Filter): ReadonlyMap<string, Count> | undefined {
    const { status: _status, ...rest } = filter;
    const { data } = useQuery({
        queryKey: ["runs", "counts", rest],
        staleTime: 10_000,
        refetchInterval: 30_000,
        queryFn: ({ signal }) => {
            const query = toQuery(rest, today());
            return call(api.GET("/v1/runs/counts", { params: { query }, signal }));
        },
    });
    return useMemo(() => data && new Map(data.data.map((one) => [one.status, one])), [data]);
}
