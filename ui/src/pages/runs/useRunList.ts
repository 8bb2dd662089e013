import { useMemo } from "react";
import { api, call, type Schemas } from "@/data/api";
import { today } from "@/data/clock";
import { usePages } from "@/data/queries";
import { useFresh } from "@/data/useFresh";
import { announces, type Filter, toQuery } from "./filter";

type Run = Schemas["Run"];

export const pageSize = 100;
// Who goes on beyond the first page goes far: a list of 100,000 is 100 requests instead of 1,000.
const nextPageSize = 1000;

/** The runs that match, page by page, and how many began since. */
export function useRunList(filter: Filter) {
    const key = useMemo(() => ["runs", "list", filter], [filter]);
    const runs = usePages<Run>({
        key,
        fetch: (cursor, signal) => {
            const searches = filter.error !== undefined || filter.where !== undefined;
            const query = {
                ...toQuery(filter, today()),
                limit: cursor && !searches ? nextPageSize : pageSize,
                ...(cursor ? { cursor } : {}),
            };
            return call(api.GET("/v1/runs", { params: { query }, signal }));
        },
    });
    const fresh = useFresh<Run>({
        key,
        adds: (event) => announces(event, filter),
        read: (id) => call(api.GET("/v1/runs/{id}", { params: { path: { id } } })),
    });
    return { runs, ...fresh };
}
