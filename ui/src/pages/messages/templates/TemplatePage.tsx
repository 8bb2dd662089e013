import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { NotFound } from "@/components/NotFound";
import { api, call } from "@/data/api";
import { ApiError } from "@/data/error";
import { useMay } from "@/data/session";
import type { Template } from "./data";
import { TemplateEditor } from "./TemplateEditor";

/** One template; a name that is not there yet is one to be written. */
export function TemplatePage() {
    const { name } = useParams({ from: "/shell/messages/templates/$name" });
    const { version } = useSearch({ from: "/shell/messages/templates/$name" });
    const may = useMay("workflows:write");
    const wanted = Number(version) >= 1 ? Math.floor(Number(version)) : undefined;
    const read = (one: number | undefined) =>
        call(
            api.GET("/v1/templates/{name}", {
                params: { path: { name }, query: one ? { version: one } : {} },
            }),
        ) as Promise<Template>;
    const newest = useQuery({
        queryKey: ["templates", name],
        retry: false,
        refetchOnWindowFocus: false,
        queryFn: async () => {
            try {
                return await read(undefined);
            } catch (error) {
                if (error instanceof ApiError && error.status === 404) return null;
                throw error;
            }
        },
    });
    const older = useQuery({
        queryKey: ["templates", name, wanted],
        enabled: wanted !== undefined,
        queryFn: () => read(wanted),
    });
    const failed = newest.error ?? older.error;
    if (failed) return <ErrorView error={failed} retry={() => newest.refetch()} />;
    if (newest.data === undefined || (wanted !== undefined && !older.data)) return <Loading />;
    // There is nothing to look at, and only who may write can begin one.
    if (newest.data === null && !may) return <NotFound />;
    const shown = wanted === undefined ? newest.data : (older.data ?? null);
    return (
        <TemplateEditor
            key={`${name} ${wanted ?? "newest"}`}
            name={name}
            newest={newest.data?.version ?? 0}
            shown={shown}
        />
    );
}
