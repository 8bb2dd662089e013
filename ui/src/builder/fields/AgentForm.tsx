import { Select } from "@mantine/core";
import { useWords } from "@/words";
import { configSchema, type JsonSchema } from "../handles";
import { SchemaField } from "../SchemaField";
import { useSettingWords } from "../settingWords";
import { builderWords } from "../words";
import { ActionSelect, useActions } from "./ActionSelect";
import { HandleInput } from "./HandleInput";
import { type Row, RowsField, withPart } from "./RowsField";
import { type FormProps, SchemaForm } from "./SchemaForm";
import { kindOfTool, type ToolKind, toolKinds, withAction, withKind } from "./tool";

const own = ["tools", "decide"];

interface ToolProps {
    tool: Row;
    schema: NonNullable<FormProps["type"]["schema"]>;
    onChange: (tool: Row) => void;
}

/** One thing that the model may do: an action that is registered, a request or a query. */
function Tool({ tool, schema, onChange }: ToolProps) {
    const t = useWords(builderWords);
    const { actions } = useActions();
    const kind = kindOfTool(tool);
    const field = (key: string) => (
        <SchemaField
            key={`${kind} ${key}`}
            name={key}
            schema={schema.properties?.[key] ?? {}}
            required={schema.required?.includes(key) ?? false}
            value={tool[key]}
            onChange={(value) => onChange(withPart(tool, { [key]: value }))}
        />
    );
    return (
        <>
            <Select
                label={t("toolKind")}
                data={toolKinds.map((value) => ({ value, label: t(`tool_${value}`) }))}
                value={kind}
                allowDeselect={false}
                onChange={(next) => onChange(withKind(tool, next as ToolKind))}
            />
            {kind === "action" ? (
                <ActionSelect
                    name={typeof tool.action === "string" ? tool.action : ""}
                    onChange={(name) => onChange(withAction(tool, name, actions))}
                />
            ) : (
                field(kind)
            )}
            {["description", "name", "parameters"].map(field)}
        </>
    );
}

interface DecisionsProps {
    config: Row;
    schema: JsonSchema;
    onChange: (config: Row) => void;
}

/** What the model chooses from: each is a way out, whose edges follow when it gets another name. */
function Decisions({ config, schema, onChange }: DecisionsProps) {
    const t = useWords(builderWords);
    const words = useSettingWords();
    const names = Array.isArray(config.decide) ? config.decide.map(String) : [];
    const free = () => {
        for (let i = names.length + 1; ; ++i) {
            if (!names.includes(`decision_${i}`)) return `decision_${i}`;
        }
    };
    return (
        <RowsField
            label={words.label("decide")}
            description={words.sentence(schema.description) ?? ""}
            rows={names.map((name) => ({ name }))}
            fresh={{ name: free() }}
            onChange={(rows) => {
                const decide = rows.map((row) => row.name);
                onChange(withPart(config, { decide: decide.length === 0 ? undefined : decide }));
            }}
            row={(row, write, index) => (
                <HandleInput
                    label={t("wayOut")}
                    value={String(row.name)}
                    needed
                    taken={names.filter((_, other) => other !== index)}
                    onChange={(name) => write({ name })}
                />
            )}
        />
    );
}

interface Props extends FormProps {
    config: Row;
    onChange: (config: Row) => void;
}

/** What a model is asked, and what it may do. */
export function AgentForm({ node, type, config, onChange }: Props) {
    const words = useSettingWords();
    const { tools: schema = {}, decide = {} } = configSchema(type).properties ?? {};
    const tools = (Array.isArray(config.tools) ? config.tools : []) as Row[];
    return (
        <>
            <SchemaForm node={node} type={type} without={own} />
            <Decisions config={config} schema={decide} onChange={onChange} />
            <RowsField
                label={words.label("tools")}
                description={words.sentence(schema.description) ?? ""}
                rows={tools}
                fresh={{ action: "", description: "" }}
                onChange={(rows) =>
                    onChange(withPart(config, { tools: rows.length === 0 ? undefined : rows }))
                }
                row={(row, write) => (
                    <Tool
                        tool={row}
                        schema={schema.items ?? {}}
                        onChange={(next) => {
                            const gone = Object.keys(row).map((key) => [key, undefined]);
                            write({ ...Object.fromEntries(gone), ...next });
                        }}
                    />
                )}
            />
        </>
    );
}
