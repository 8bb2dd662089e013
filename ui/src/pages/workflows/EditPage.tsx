import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { useBase } from "@/builder/guard/useBase";
import { draftOf } from "@/builder/layout";
import { createBuilder } from "@/builder/store";
import { readDraft } from "@/builder/text/definition";
import { useTypes } from "@/builder/types";
import type { SavedDraft } from "@/builder/useAutosave";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { NotAllowed } from "@/components/NotAllowed";
import { request } from "@/data/api";
import { ApiError } from "@/data/error";
import { useMay } from "@/data/session";
import { pathOf, useWorkflow } from "./data";
import { Editor } from "./Editor";

const scope = "workflows:write";

/** What someone was writing; null: there is no draft. */
function useSaved(name: string, enabled: boolean) {
    return useQuery({
        queryKey: ["drafts", name],
        enabled,
        staleTime: Number.POSITIVE_INFINITY,
        // Who comes back finds what was saved meanwhile.
        gcTime: 0,
        queryFn: async () => {
            try {
                return await request<SavedDraft>("GET", `${pathOf(name)}/draft`);
            } catch (error) {
                if (error instanceof ApiError && error.status === 404) return null;
                throw error;
            }
        },
    });
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Edits a workflow that is published, or goes on with what was written before. */
export function EditPage() {
    const { name } = useParams({ from: "/shell/workflows/$name/edit" });
    const may = useMay(scope);
    if (!may) return <NotAllowed scope={scope} />;
    // Another workflow is another editor, also if the page stays.
    return <OneEditor key={name} name={name} />;
}

function OneEditor({ name }: { name: string }) {
    const types = useTypes();
    const navigate = useNavigate();
    const workflow = useWorkflow(name);
    const saved = useSaved(name, true);
    const [round, setRound] = useState(0);
    // A draft need not be of a workflow that was ever published.
    const published = isMissing(workflow.error) && saved.data ? null : workflow.data;
    const begun = useBase(name, saved.data, published);
    // Not with what was known of it before, where another version may be active now.
    const settled = useRef(false);
    settled.current ||= !workflow.isFetching && begun !== undefined;
    const ready = settled.current;
    // biome-ignore lint/correctness/useExhaustiveDependencies: made anew only when it is loaded anew
    const made = useMemo(() => {
        if (!ready || published === undefined || saved.data === undefined) return undefined;
        const kept = saved.data ? readDraft(saved.data.text) : null;
        const drawn = published && draftOf(published.definition, published.layout);
        const draft = kept ?? drawn;
        // What becomes of the workflow meanwhile does not change what is edited.
        const base = begun ?? published?.version ?? 0;
        return draft && { store: createBuilder(draft), begun: base, workflow: published };
    }, [ready, round]);
    const reload = async () => {
        if (!made?.workflow) return navigate({ to: "/workflows" });
        await Promise.all([workflow.refetch(), saved.refetch()]);
        setRound(round + 1);
    };
    if (workflow.isError && published === undefined && saved.data !== undefined)
        return <ErrorView error={workflow.error} retry={workflow.refetch} />;
    if (saved.isError) return <ErrorView error={saved.error} retry={saved.refetch} />;
    if (made === null) return <ErrorView error={workflow.error} retry={workflow.refetch} />;
    if (!types || !made) return <Loading />;
    return (
        <Editor
            key={round}
            {...made}
            types={types}
            saved={saved.data ?? null}
            reload={() => void reload()}
        />
    );
}

/** An empty canvas: a beginning and nothing else. */
export function NewPage() {
    const may = useMay(scope);
    return may ? <NewEditor /> : <NotAllowed scope={scope} />;
}

function NewEditor() {
    const types = useTypes();
    const [round, setRound] = useState(0);
    // biome-ignore lint/correctness/useExhaustiveDependencies: a new one for each round
    const store = useMemo(() => {
        const begin = { id: "begin", type: "trigger", config: {} };
        return createBuilder(draftOf({ name: "", nodes: [begin], edges: [] }, null));
    }, [round]);
    if (!types) return <Loading />;
    return (
        <Editor
            key={round}
            store={store}
            types={types}
            workflow={null}
            saved={null}
            begun={0}
            reload={() => setRound(round + 1)}
        />
    );
}
