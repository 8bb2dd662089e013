import { useQuery } from "@tanstack/react-query";
import { api, call, type Schemas } from "@/data/api";

export type Rates = Schemas["WorkflowRates"];

// More workflows than this show no figures in the list: their own pages do.
const pagesMax = 5;

/** What began and ended in each workflow within a day, and what is open, by its name. */
export function useRates(): Map<string, Rates> | undefined {
    const { data } = useQuery({
        queryKey: ["workflows", "rates"],
        staleTime: 15_000,
        refetchInterval: 30_000,
        queryFn: async ({ signal }) => {
            const found = new Map<string, Rates>();
            let cursor: string | undefined;
            for (let page = 0; page < pagesMax; ++page) {
                const query = { step: "1h" as const, limit: 200, ...(cursor ? { cursor } : {}) };
                const body = await call(
                    api.GET("/v1/runs/rates/workflows", { params: { query }, signal }),
                );
                for (const one of body.data) found.set(one.workflow, one);
                if (!body.has_more || !body.next_cursor) break;
                cursor = body.next_cursor;
            }
            return found;
        },
    });
    return data;
}
