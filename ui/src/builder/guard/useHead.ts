import { useQuery } from "@tanstack/react-query";
import { api, call, request } from "@/data/api";
import { ApiError } from "@/data/error";
import { queryClient } from "@/data/queries";
import type { Definition } from "../graph";

/** The version that is active now. */
export interface Head {
    version: number;
    definition: Definition;
    created_at: string;
}

const pathOf = (name: string) => `/v1/workflows/${encodeURIComponent(name)}`;

/** None: there is no such workflow, or no longer. */
export async function readHead(name: string): Promise<Head | null> {
    try {
        return await request<Head>("GET", pathOf(name));
    } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
    }
}

/** What is active at this moment, not what was when the page was opened. */
export function useHead(name: string, enabled: boolean) {
    return useQuery({
        queryKey: ["workflow-head", name],
        enabled,
        gcTime: 0,
        refetchOnMount: "always",
        refetchInterval: 15_000,
        queryFn: () => readHead(name),
    });
}

/** What was just published is the head, before anyone asks. */
export function setHead(definition: Definition, version: number): void {
    const head: Head = { version, definition, created_at: new Date().toISOString() };
    queryClient.setQueryData(["workflow-head", definition.name], head);
}

/** The definition of a version, which never changes. */
export function useVersion(name: string, version: number): Definition | undefined {
    const query = useQuery({
        queryKey: ["workflow-version", name, version],
        enabled: version > 0,
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: () => request<Head>("GET", `${pathOf(name)}/versions/${version}`),
    });
    return query.data?.definition;
}

/** Who made a version the active one, and when. */
export function usePublisher(name: string, version: number) {
    const { data } = useQuery({
        queryKey: ["workflow-publisher", name, version],
        queryFn: ({ signal }) =>
            call(
                api.GET("/v1/workflows/{name}/changes", {
                    params: { path: { name }, query: { limit: 50 } },
                    signal,
                }),
            ),
    });
    return data?.data.find(
        (one) => one.version === version && ["applied", "activated"].includes(one.action),
    );
}
