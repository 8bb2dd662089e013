import { Autocomplete, Group, SegmentedControl, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useWords } from "@/words";
import type { JsonSchema } from "../handles";
import { JsonField } from "../JsonField";
import { builderWords } from "../words";
import { bareOperators, conditionOf, rowsOf, textOfValue, valueOfText } from "./condition";
import { type Row, RowsField } from "./RowsField";
import { useSample } from "./sample";

interface ValueProps {
    operator: string;
    value: unknown;
    onChange: (value: unknown) => void;
}

function ValueInput({ operator, value, onChange }: ValueProps) {
    const t = useWords(builderWords);
    const [typed, setTyped] = useState<{ text: string; of: unknown }>();
    const text = typed && typed.of === value ? typed.text : textOfValue(value);
    return (
        <TextInput
            label={t("conditionValue")}
            value={text}
            onChange={(event) => {
                const next = event.currentTarget.value;
                const read = valueOfText(next, operator);
                setTyped({ text: next, of: read });
                onChange(read);
            }}
        />
    );
}

interface Props {
    config: Row;
    schema: JsonSchema;
    /** Replaces the whole condition. */
    onChange: (config: Row) => void;
}

/** A condition as rows: what, how, with which value; or a question to a table. */
export function ConditionForm({ config, schema, onChange }: Props) {
    const t = useWords(builderWords);
    const { names } = useSample();
    const operators = ((schema.properties?.operator as JsonSchema)?.enum ?? []).map(String);
    const asks = config.query !== undefined;
    const read = rowsOf(config);
    const mode = asks ? "query" : read ? "rows" : "json";
    const query = (config.query ?? {}) as Row;
    const pickMode = (next: string) => {
        if (next === "query") onChange({ query: { table: "", field: "", operator: "exists" } });
        if (next === "rows") onChange({ path: "", operator: "=", value: "" });
    };
    return (
        <Stack gap="sm">
            <SegmentedControl
                fullWidth
                aria-label={t("conditionKind")}
                data={[
                    { value: "rows", label: t("conditionRows") },
                    { value: "query", label: t("conditionQuery") },
                    ...(mode === "json" ? [{ value: "json", label: "JSON" }] : []),
                ]}
                value={mode}
                onChange={pickMode}
            />
            {mode === "query" &&
                (["table", "field"] as const).map((key) => (
                    <TextInput
                        key={key}
                        label={t(key === "table" ? "conditionTable" : "conditionField")}
                        description={
                            (schema.properties?.query as JsonSchema)?.properties?.[key]
                                ?.description ?? ""
                        }
                        withAsterisk
                        value={String(query[key] ?? "")}
                        onChange={(event) =>
                            onChange({ query: { ...query, [key]: event.currentTarget.value } })
                        }
                    />
                ))}
            {mode === "query" && (
                <Group gap={6} wrap="nowrap" align="flex-end" grow>
                    <Select
                        label={t("conditionOperator")}
                        data={operators}
                        value={String(query.operator ?? "=")}
                        allowDeselect={false}
                        onChange={(operator) => onChange({ query: { ...query, operator } })}
                    />
                    {!bareOperators.has(String(query.operator)) && (
                        <ValueInput
                            operator={String(query.operator ?? "=")}
                            value={query.value}
                            onChange={(value) => onChange({ query: { ...query, value } })}
                        />
                    )}
                </Group>
            )}
            {mode === "json" && (
                <JsonField
                    name={t("conditionKind")}
                    value={config}
                    onChange={(value) => onChange((value ?? {}) as Row)}
                />
            )}
            {read && mode === "rows" && (
                <>
                    {read.rows.length > 1 && (
                        <SegmentedControl
                            aria-label={t("conditionMode")}
                            data={[
                                { value: "all", label: t("conditionAll") },
                                { value: "any", label: t("conditionAny") },
                            ]}
                            value={read.mode}
                            onChange={(next) =>
                                onChange(conditionOf({ ...read, mode: next as "all" | "any" }))
                            }
                        />
                    )}
                    <RowsField
                        label={t("conditionHolds")}
                        rows={read.rows}
                        fresh={{ path: "", operator: "=", value: "" }}
                        atLeast={1}
                        onChange={(rows) => onChange(conditionOf({ ...read, rows }))}
                        row={(row, write) => (
                            <>
                                <Autocomplete
                                    label={t("conditionPath")}
                                    placeholder="user.tier"
                                    data={names}
                                    limit={20}
                                    value={String(row.path ?? row.field ?? "")}
                                    onChange={(path) => write({ path, field: undefined })}
                                />
                                <Group gap={6} wrap="nowrap" grow>
                                    <Select
                                        label={t("conditionOperator")}
                                        data={operators}
                                        value={String(row.operator ?? "=")}
                                        allowDeselect={false}
                                        onChange={(operator) =>
                                            write({
                                                operator,
                                                ...(bareOperators.has(operator ?? "")
                                                    ? { value: undefined }
                                                    : {}),
                                            })
                                        }
                                    />
                                    {!bareOperators.has(String(row.operator)) && (
                                        <ValueInput
                                            operator={String(row.operator ?? "=")}
                                            value={row.value}
                                            onChange={(value) => write({ value })}
                                        />
                                    )}
                                </Group>
                            </>
                        )}
                    />
                </>
            )}
        </Stack>
    );
}
