import { Select, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { ExactNumber, formatJson } from "@/data/json";
import { useWords } from "@/words";
import type { JsonSchema } from "../handles";
import { useSettingWords } from "../settingWords";
import { builderWords } from "../words";
import { ActionSelect, useActions } from "./ActionSelect";
import { paramKind, paramOf, paramsOf, rangeOf } from "./action";
import { labelOf } from "./kinds";
import { type Row, withPart } from "./RowsField";
import { TemplateText } from "./TemplateText";
import { ValuesField } from "./ValuesField";
import { choiceOf, choicesOf } from "./values";

/** The settings that this form has, so that the others are offered below. */
export const actionKeys = ["action", "params"];

/** Lists and objects as JSON: as text they would say nothing. */
const textOf = (value: unknown) => {
    if (value === undefined || value === null) return "";
    const isOwn = typeof value === "object" && !(value instanceof ExactNumber);
    return isOwn ? formatJson(value, 0) : String(value);
};

interface ParamProps {
    name: string;
    schema: JsonSchema;
    required: boolean;
    value: unknown;
    onChange: (value: unknown) => void;
}

function Param({ name, schema, required, value, onChange }: ParamProps) {
    const shared = {
        label: schema.title ?? labelOf(name),
        description: [schema.description, rangeOf(schema)].filter(Boolean).join(" · "),
        withAsterisk: required,
    };
    // What is typed stays: 0.10 is a number on the way to 0.105, and -0 one on the way to -0.5.
    const [typed, setTyped] = useState<{ text: string; of: unknown }>();
    switch (paramKind(schema, value)) {
        case "choice": {
            const choices = choicesOf(schema.enum ?? []);
            return (
                <Select
                    {...shared}
                    data={[...choices.keys()]}
                    value={choiceOf(choices, value)}
                    clearable={!required}
                    onChange={(chosen) =>
                        onChange(chosen === null ? undefined : choices.get(chosen))
                    }
                />
            );
        }
        case "switch":
            return (
                <Switch
                    label={shared.label}
                    description={shared.description}
                    checked={value === true}
                    onChange={(event) => onChange(event.currentTarget.checked)}
                />
            );
        default:
            return (
                <TemplateText
                    {...shared}
                    value={typed && typed.of === value ? typed.text : textOf(value)}
                    onChange={(text) => {
                        const of = text === "" ? undefined : paramOf(schema, text);
                        setTyped({ text, of });
                        onChange(of);
                    }}
                />
            );
    }
}

interface Props {
    config: Row;
    onChange: (config: Row) => void;
}

/** An action that is registered in the database, with a field for each of its params. */
export function ActionForm({ config, onChange }: Props) {
    const words = useSettingWords();
    const t = useWords(builderWords);
    const { actions } = useActions();
    const name = typeof config.action === "string" ? config.action : "";
    const action = actions.find((one) => one.name === name);
    const params = (config.params ?? {}) as Row;
    const fields = action ? paramsOf(action) : [];
    const write = (part: Row) => onChange(withPart(config, part));
    const keep = (next: Row) =>
        write({ params: Object.keys(next).length === 0 ? undefined : next });
    const pick = (next: string) => {
        const chosen = actions.find((one) => one.name === next);
        const takes = chosen ? paramsOf(chosen).map(([key]) => key) : [];
        const left = Object.entries(params).filter(([key]) => takes.includes(key));
        write({
            action: next,
            params: left.length === 0 ? undefined : Object.fromEntries(left),
        });
    };
    const foreign = Object.keys(params).filter((key) => !fields.some(([one]) => one === key));
    return (
        <Stack gap="sm">
            <ActionSelect name={name} onChange={pick} />
            {fields.map(([key, schema]) => (
                <Param
                    key={key}
                    name={key}
                    schema={schema}
                    required
                    value={params[key]}
                    onChange={(value) => keep(withPart(params, { [key]: value }))}
                />
            ))}
            {action && fields.length === 0 && (
                <Text size="xs" c="dimmed">
                    {t("actionNoParams")}
                </Text>
            )}
            {(!action || foreign.length > 0) && config.params !== undefined && (
                <ValuesField
                    label={words.label("params")}
                    value={config.params}
                    onChange={(value) => write({ params: value })}
                />
            )}
        </Stack>
    );
}
