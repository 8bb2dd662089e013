import {
    ActionIcon,
    Input,
    Menu,
    NumberInput,
    Select,
    Switch,
    Textarea,
    TextInput,
} from "@mantine/core";
import { IconBraces } from "@tabler/icons-react";
import { useWords } from "@/words";
import type { JsonSchema } from "./handles";
import { JsonField } from "./JsonField";
import { builderWords } from "./words";

interface Props {
    name: string;
    schema: JsonSchema;
    required: boolean;
    value: unknown;
    /** undefined: it is not set. */
    onChange: (value: unknown) => void;
    /** What templates can say here. */
    values: string[];
}

const long = new Set(["text", "html", "description", "instructions", "statement", "jq", "reason"]);

const label = (name: string) => {
    const words = name.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
};

function kindOf(schema: JsonSchema, value: unknown) {
    if (schema.enum) return "choice";
    const types = schema.anyOf?.flatMap((one) => one.type ?? []) ?? [schema.type ?? []].flat();
    if (typeof value === "object" && value !== null) return "json";
    if (types.includes("boolean") && types.length === 1) return "switch";
    if (types.length === 1 && (types[0] === "integer" || types[0] === "number")) return "number";
    if (types.includes("string")) return "text";
    const [example] = schema.examples ?? [];
    // Anything is allowed: most people write what the example shows.
    if (types.length === 0 && (typeof example === "string" || typeof value === "string"))
        return "text";
    return "json";
}

/** One setting, edited as what its schema says it is. */
export function SchemaField({ name, schema, required, value, onChange, values }: Props) {
    const t = useWords(builderWords);
    const example = schema.examples?.[0];
    const hint = typeof example === "string" || typeof example === "number" ? String(example) : "";
    const shared = {
        label: label(name),
        description: schema.description ?? "",
        withAsterisk: required,
    };
    const kind = kindOf(schema, value);
    if (kind === "choice") {
        return (
            <Select
                {...shared}
                data={(schema.enum ?? []).map(String)}
                value={value === undefined ? null : String(value)}
                placeholder={schema.default === undefined ? t("unset") : String(schema.default)}
                clearable={!required}
                searchable={(schema.enum ?? []).length > 8}
                onChange={(chosen) => onChange(chosen ?? undefined)}
            />
        );
    }
    if (kind === "switch") {
        const standard = schema.default === true;
        return (
            <Switch
                label={shared.label}
                description={shared.description}
                checked={value === undefined ? standard : value === true}
                onChange={(event) => {
                    const on = event.currentTarget.checked;
                    onChange(on === standard ? undefined : on);
                }}
            />
        );
    }
    if (kind === "number") {
        return (
            <NumberInput
                {...shared}
                {...(schema.minimum === undefined ? {} : { min: schema.minimum })}
                {...(schema.maximum === undefined ? {} : { max: schema.maximum })}
                value={typeof value === "number" ? value : ""}
                placeholder={hint}
                onChange={(number) => onChange(number === "" ? undefined : Number(number))}
            />
        );
    }
    if (kind === "text") {
        const insert = (
            <Menu position="bottom-end" withinPortal>
                <Menu.Target>
                    <ActionIcon variant="subtle" size="sm" aria-label={t("insert")}>
                        <IconBraces size={14} />
                    </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown mah={300} style={{ overflowY: "auto" }}>
                    {values.map((one) => (
                        <Menu.Item
                            key={one}
                            className="mono"
                            onClick={() => onChange(`${value ?? ""}{{ ${one} }}`)}
                        >
                            {one}
                        </Menu.Item>
                    ))}
                </Menu.Dropdown>
            </Menu>
        );
        const text = {
            ...shared,
            value: value === undefined || value === null ? "" : String(value),
            placeholder: hint,
            ...(values.length > 0 ? { rightSection: insert } : {}),
            onChange: (event: { currentTarget: { value: string } }) => {
                const typed = event.currentTarget.value;
                onChange(typed === "" && !required ? undefined : typed);
            },
        };
        if (long.has(name)) return <Textarea {...text} autosize minRows={2} maxRows={14} />;
        return <TextInput {...text} />;
    }
    return (
        <Input.Wrapper {...shared}>
            <JsonField name={shared.label} value={value} example={example} onChange={onChange} />
        </Input.Wrapper>
    );
}
