import { useQuery } from "@tanstack/react-query";
import { api, call } from "@/data/api";
import type { Standing } from "./impact";

/** Where people stand now. */
export function useStanding(name: string, enabled: boolean): Standing | undefined {
    const query = useQuery({
        queryKey: ["funnel", name, "standing"],
        enabled,
        refetchInterval: 3000,
        queryFn: async ({ signal }): Promise<Standing> => {
            const params = { path: { name } };
            const body = await call(api.GET("/v1/workflows/{name}/funnel", { params, signal }));
            const funnel = body as unknown as {
                inside?: number;
                nodes?: { node: string; waiting: number }[];
            };
            const at = (funnel.nodes ?? []).map((one) => [one.node, one.waiting] as const);
            const waiting = at.reduce((sum, [, count]) => sum + count, 0);
            return {
                inside: Math.max(funnel.inside ?? 0, waiting),
                at: Object.fromEntries(at.filter(([, count]) => count > 0)),
            };
        },
    });
    return query.data;
}
