import { Alert, Badge, Button, Group, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Builder } from "@/builder/Builder";
import type { Definition, Draft, Layout } from "@/builder/graph";
import { draftOf } from "@/builder/layout";
import { PublishDialog } from "@/builder/PublishDialog";
import { type BuilderStore, createBuilder } from "@/builder/store";
import { type Types, useTypes } from "@/builder/types";
import { type SavedDraft, useAutosave } from "@/builder/useAutosave";
import { builderWords } from "@/builder/words";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { ApiError, request } from "@/data/api";
import { parseExact } from "@/data/json";
import { useWords } from "@/words";
import { pathOf, useWorkflow, type Workflow } from "./data";
import { workflowsWords } from "./words";

/** What someone was writing; null: there is no draft. */
function useSaved(name: string, enabled: boolean) {
    return useQuery({
        queryKey: ["drafts", name],
        enabled,
        staleTime: Number.POSITIVE_INFINITY,
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

function readDraft(text: string): Draft | null {
    try {
        const read = parseExact(text) as Definition & { layout?: Layout };
        return Array.isArray(read.nodes) ? draftOf(read, read.layout) : null;
    } catch {
        return null;
    }
}

interface EditorProps {
    store: BuilderStore;
    types: Types;
    workflow: Workflow | null;
    saved: SavedDraft | null;
    reload: () => void;
}

function Editor({ store, types, workflow, saved, reload }: EditorProps) {
    const t = useWords(builderWords);
    const words = useWords(workflowsWords);
    const navigate = useNavigate();
    const { text } = useSearch({ strict: false }) as { text?: string };
    const [publishing, setPublishing] = useState(false);
    const save = useAutosave(store, saved);
    const name = workflow?.name ?? store.getState().draft.definition.name;
    const done = async () => {
        const made = store.getState().draft.definition.name;
        await request("DELETE", `${pathOf(made)}/draft`).catch(() => undefined);
        save.forget();
        void navigate({ to: "/workflows/$name", params: { name: made }, search: {} });
    };
    const discard = async () => {
        await request("DELETE", `${pathOf(name)}/draft`).catch(() => undefined);
        reload();
    };
    return (
        <Builder store={store} types={types} fresh={workflow === null} text={text === "1"}>
            {(tools, problems, checking, body) => (
                <Page
                    filled
                    title={workflow ? words("editTitle", { name }) : words("newTitle")}
                    parents={[{ title: words("title"), to: "/workflows" }]}
                    aside={
                        <Badge variant="dot" color={save.state === "failed" ? "red" : "gray"}>
                            {save.state === "saving"
                                ? t("saving")
                                : save.state === "saved" || saved
                                  ? t("saved")
                                  : t("draftOf")}
                        </Badge>
                    }
                    actions={
                        <Group gap="xs">
                            {tools}
                            <Switch
                                label={t("text")}
                                checked={text === "1"}
                                onChange={(event) => {
                                    const on = event.currentTarget.checked;
                                    navigate({
                                        to: ".",
                                        search: on ? { text: "1" } : {},
                                        replace: true,
                                    });
                                }}
                            />
                            {(saved || save.state === "saved") && (
                                <Button variant="subtle" color="red" onClick={discard}>
                                    {t("discard")}
                                </Button>
                            )}
                            <Button
                                disabled={problems > 0 || checking}
                                title={problems > 0 ? t("publishWrong") : ""}
                                onClick={() => setPublishing(true)}
                            >
                                {t("publish")}
                            </Button>
                        </Group>
                    }
                    bar={
                        save.theirs && (
                            <Alert color="orange" title={t("conflict")} w="100%">
                                {t("conflictHelp", { by: save.theirs.updated_by })}
                                <Group gap="xs" mt="xs">
                                    <Button variant="default" onClick={save.keepMine}>
                                        {t("conflictMine")}
                                    </Button>
                                    <Button variant="default" onClick={reload}>
                                        {t("conflictTheirs")}
                                    </Button>
                                </Group>
                            </Alert>
                        )
                    }
                >
                    {body}
                    {publishing && (
                        <PublishDialog
                            draft={store.getState().draft}
                            before={workflow}
                            onClose={() => setPublishing(false)}
                            onPublished={() => void done()}
                        />
                    )}
                </Page>
            )}
        </Builder>
    );
}

/** Edits a workflow that is published, or goes on with what was written before. */
export function EditPage() {
    const { name } = useParams({ from: "/shell/workflows/$name/edit" });
    const types = useTypes();
    const workflow = useWorkflow(name);
    const saved = useSaved(name, true);
    const [round, setRound] = useState(0);
    const ready = workflow.data && saved.data !== undefined;
    // biome-ignore lint/correctness/useExhaustiveDependencies: made anew only when it is loaded anew
    const store = useMemo(() => {
        if (!workflow.data || saved.data === undefined) return undefined;
        const kept = saved.data ? readDraft(saved.data.text) : null;
        return createBuilder(kept ?? draftOf(workflow.data.definition, workflow.data.layout));
    }, [ready, round]);
    const reload = async () => {
        await saved.refetch();
        setRound(round + 1);
    };
    if (workflow.isError) return <ErrorView error={workflow.error} retry={workflow.refetch} />;
    if (!types || !store || !workflow.data) return <Loading />;
    return (
        <Editor
            key={round}
            store={store}
            types={types}
            workflow={workflow.data}
            saved={saved.data ?? null}
            reload={() => void reload()}
        />
    );
}

/** An empty canvas: a beginning and nothing else. */
export function NewPage() {
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
            reload={() => setRound(round + 1)}
        />
    );
}
