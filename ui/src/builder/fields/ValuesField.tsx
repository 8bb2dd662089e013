import { Input } from "@mantine/core";
import { useState } from "react";
import { ExactNumber, formatJson, parseExact } from "@/data/json";
import { useWords } from "@/words";
import { JsonField } from "../JsonField";
import { builderWords } from "../words";
import { KeyInput } from "./KeyInput";
import { RowsField } from "./RowsField";
import { TemplateText } from "./TemplateText";

interface Props {
    label: string;
    description?: string;
    value: unknown;
    example?: unknown;
    onChange: (value: unknown) => void;
}

const isPlain = (value: unknown) =>
    value === null ||
    value instanceof ExactNumber ||
    ["string", "number", "boolean"].includes(typeof value);

const shown = (value: unknown) =>
    typeof value === "string" || value instanceof ExactNumber
        ? String(value)
        : formatJson(value, 0);

/** 5 and true are values; everything else is text, such as 007. */
function readValue(text: string): unknown {
    if (!/^(-?(0|[1-9]\d*)(\.\d+)?|true|false|null)$/.test(text)) return text;
    return parseExact(text);
}

interface ValueProps {
    label: string;
    value: unknown;
    onChange: (value: unknown) => void;
}

function ValueText({ label, value, onChange }: ValueProps) {
    // What is typed stays: 1.0 is a number on the way to 1.05.
    const [typed, setTyped] = useState<{ text: string; of: unknown }>();
    return (
        <TemplateText
            label={label}
            value={typed && typed.of === value ? typed.text : shown(value)}
            onChange={(text) => {
                const read = readValue(text);
                setTyped({ text, of: read });
                onChange(read);
            }}
        />
    );
}

/** Values by name, a row for each; what holds more than plain values, as JSON. */
export function ValuesField({ label, description, value, example, onChange }: Props) {
    const t = useWords(builderWords);
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    if (value !== undefined && (!isMap || !Object.values(value).every(isPlain))) {
        return (
            <Input.Wrapper label={label} description={description}>
                <JsonField name={label} value={value} example={example} onChange={onChange} />
            </Input.Wrapper>
        );
    }
    const rows = Object.entries((value ?? {}) as object).map(([name, one]) => ({
        name,
        value: one,
    }));
    const write = (next: Record<string, unknown>[]) =>
        onChange(
            next.length === 0
                ? undefined
                : Object.fromEntries(next.map((row) => [String(row.name), row.value])),
        );
    const free = () => {
        for (let i = rows.length + 1; ; ++i) {
            if (!rows.some((row) => row.name === `value_${i}`)) return `value_${i}`;
        }
    };
    return (
        <RowsField
            label={label}
            {...(description ? { description } : {})}
            rows={rows}
            fresh={{ name: free(), value: "" }}
            onChange={write}
            row={(row, writeRow, index) => (
                <>
                    <KeyInput
                        label={t("valueName")}
                        value={String(row.name)}
                        taken={rows.filter((_, i) => i !== index).map((one) => one.name)}
                        onChange={(name) => writeRow({ name })}
                    />
                    <ValueText
                        label={t("value")}
                        value={row.value}
                        onChange={(next) => writeRow({ value: next })}
                    />
                </>
            )}
        />
    );
}
