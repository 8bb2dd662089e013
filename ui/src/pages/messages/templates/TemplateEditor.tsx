import { Alert, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { Page } from "@/components/Page";
import { Unsaved } from "@/components/Unsaved";
import { request } from "@/data/api";
import { useShortcuts } from "@/data/keys";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { commonWords } from "@/words/common";
import { messagesWords } from "../words";
import { type Content, fieldsOf, type Template } from "./data";
import { FieldsForm } from "./FieldsForm";
import { LanguageTabs } from "./LanguageTabs";
import { PreviewPanel } from "./PreviewPanel";
import classes from "./Template.module.css";
import { TestDialog } from "./TestDialog";
import { useDraft, userOf } from "./useDraft";

interface Props {
    name: string;
    /** 0: it is not there yet. */
    newest: number;
    shown: Template | null;
}

const parts = ["email", "text", "line", "push"];
const empty: Record<string, Content> = { en: {} };
const sample = '{"first_name": "Ann"}';

export function TemplateEditor({ name, newest, shown }: Props) {
    const t = useWords(messagesWords);
    const named = useChannelNames();
    const common = useWords(commonWords);
    const navigate = useNavigate();
    const may = useMay("workflows:write");
    const maySend = useMay("runs:write");
    const search = useSearch({ from: "/shell/messages/templates/$name" });
    const put = (change: Record<string, string | undefined>) =>
        navigate({ to: ".", search: (old) => ({ ...old, ...change }), replace: true });
    const kept = useMemo(() => shown?.languages ?? empty, [shown]);
    const [user, setUser] = useState(sample);
    const [category, setCategory] = useState(shown?.category ?? "marketing");
    const [testing, setTesting] = useState(false);
    const first = Object.keys(kept)[0] ?? "en";
    const language = search.language ?? first;
    const reader = { person: search.person ?? "", user, language };
    const draft = useDraft(name, kept, reader);
    const part = parts.includes(search.part ?? "") ? search.part! : "email";
    const old = shown !== null && shown.version < newest;
    const dirty = draft.changed || category !== (shown?.category ?? "marketing") || old;
    const unsaved = useRef(false);
    unsaved.current = may && draft.changed;
    const valid = draft.problems.length === 0 && draft.settled;
    const save = useAct({
        run: () =>
            request<{ version: number; changed: boolean }>(
                "PUT",
                `/v1/templates/${encodeURIComponent(name)}`,
                { category, languages: draft.languages },
            ),
        done: (saved) => t("savedAs", { version: saved.version }),
        changes: [["templates"]],
        onDone: () => {
            unsaved.current = false;
            draft.forget();
            void put({ version: undefined });
        },
    });
    const trySave = () => may && dirty && valid && !save.isPending && save.mutate();
    useShortcuts(t("templates"), [
        { keys: "mod+s", label: common("save"), run: trySave, typing: true },
    ]);
    return (
        <Page
            title={name}
            parents={[{ title: t("templates"), to: "/messages/templates" }]}
            aside={
                <Text size="xs" c="dimmed">
                    {newest === 0
                        ? t("notSaved")
                        : t("versionOf", { version: shown?.version ?? newest, newest })}
                </Text>
            }
            actions={
                <>
                    {newest > 1 && (
                        <Select
                            w={110}
                            aria-label={t("version")}
                            data={Array.from({ length: newest }, (_, index) =>
                                String(newest - index),
                            )}
                            value={String(shown?.version ?? newest)}
                            allowDeselect={false}
                            onChange={(value) =>
                                put({
                                    version:
                                        value === String(newest) ? undefined : (value ?? undefined),
                                })
                            }
                        />
                    )}
                    {maySend && newest > 0 && (
                        <Button
                            variant="default"
                            disabled={draft.changed}
                            onClick={() => setTesting(true)}
                        >
                            {t("test")}
                        </Button>
                    )}
                    <CopyMenu curl={`/v1/templates/${encodeURIComponent(name)}`} />
                    {may && (
                        <Button
                            disabled={!dirty || !valid}
                            loading={save.isPending}
                            onClick={trySave}
                        >
                            {common("save")}
                        </Button>
                    )}
                </>
            }
        >
            <div className={classes.split}>
                <Stack gap="sm" className={classes.side ?? ""}>
                    <Group justify="space-between" align="end">
                        <LanguageTabs
                            languages={Object.keys(draft.fields)}
                            current={language}
                            wrong={draft.problems.map((one) => one.language)}
                            onChoose={(one) => put({ language: one })}
                            onAdd={(one) => {
                                draft.set(one, draft.fields[first] ?? fieldsOf({}));
                                void put({ language: one });
                            }}
                            onDrop={(one) => {
                                draft.drop(one);
                                void put({ language: undefined });
                            }}
                            readOnly={!may}
                        />
                        <Select
                            w={150}
                            label={t("category")}
                            data={[...new Set(["marketing", "transactional", category])].map(
                                (value) => ({
                                    value,
                                    label: named(value),
                                }),
                            )}
                            value={category}
                            allowDeselect={false}
                            disabled={!may}
                            onChange={(value) => setCategory(value ?? "marketing")}
                        />
                    </Group>
                    {old && (
                        <Alert variant="light">{t("oldVersion", { version: shown.version })}</Alert>
                    )}
                    {draft.problems.length > 0 && (
                        <Alert color="red" variant="light" title={t("wrong")} role="alert">
                            {draft.problems.map((one) => (
                                <div
                                    key={`${one.language} ${one.field} ${one.message}`}
                                    className={classes.problem}
                                >
                                    <b>
                                        {one.language}
                                        {one.field && ` · ${one.field}`}
                                    </b>
                                    : {one.message === "JSON" ? t("notJson") : one.message}
                                </div>
                            ))}
                        </Alert>
                    )}
                    {draft.fields[language] && (
                        <FieldsForm
                            key={language}
                            fields={draft.fields[language]}
                            problems={draft.problems.filter((one) => one.language === language)}
                            onChange={(change) => draft.set(language, change)}
                            part={part}
                            onPart={(one) => put({ part: one === "email" ? undefined : one })}
                            readOnly={!may}
                        />
                    )}
                </Stack>
                <div className={classes.side}>
                    <PreviewPanel
                        preview={draft.preview}
                        unfilled={draft.unfilled}
                        part={part}
                        reader={reader}
                        onReader={(change) => {
                            if (change.user !== undefined) setUser(change.user);
                            if (change.person !== undefined) void put({ person: change.person });
                        }}
                        device={search.device === "desktop" ? "desktop" : "phone"}
                        onDevice={(one) => put({ device: one === "phone" ? undefined : one })}
                    />
                </div>
            </div>
            <Unsaved unsaved={() => unsaved.current} names={["version"]} />
            {testing && (
                <TestDialog
                    name={name}
                    reader={reader}
                    user={userOf(user).user}
                    onClose={() => setTesting(false)}
                />
            )}
        </Page>
    );
}
