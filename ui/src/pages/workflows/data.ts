import { useQuery } from "@tanstack/react-query";
import type { Definition, Layout } from "@/builder/graph";
import { request } from "@/data/api";

export interface Share {
    version: number;
    share: number;
}

export interface Workflow {
    name: string;
    version: number;
    active: boolean;
    label: string | null;
    draft: boolean;
    retired_at: string | null;
    switched_off: string | null;
    created_at: string;
    owner?: string | null;
    changed_by?: string | null;
    changed_at?: string | null;
    canary: Share[] | null;
    definition: Definition;
    layout?: Layout | null;
    open_runs?: number;
}

export const pathOf = (name: string) => `/v1/workflows/${encodeURIComponent(name)}`;

export function useWorkflow(name: string, enabled = true) {
    return useQuery({
        queryKey: ["workflows", name],
        enabled,
        queryFn: () => request<Workflow>("GET", pathOf(name)),
    });
}

/** All versions, newest first. */
export function useVersions(name: string, refetchInterval: number | false = false) {
    return useQuery({
        queryKey: ["workflows", name, "versions"],
        refetchInterval,
        queryFn: async () =>
            (await request<{ data: Workflow[] }>("GET", `${pathOf(name)}/versions?limit=200`)).data,
    });
}

/** What starts a workflow, in a word for each trigger; `cronSaid` says a time table. */
export function startsBy(
    definition: Definition,
    cronSaid: (cron: string) => string = (cron) => cron,
): string[] {
    const triggers = Array.isArray(definition.triggers) ? definition.triggers : [];
    return triggers.map((one: Record<string, unknown>) => {
        const key = ["audience", "event", "schedule", "cron", "queue"].find((k) => one[k]);
        if (one.schedule || key === "cron") return cronSaid(String(one.schedule ?? one.cron));
        return key && key !== "audience" ? String(one[key]) : (key ?? "");
    });
}
