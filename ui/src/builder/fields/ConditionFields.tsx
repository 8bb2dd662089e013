import {
    Autocomplete,
    Button,
    Group as Line,
    SegmentedControl,
    Select,
    TextInput,
} from "@mantine/core";
import { useState } from "react";
import { useWords } from "@/words";
import type { JsonSchema } from "../handles";
import { configSchema } from "../handles";
import { useSettingWords } from "../settingWords";
import { useTools } from "../types";
import { builderWords } from "../words";
import { bareOperators, type Group, type Part, textOfValue, valueOfText } from "./condition";
import { type Row, RowsField, withPart } from "./RowsField";

/** The comparisons that the server knows. */
export function useOperators(): string[] {
    const type = useTools().types.condition;
    const known = type && (configSchema(type).properties?.operator as JsonSchema | undefined);
    return (known?.enum ?? ["="]).map(String);
}

interface TestProps {
    /** Has an operator and a value. */
    test: Row;
    operators: string[];
    onChange: (test: Row) => void;
}

/** How something is compared, and with what. */
export function TestFields({ test, operators, onChange }: TestProps) {
    const t = useWords(builderWords);
    const words = useSettingWords();
    const [typed, setTyped] = useState<{ text: string; of: unknown }>();
    const operator = String(test.operator ?? "=");
    const text = typed && typed.of === test.value ? typed.text : textOfValue(test.value);
    const bare = bareOperators.has(operator);
    return (
        <Line gap={6} wrap="nowrap" align="flex-start" grow>
            <Select
                label={t("conditionOperator")}
                data={(operators.includes(operator) ? operators : [operator, ...operators]).map(
                    (value) => ({ value, label: words.choice(value) }),
                )}
                value={operator}
                allowDeselect={false}
                onChange={(next) => {
                    // A list stays a list, and one value becomes one.
                    const value = bareOperators.has(next ?? "")
                        ? undefined
                        : valueOfText(text, next ?? "=");
                    setTyped(undefined);
                    onChange(withPart(test, { operator: next, value }));
                }}
            />
            {!bare && (
                <TextInput
                    label={t("conditionValue")}
                    value={text}
                    onChange={(event) => {
                        const next = event.currentTarget.value;
                        const value = valueOfText(next, operator);
                        setTyped({ text: next, of: value });
                        onChange({ ...test, value });
                    }}
                />
            )}
        </Line>
    );
}

function QueryFields({ query, operators, onChange }: Omit<TestProps, "test"> & { query: Row }) {
    const t = useWords(builderWords);
    const line = (key: string, label: string, needed: boolean) => (
        <TextInput
            label={label}
            withAsterisk={needed}
            value={String(query[key] ?? "")}
            onChange={(event) => {
                const text = event.currentTarget.value;
                onChange(withPart(query, { [key]: text === "" && !needed ? undefined : text }));
            }}
        />
    );
    return (
        <>
            {line("table", t("conditionTable"), true)}
            {line("field", t("conditionField"), true)}
            <TestFields test={query} operators={operators} onChange={onChange} />
            {line("subject_field", t("conditionSubject"), false)}
        </>
    );
}

const freshTest: Part = { kind: "test", test: { path: "", operator: "=", value: "" } };
const freshQuery: Part = { kind: "query", query: { table: "", field: "", operator: "exists" } };

interface Props {
    label: string;
    group: Group;
    /** What can be asked for, to complete it. */
    names: string[];
    /** Tables can be asked, too. */
    tables: boolean;
    depth?: number;
    onChange: (group: Group) => void;
}

/** Parts of a condition, each of which may be a group itself. */
export function GroupFields({ label, group, names, tables, depth = 0, onChange }: Props) {
    const t = useWords(builderWords);
    const operators = useOperators();
    const { mode, parts } = group;
    const write = (next: Part[]) => onChange({ ...group, parts: next });
    const replace = (index: number, part: Part) =>
        write(parts.map((one, i) => (i === index ? part : one)));
    const more = (text: string, part: Part) => (
        <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => write([...parts, structuredClone(part)])}
        >
            {text}
        </Button>
    );
    const fields = (part: Part, index: number) => {
        if (part.kind === "group") {
            return (
                <GroupFields
                    label={t("conditionGroup")}
                    group={part.group}
                    names={names}
                    tables={tables}
                    depth={depth + 1}
                    onChange={(next) => replace(index, { kind: "group", group: next })}
                />
            );
        }
        if (part.kind === "query") {
            return (
                <QueryFields
                    query={part.query}
                    operators={operators}
                    onChange={(query) => replace(index, { kind: "query", query })}
                />
            );
        }
        const { test } = part;
        return (
            <>
                <Autocomplete
                    label={t("conditionPath")}
                    placeholder={names[0] ?? "user.tier"}
                    data={names}
                    limit={20}
                    value={String(test.path ?? test.field ?? "")}
                    onChange={(path) =>
                        replace(index, {
                            kind: "test",
                            test: withPart({ path, ...test }, { path, field: undefined }),
                        })
                    }
                />
                <TestFields
                    test={test}
                    operators={operators}
                    onChange={(next) => replace(index, { kind: "test", test: next })}
                />
            </>
        );
    };
    return (
        <>
            {(parts.length > 1 || mode === "none" || depth > 0) && (
                <SegmentedControl
                    size="xs"
                    aria-label={t("conditionMode")}
                    data={[
                        { value: "all", label: t("conditionAll") },
                        { value: "any", label: t("conditionAny") },
                        { value: "none", label: t("conditionNone") },
                    ]}
                    value={mode}
                    onChange={(next) => onChange({ ...group, mode: next as Group["mode"] })}
                />
            )}
            <RowsField
                label={label}
                rows={parts as unknown as Row[]}
                fresh={freshTest as unknown as Row}
                atLeast={1}
                onChange={(rows) => write(rows as unknown as Part[])}
                row={(row, _, index) => fields(row as unknown as Part, index)}
                below={
                    <>
                        {depth < 3 &&
                            more(t("conditionAddGroup"), {
                                kind: "group",
                                group: { mode: "any", parts: [freshTest] },
                            })}
                        {tables && more(t("conditionAddTable"), freshQuery)}
                    </>
                }
            />
        </>
    );
}
