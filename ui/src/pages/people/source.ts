import { useQuery } from "@tanstack/react-query";
import { api, call } from "@/data/api";
import { ApiError } from "@/data/error";
import { queryClient } from "@/data/queries";
import { useMay } from "@/data/session";
import type { Person } from "./data";

/** Which table the server named when it refused to save people; it stays so for all. */
const refused = ["people", "source", "refused"];

/** Keeps what a refusal says of where the people are. */
export async function noteSource<T>(saving: Promise<T>): Promise<T> {
    try {
        return await saving;
    } catch (error) {
        if (error instanceof ApiError && error.code === "people_elsewhere") {
            queryClient.setQueryData(refused, error.values.table ?? "?");
        }
        throw error;
    }
}

/**
 * The table of the tenant's own that has its people; null: Pawl keeps them, as far as this viewer
 * may know. Undefined: it is not known yet. `one`: any of the people, undefined while they are read.
 */
export function useSource(one: Person | null | undefined): string | null | undefined {
    const admin = useMay("admin");
    const told = useQuery({
        queryKey: ["person-source"],
        enabled: admin,
        queryFn: ({ signal }) => call(api.GET("/v1/person-source", { signal })),
    });
    const key = one?.key;
    // Only admins may ask for the source itself, but each person says where it was read.
    const read = useQuery({
        queryKey: ["people", "source", "of", key],
        enabled: !admin && key !== undefined,
        retry: false,
        staleTime: 5 * 60_000,
        queryFn: async ({ signal }) => {
            const params = { path: { key: key! } };
            return (await call(api.GET("/v1/people/{key}", { params, signal }))).source ?? null;
        },
    });
    const { data: named } = useQuery<string>({ queryKey: refused, enabled: false });
    if (named !== undefined) return named;
    if (admin) return told.isPending ? undefined : (told.data?.source?.table ?? null);
    if (one === undefined) return undefined;
    if (one === null || read.isError) return null;
    return read.data;
}
