import { Alert, Button, Group, Switch } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useStore } from "zustand";
import { Builder } from "@/builder/Builder";
import { ConflictDialog } from "@/builder/ConflictDialog";
import { isBlank } from "@/builder/graph";
import { baseOf } from "@/builder/guard/base";
import { NewerVersion } from "@/builder/guard/NewerVersion";
import { SaveBadge } from "@/builder/guard/SaveBadge";
import { setHead, useHead } from "@/builder/guard/useHead";
import { guardWords } from "@/builder/guard/words";
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
import { Unsaved } from "@/components/Unsaved";
import { request } from "@/data/api";
import { useShortcuts } from "@/data/keys";
import { useWords } from "@/words";
import { pathOf, type Workflow } from "./data";
import { workflowsWords } from "./words";

interface EditorProps {
    store: BuilderStore;
    types: Types;
    /** The workflow that is edited; null: it is new. */
    workflow: Workflow | null;
    saved: SavedDraft | null;
    /** The version that the draft began with; 0: there was none. */
    begun: number;
    reload: () => void;
}

/** The builder with its bar: what is saved, the text beside it, publishing. */
export function Editor({ store, types, workflow, saved, begun, reload }: EditorProps) {
    const t = useWords(builderWords);
    const words = useWords(workflowsWords);
    const guard = useWords(guardWords);
    const navigate = useNavigate();
    const search = useSearch({ strict: false }) as { text?: string; panel?: string };
    const [publishing, setPublishing] = useState(false);
    const [deciding, setDeciding] = useState(true);
    const [base, setBase] = useState(begun);
    // What was new is a workflow like others once it is published.
    const [opened, setOpened] = useState(workflow?.name);
    const save = useAutosave({ store, from: saved, opened, base });
    const called = useStore(store, (state) => state.draft.definition.name);
    const head = useHead(opened ?? "", opened !== undefined).data;
    const leaving = useRef(false);
    const unsaved = () => {
        const { unread, draft } = store.getState();
        const lost = unread !== undefined || (save.taken !== undefined && !isBlank(draft));
        return lost && !leaving.current;
    };
    const name = workflow?.name ?? called;
    const known = workflow !== null || saved !== null;
    const text: TextForm | undefined = search.text
        ? search.text === "json"
            ? "json"
            : "yaml"
        : undefined;
    const show = (part: { text?: string | undefined; panel?: string | undefined }) =>
        navigate({ to: ".", search: { ...search, ...part } as never, replace: true });
    useShortcuts(t("keys"), [{ keys: "mod+s", label: t("save"), run: save.saveNow, typing: true }]);
    /** It is published: from now on it is edited on top of that version. */
    const made = (version: number) => {
        const { definition } = store.getState().draft;
        setHead(definition, version);
        setOpened(definition.name);
        setBase(version);
    };
    /** Nothing is left of the draft; one that belongs to someone else stays. */
    const remove = async () => {
        await save.forget();
        const kept = save.savedAs();
        if (kept) await request("DELETE", `${pathOf(kept)}/draft`).catch(() => undefined);
    };
    const done = async () => {
        const to = store.getState().draft.definition.name;
        await remove();
        // Who returns before the next page is there finds the builder, and goes on with it.
        setPublishing(false);
        save.begin();
        void navigate({ to: "/workflows/$name", params: { name: to }, search: {} });
    };
    const discard = async () => {
        leaving.current = true;
        await remove();
        reload();
    };
    const newer = opened === called && head && head.version !== base ? head : undefined;
    return (
        <Builder
            store={store}
            types={types}
            fresh={called !== opened}
            named={save}
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
                        <SaveBadge
                            store={store}
                            state={save.state}
                            taken={save.taken}
                            was={saved !== null}
                        />
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
                        save.theirs ? (
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
                        ) : (
                            newer &&
                            !publishing && (
                                <NewerVersion name={called} base={base} head={newer} draft={store}>
                                    <Button variant="default" color="red" onClick={discard}>
                                        {guard("newerTake", { version: newer.version })}
                                    </Button>
                                </NewerVersion>
                            )
                        )
                    }
                >
                    {body}
                    {save.theirs && deciding && (
                        <ConflictDialog
                            theirs={save.theirs}
                            mine={textOf(store.getState().draft, base)}
                            onMine={save.keepMine}
                            onTheirs={() => {
                                setBase((save.theirs && baseOf(save.theirs.text)) ?? base);
                                if (!save.takeTheirs()) reload();
                            }}
                            onClose={() => setDeciding(false)}
                        />
                    )}
                    {publishing && (
                        <PublishDialog
                            store={store}
                            base={base}
                            isNew={called !== opened}
                            onMade={made}
                            onClose={() => setPublishing(false)}
                            onPublished={() => void done()}
                        />
                    )}
                    <Unsaved unsaved={unsaved} names={[]} />
                </Page>
            )}
        </Builder>
    );
}
