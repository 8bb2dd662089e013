import { Select, Stack, Switch, Text } from "@mantine/core";
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

/** The settings that this form has, so that the others are offered below. */
export const actionKeys = ["action", "params"];

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
    switch (paramKind(schema, value)) {
        case "choice":
            return (
                <Select
                    {...shared}
                    data={(schema.enum ?? []).map(String)}
                    value={value === undefined ? null : String(value)}
                    clearable={!required}
                    onChange={(chosen) =>
                        onChange((schema.enum ?? []).find((one) => String(one) === chosen))
                    }
                />
            );
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
                    value={value === undefined || value === null ? "" : String(value)}
                    onChange={(text) => onChange(text === "" ? undefined : paramOf(schema, text))}
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
