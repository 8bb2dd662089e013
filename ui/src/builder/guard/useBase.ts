import { useQuery } from "@tanstack/react-query";
import { request } from "@/data/api";
import type { SavedDraft } from "../useAutosave";
import { baseAt, baseOf, type Version } from "./base";

/**
 * With which version a draft began; undefined: not known yet. Drafts that other programs save do
 * not say it: then the time says it.
 */
export function useBase(
    name: string,
    saved: SavedDraft | null | undefined,
    published: { version: number } | null | undefined,
): number | undefined {
    const said = saved ? baseOf(saved.text) : undefined;
    const unsaid = Boolean(saved && published && said === undefined);
    const query = useQuery({
        queryKey: ["workflows", name, "versions"],
        enabled: unsaid,
        queryFn: async () => {
            const path = `/v1/workflows/${encodeURIComponent(name)}/versions?limit=200`;
            return (await request<{ data: Version[] }>("GET", path)).data;
        },
    });
    if (saved === undefined || published === undefined) return undefined;
    if (!unsaid) return said ?? published?.version ?? 0;
    if (query.isError) return published?.version;
    return query.data && saved ? baseAt(query.data, saved.updated_at) : undefined;
}
