import { Select } from "@mantine/core";
import { useWords } from "@/words";
import { configSchema } from "../handles";
import { SchemaField } from "../SchemaField";
import { useSettingWords } from "../settingWords";
import { builderWords } from "../words";
import { ActionSelect, useActions } from "./ActionSelect";
import { type Row, RowsField, withPart } from "./RowsField";
import { type FormProps, SchemaForm } from "./SchemaForm";
import { kindOfTool, type ToolKind, toolKinds, withAction, withKind } from "./tool";

const own = ["tools"];

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

interface Props extends FormProps {
    config: Row;
    onChange: (config: Row) => void;
}

/** What a model is asked, and what it may do. */
export function AgentForm({ node, type, config, onChange }: Props) {
    const words = useSettingWords();
    const schema = configSchema(type).properties?.tools ?? {};
    const tools = (Array.isArray(config.tools) ? config.tools : []) as Row[];
    return (
        <>
            <SchemaForm node={node} type={type} without={own} />
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
