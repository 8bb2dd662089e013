import { Button, SegmentedControl, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { CodeEditor } from "@/components/editor/CodeEditor";
import { api, call } from "@/data/api";
import { formatJson, parseExact } from "@/data/json";
import { useWords } from "@/words";
import classes from "../Builder.module.css";
import type { Definition, Draft } from "../graph";
import { guardWords } from "../guard/words";
import { draftOf } from "../layout";
import { type Unread, useBuilder, useChange, useDraft, useUnread } from "../store";
import { builderWords } from "../words";
import { readDefinition } from "./definition";
import { readYaml, writeYaml } from "./yaml";

export type TextForm = "yaml" | "json";

interface Props {
    form: TextForm;
    onForm: (form: TextForm) => void;
}

/** What people may write in short (steps, wait: 1h) as nodes with types, by the server. */
async function inFull(read: unknown): Promise<Definition> {
    const verdict = await call(api.POST("/v1/workflows/validate", { body: read as never }));
    const { definition, errors } = verdict as {
        definition: Definition | null;
        errors: { detail: string }[];
    };
    if (!definition) throw new Error(errors[0]?.detail ?? "");
    return definition;
}

/** The workflow as text beside the graph; a change of one is a change of the other. */
export function TextPanel({ form: asked, onForm }: Props) {
    const t = useWords(builderWords);
    const guard = useWords(guardWords);
    const store = useBuilder();
    const draft = useDraft();
    const change = useChange();
    // A text that cannot be read stays until it can be, or is given up: also while it is not shown.
    const unread = useUnread();
    const setUnread = (next: Unread | undefined) => store.setState({ unread: next });
    const form = unread?.form ?? asked;
    const wrong = unread?.why ?? "";
    const [typed, setTyped] = useState<{ text: string; of: Definition; form: TextForm }>();
    const { definition, source } = draft;
    const written = useMemo(
        () => (form === "yaml" ? writeYaml(definition, source) : formatJson(definition)),
        [form, definition, source],
    );
    const kept = typed && typed.of === definition && typed.form === form;
    const text = unread?.text ?? (kept ? typed.text : written);
    const adopt = (next: string, read: Definition) => {
        setUnread(undefined);
        change((old: Draft) => {
            const made = draftOf(read, { nodes: old.positions, notes: old.notes });
            const source = form === "yaml" ? next : old.source;
            setTyped({ text: next, of: made.definition, form });
            return source === undefined ? made : { ...made, source };
        });
    };
    const refuse = (next: string, error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        setUnread({ text: next, form, why: why || "?" });
    };
    const write = (next: string) => {
        if (next === text) return;
        try {
            const read = form === "yaml" ? readYaml(next) : parseExact(next);
            const known = readDefinition(read);
            if (known) return adopt(next, known);
            const mine: Unread = { text: next, form, why: "" };
            setUnread(mine);
            // What was typed meanwhile is read by itself.
            const isLast = () => store.getState().unread === mine;
            inFull(read).then(
                (full) => isLast() && adopt(next, full),
                (error) => isLast() && refuse(next, error),
            );
        } catch (error) {
            refuse(next, error);
        }
    };
    const giveUp = () => {
        setTyped(undefined);
        setUnread(undefined);
    };
    return (
        <div className={classes.text}>
            <div className={classes.textHead}>
                <SegmentedControl
                    size="xs"
                    aria-label={t("textForm")}
                    data={[
                        { value: "yaml", label: "YAML" },
                        { value: "json", label: "JSON" },
                    ]}
                    value={form}
                    disabled={unread !== undefined}
                    onChange={(value) => onForm(value as TextForm)}
                />
                <Text size="xs" c={wrong ? "red" : "dimmed"} role="status">
                    {wrong ? t("textWrong", { why: wrong }) : t("textHelp")}
                </Text>
                {wrong && (
                    <Button size="compact-xs" variant="default" onClick={giveUp}>
                        {guard("dropText")}
                    </Button>
                )}
            </div>
            <CodeEditor
                key={form}
                language={form}
                label={t("text")}
                value={text}
                minHeight={400}
                maxHeight={4000}
                onChange={write}
            />
        </div>
    );
}
