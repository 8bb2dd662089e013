import { Alert, Badge, Button, Group, Switch } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Builder } from "@/builder/Builder";
import { ConflictDialog } from "@/builder/ConflictDialog";
import type { Panel } from "@/builder/Panels";
import { PublishDialog } from "@/builder/publish/PublishDialog";
import type { BuilderStore } from "@/builder/store";
import { textOf } from "@/builder/text/definition";
import type { TextForm } from "@/builder/text/TextPanel";
import type { Types } from "@/builder/types";
import { type SavedDraft, useAutosave } from "@/builder/useAutosave";
import { builderWords } from "@/builder/words";
import { actor } from "@/components/actor";
import { Page } from "@/components/Page";
import { request } from "@/data/api";
import { useShortcuts } from "@/data/keys";
import { useWords } from "@/words";
import { pathOf, type Workflow } from "./data";
import { workflowsWords } from "./words";

interface EditorProps {
    store: BuilderStore;
    types: Types;
    workflow: Workflow | null;
    saved: SavedDraft | null;
    reload: () => void;
}

/** The builder with its bar: what is saved, the text beside it, publishing. */
export function Editor({ store, types, workflow, saved, reload }: EditorProps) {
    const t = useWords(builderWords);
    const words = useWords(workflowsWords);
    const navigate = useNavigate();
    const search = useSearch({ strict: false }) as { text?: string; panel?: string };
    const [publishing, setPublishing] = useState(false);
    const [deciding, setDeciding] = useState(true);
    const save = useAutosave(store, saved);
    const name = workflow?.name ?? store.getState().draft.definition.name;
    const known = workflow !== null || saved !== null;
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
        await save.forget();
        await request("DELETE", `${pathOf(made)}/draft`).catch(() => undefined);
        // Who returns before the next page is there finds the builder, and goes on with it.
        setPublishing(false);
        save.begin();
        void navigate({ to: "/workflows/$name", params: { name: made }, search: {} });
    };
    const discard = async () => {
        await save.forget();
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
            etag={save.etagNow}
        >
            {(tools, problems, checking, body) => (
                <Page
                    filled
                    title={known ? words("editTitle", { name }) : words("newTitle")}
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
                                    {t("conflictHelp", {
                                        by: actor(
                                            save.theirs.updated_by,
                                            save.theirs.updated_by_name,
                                        ),
                                    })}
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
