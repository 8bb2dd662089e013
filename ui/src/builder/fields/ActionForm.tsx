import { Select, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { request } from "@/data/api";
import { useWords } from "@/words";
import type { JsonSchema } from "../handles";
import { builderWords } from "../words";
import { type Action, paramKind, paramOf, paramsOf, rangeOf } from "./action";
import { labelOf } from "./kinds";
import { type Row, withPart } from "./RowsField";
import { TemplateText } from "./TemplateText";
import { ValuesField } from "./ValuesField";

function useActions() {
    return useQuery({
        queryKey: ["actions"],
        retry: false,
        queryFn: () => request<{ data: Action[] }>("GET", "/v1/actions"),
    });
}

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
    const t = useWords(builderWords);
    const { data, isSuccess } = useActions();
    const actions = data?.data ?? [];
    const name = typeof config.action === "string" ? config.action : "";
    const action = actions.find((one) => one.name === name);
    const params = (config.params ?? {}) as Row;
    const fields = action ? paramsOf(action) : [];
    const write = (part: Row) => onChange(withPart(config, part));
    const keep = (next: Row) =>
        write({ params: Object.keys(next).length === 0 ? undefined : next });
    const pick = (next: string | null) => {
        const chosen = actions.find((one) => one.name === next);
        const takes = chosen ? paramsOf(chosen).map(([key]) => key) : [];
        const left = Object.entries(params).filter(([key]) => takes.includes(key));
        write({
            action: next ?? "",
            params: left.length === 0 ? undefined : Object.fromEntries(left),
        });
    };
    const unknown = isSuccess && name !== "" && !action;
    const foreign = Object.keys(params).filter((key) => !fields.some(([one]) => one === key));
    return (
        <Stack gap="sm">
            <Select
                label={labelOf("action")}
                description={t("actionHelp")}
                withAsterisk
                searchable
                nothingFoundMessage={t("actionNone")}
                data={[...actions.map((one) => one.name), ...(name && !action ? [name] : [])]}
                value={name || null}
                error={unknown ? t("actionUnknown", { name }) : undefined}
                allowDeselect={false}
                onChange={pick}
            />
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
                    label={labelOf("params")}
                    value={config.params}
                    onChange={(value) => write({ params: value })}
                />
            )}
        </Stack>
    );
}
