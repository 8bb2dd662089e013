import { Alert, Badge, Button, Group, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Builder } from "@/builder/Builder";
import { ConflictDialog } from "@/builder/ConflictDialog";
import { draftOf } from "@/builder/layout";
import type { Panel } from "@/builder/Panels";
import { PublishDialog } from "@/builder/publish/PublishDialog";
import { type BuilderStore, createBuilder } from "@/builder/store";
import { readDraft, textOf } from "@/builder/text/definition";
import type { TextForm } from "@/builder/text/TextPanel";
import { type Types, useTypes } from "@/builder/types";
import { type SavedDraft, useAutosave } from "@/builder/useAutosave";
import { builderWords } from "@/builder/words";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { ApiError, request } from "@/data/api";
import { useShortcuts } from "@/data/keys";
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
    const search = useSearch({ strict: false }) as { text?: string; panel?: string };
    const [publishing, setPublishing] = useState(false);
    const [deciding, setDeciding] = useState(true);
    const save = useAutosave(store, saved);
    const name = workflow?.name ?? store.getState().draft.definition.name;
    const text: TextForm | undefined = search.text
        ? search.text === "json"
            ? "json"
            : "yaml"
        : undefined;
    const show = (part: { text?: string | undefined; panel?: string | undefined }) =>
        navigate({ to: ".", search: { ...search, ...part } as never, replace: true });
    useShortcuts(t("keys"), [{ keys: "mod+s", label: t("save"), run: save.saveNow, typing: true }]);
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
    const state =
        save.state === "saving"
            ? t("saving")
            : save.state === "failed"
              ? t("saveFailed")
              : save.state === "saved" || saved
                ? t("saved")
                : t("draftOf");
    return (
        <Builder
            store={store}
            types={types}
            fresh={workflow === null}
            text={text}
            onText={(form) => void show({ text: form })}
            panel={(search.panel as Panel | undefined) ?? "problems"}
            onPanel={(panel) => void show({ panel: panel === "problems" ? undefined : panel })}
            onPublish={() => setPublishing(true)}
        >
            {(tools, problems, checking, body) => (
                <Page
                    filled
                    title={workflow ? words("editTitle", { name }) : words("newTitle")}
                    parents={[{ title: words("title"), to: "/workflows" }]}
                    aside={
                        <Badge variant="dot" color={save.state === "failed" ? "red" : "gray"}>
                            {state}
                        </Badge>
                    }
                    actions={
                        <Group gap="xs">
                            {tools}
                            <Switch
                                label={t("text")}
                                checked={text !== undefined}
                                onChange={(event) =>
                                    void show({
                                        text: event.currentTarget.checked ? "yaml" : undefined,
                                    })
                                }
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
                                <Group gap="xs">
                                    {t("conflictHelp", { by: save.theirs.updated_by })}
                                    <Button variant="default" onClick={() => setDeciding(true)}>
                                        {t("conflictShow")}
                                    </Button>
                                </Group>
                            </Alert>
                        )
                    }
                >
                    {body}
                    {save.theirs && deciding && (
                        <ConflictDialog
                            theirs={save.theirs}
                            mine={textOf(store.getState().draft)}
                            onMine={save.keepMine}
                            onTheirs={() => {
                                if (!save.takeTheirs()) reload();
                            }}
                            onClose={() => setDeciding(false)}
                        />
                    )}
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
