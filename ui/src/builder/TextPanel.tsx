import { Text } from "@mantine/core";
import { useState } from "react";
import { CodeEditor } from "@/components/editor/CodeEditor";
import { formatJson, parseExact } from "@/data/json";
import { useWords } from "@/words";
import classes from "./Builder.module.css";
import type { Definition, Draft } from "./graph";
import { draftOf } from "./layout";
import { useChange, useDraft } from "./store";
import { builderWords } from "./words";

function readDefinition(text: string): Definition {
    const read = parseExact(text) as Definition;
    if (typeof read !== "object" || read === null || Array.isArray(read)) throw new Error("{ }");
    if (!Array.isArray(read.nodes)) throw new Error("nodes: [ ]");
    if (read.nodes.some((node) => typeof node?.id !== "string")) throw new Error("nodes: id");
    return { ...read, edges: Array.isArray(read.edges) ? read.edges : [] };
}

/** The workflow as text beside the graph; a change of one is a change of the other. */
export function TextPanel() {
    const t = useWords(builderWords);
    const draft = useDraft();
    const change = useChange();
    const [typed, setTyped] = useState<{ text: string; of: Definition }>();
    const [wrong, setWrong] = useState("");
    const text = typed && typed.of === draft.definition ? typed.text : formatJson(draft.definition);
    const write = (next: string) => {
        if (next === text) return;
        try {
            const definition = readDefinition(next);
            setWrong("");
            change((old: Draft) => {
                const made = draftOf(definition, { nodes: old.positions, notes: old.notes });
                setTyped({ text: next, of: made.definition });
                return made;
            });
        } catch (error) {
            setWrong(error instanceof Error ? error.message : String(error));
            setTyped({ text: next, of: draft.definition });
        }
    };
    return (
        <div className={classes.text}>
            <Text size="xs" c={wrong ? "red" : "dimmed"} px="sm" py={6} role="status">
                {wrong ? t("textWrong", { why: wrong }) : t("textHelp")}
            </Text>
            <CodeEditor
                language="json"
                label={t("text")}
                value={text}
                minHeight={400}
                maxHeight={2000}
                onChange={write}
            />
        </div>
    );
}
