import { Accordion, Stack } from "@mantine/core";
import { useState } from "react";
import { useWords } from "@/words";
import type { GraphNode } from "../graph";
import { configSchema, type NodeType } from "../handles";
import { SchemaField } from "../SchemaField";
import { useChange } from "../store";
import { changeNode } from "../ways";
import { builderWords } from "../words";

export interface FormProps {
    node: GraphNode;
    type: NodeType;
}

/** Settings by the schema: what is set or needed first, the rest on demand. */
export function SchemaForm({ node, type, without = [] }: FormProps & { without?: string[] }) {
    const t = useWords(builderWords);
    const change = useChange();
    const schema = configSchema(type);
    const config = node.config ?? {};
    const required = schema.required ?? [];
    const entries = Object.entries(schema.properties ?? {}).filter(
        ([key]) => !without.includes(key),
    );
    // What was set when the step was opened stays where it is, also when it is emptied.
    const [first] = useState(() => {
        const set = entries.filter(([key]) => required.includes(key) || config[key] !== undefined);
        const few = without.length > 0 ? [] : entries.slice(0, 3);
        return (set.length > 0 ? set : few).map(([key]) => key);
    });
    const shown = entries.filter(([key]) => first.includes(key));
    const rest = entries.filter(([key]) => !first.includes(key));
    const set = (key: string, value: unknown) =>
        change((old) => {
            const next = { ...(old.definition.nodes.find((n) => n.id === node.id)?.config ?? {}) };
            if (value === undefined) delete next[key];
            else next[key] = value;
            return changeNode(old, node.id, { config: next });
        });
    const field = ([key, one]: (typeof entries)[number]) => (
        <SchemaField
            key={key}
            name={key}
            schema={one}
            required={required.includes(key)}
            value={config[key]}
            onChange={(value) => set(key, value)}
        />
    );
    return (
        <>
            {shown.map(field)}
            {rest.length > 0 && (
                <Accordion variant="separated" chevronPosition="left">
                    <Accordion.Item value="more">
                        <Accordion.Control fz="xs" py={0}>
                            {t("more")}
                        </Accordion.Control>
                        <Accordion.Panel>
                            <Stack gap="sm">{rest.map(field)}</Stack>
                        </Accordion.Panel>
                    </Accordion.Item>
                </Accordion>
            )}
        </>
    );
}
