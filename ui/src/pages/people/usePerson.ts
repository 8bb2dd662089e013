import { useQuery } from "@tanstack/react-query";
import { api, call } from "@/data/api";
import { nameOf, type Person } from "./data";

/** What the person with this key is called; undefined: not known, or not yet. */
export function usePersonName(key: string | null | undefined): string | undefined {
    const query = useQuery({
        queryKey: ["people", "named", key],
        enabled: Boolean(key),
        retry: false,
        staleTime: 5 * 60_000,
        queryFn: async ({ signal }) => {
            const params = { path: { key: key! } };
            const person = await call(api.GET("/v1/people/{key}", { params, signal }));
            return nameOf(person as unknown as Person);
        },
    });
    return query.data || undefined;
}
