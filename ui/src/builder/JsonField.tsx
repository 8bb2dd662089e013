import { Text } from "@mantine/core";
import { useState } from "react";
import { CodeEditor } from "@/components/editor/CodeEditor";
import { formatJson, parseExact } from "@/data/json";
import { useWords } from "@/words";
import { useReport } from "./broken";
import { builderWords } from "./words";

interface Props {
    name: string;
    value: unknown;
    example?: unknown;
    onChange: (value: unknown) => void;
}

const textOf = (value: unknown) => (value === undefined ? "" : formatJson(value));

/** A value that has no form of its own, as JSON. What is half written changes nothing. */
export function JsonField({ name, value, example, onChange }: Props) {
    const t = useWords(builderWords);
    const [typed, setTyped] = useState<{ text: string; of: unknown }>();
    const [wrong, setWrong] = useState(false);
    useReport(wrong);
    // The text as it is typed stays, unless the value was changed elsewhere.
    const text = typed && typed.of === value ? typed.text : textOf(value);
    const write = (next: string) => {
        if (next === text) return;
        if (next.trim() === "") {
            setWrong(false);
            setTyped({ text: next, of: undefined });
            onChange(undefined);
            return;
        }
        try {
            const read = parseExact(next);
            setWrong(false);
            setTyped({ text: next, of: read });
            onChange(read);
        } catch {
            setWrong(true);
            setTyped({ text: next, of: value });
        }
    };
    return (
        <>
            <CodeEditor
                language="json"
                label={name}
                value={text}
                minHeight={64}
                maxHeight={260}
                onChange={write}
            />
            {wrong && (
                <Text size="xs" c="red" role="alert">
                    {t("jsonWrong")}
                </Text>
            )}
            {value === undefined && !wrong && example !== undefined && (
                <Text size="xs" c="dimmed" className="mono truncate">
                    {formatJson(example).replace(/\s+/g, " ")}
                </Text>
            )}
        </>
    );
}
