import { SegmentedControl, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { CodeEditor } from "@/components/editor/CodeEditor";
import { api, call } from "@/data/api";
import { formatJson, parseExact } from "@/data/json";
import { useWords } from "@/words";
import classes from "../Builder.module.css";
import type { Definition, Draft } from "../graph";
import { draftOf } from "../layout";
import { useChange, useDraft } from "../store";
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
export function TextPanel({ form, onForm }: Props) {
    const t = useWords(builderWords);
    const draft = useDraft();
    const change = useChange();
    const [typed, setTyped] = useState<{ text: string; of: Definition; form: TextForm }>();
    const [wrong, setWrong] = useState("");
    const { definition, source } = draft;
    const written = useMemo(
        () => (form === "yaml" ? writeYaml(definition, source) : formatJson(definition)),
        [form, definition, source],
    );
    const kept = typed && typed.of === definition && typed.form === form;
    const text = kept ? typed.text : written;
    const adopt = (next: string, read: Definition) => {
        setWrong("");
        change((old: Draft) => {
            const made = draftOf(read, { nodes: old.positions, notes: old.notes });
            const source = form === "yaml" ? next : old.source;
            setTyped({ text: next, of: made.definition, form });
            return source === undefined ? made : { ...made, source };
        });
    };
    const refuse = (next: string, error: unknown) => {
        setWrong(error instanceof Error ? error.message : String(error));
        setTyped({ text: next, of: definition, form });
    };
    const write = (next: string) => {
        if (next === text) return;
        try {
            const read = form === "yaml" ? readYaml(next) : parseExact(next);
            const known = readDefinition(read);
            if (known) return adopt(next, known);
            setTyped({ text: next, of: definition, form });
            inFull(read).then(
                (full) => adopt(next, full),
                (error) => refuse(next, error),
            );
        } catch (error) {
            refuse(next, error);
        }
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
                    onChange={(value) => onForm(value as TextForm)}
                />
                <Text size="xs" c={wrong ? "red" : "dimmed"} role="status">
                    {wrong ? t("textWrong", { why: wrong }) : t("textHelp")}
                </Text>
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
