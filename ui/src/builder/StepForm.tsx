import { Accordion, Group, Stack, Text, TextInput, ThemeIcon } from "@mantine/core";
import { useState } from "react";
import { useWords } from "@/words";
import { changeNode, type GraphNode, renameNode } from "./graph";
import { configSchema, type NodeType } from "./handles";
import { StepIcon, toneOf } from "./icons";
import { SchemaField } from "./SchemaField";
import { useChange, useDraft } from "./store";
import { useTools } from "./types";
import type { Problem } from "./useProblems";
import { builderWords } from "./words";

/** What templates of a step can speak of. */
export function valuesFor(nodes: GraphNode[], id: string): string[] {
    const steps = nodes.filter((node) => node.id !== id && node.type !== "trigger");
    return [
        "user.first_name",
        "user.email",
        "trigger.id",
        "input.id",
        "run.subject",
        ...steps.map((node) => `steps.${node.id}.result`),
    ];
}

function NameField({ id, onRename }: { id: string; onRename: (id: string) => void }) {
    const t = useWords(builderWords);
    const draft = useDraft();
    const change = useChange();
    const [name, setName] = useState(id);
    const taken = draft.definition.nodes.some((node) => node.id === name && node.id !== id);
    const wrong = taken || !/^[A-Za-z_][\w-]{0,99}$/.test(name);
    const keep = () => {
        if (wrong || name === id) return setName(id);
        change((old) => renameNode(old, id, name));
        onRename(name);
    };
    return (
        <TextInput
            label={t("name")}
            description={t("nameHelp", { id: name })}
            value={name}
            error={wrong ? t("nameWrong") : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
            onBlur={keep}
            onKeyDown={(event) => event.key === "Enter" && keep()}
        />
    );
}

interface Props {
    node: GraphNode;
    problems: Problem[];
    onRename: (id: string) => void;
}

/** The settings of one step, from the schema that the server checks it with. */
export function StepForm({ node, problems, onRename }: Props) {
    const type = useTools().types[node.type];
    return type ? (
        <Settings type={type} node={node} problems={problems} onRename={onRename} />
    ) : null;
}

function Settings({ type, node, problems, onRename }: Props & { type: NodeType }) {
    const t = useWords(builderWords);
    const draft = useDraft();
    const change = useChange();
    const schema = configSchema(type);
    const config = node.config ?? {};
    const required = schema.required ?? [];
    const values = valuesFor(draft.definition.nodes, node.id);
    const entries = Object.entries(schema.properties ?? {});
    // What was set when the step was opened stays where it is, also when it is emptied.
    const [first] = useState(() => {
        const set = entries.filter(([key]) => required.includes(key) || config[key] !== undefined);
        return (set.length > 0 ? set : entries.slice(0, 3)).map(([key]) => key);
    });
    const shown = entries.filter(([key]) => first.includes(key));
    const rest = entries.filter(([key]) => !shown.some(([one]) => one === key));
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
            values={values}
            onChange={(value) => set(key, value)}
        />
    );
    const outer = ["timeout", "on_failure", "retry", "compensate"] as const;
    return (
        <Stack gap="sm">
            <Group gap="xs" wrap="nowrap">
                <ThemeIcon variant="light" color={toneOf(node.type)} radius="sm">
                    <StepIcon type={node.type} />
                </ThemeIcon>
                <div>
                    <Text fw={600}>{type.title}</Text>
                    <Text size="xs" c="dimmed">
                        {type.description}
                    </Text>
                </div>
            </Group>
            {problems.map((problem) => (
                <Text key={problem.text} size="xs" c="red" role="alert">
                    {problem.text}
                </Text>
            ))}
            <NameField key={node.id} id={node.id} onRename={onRename} />
            {shown.map(field)}
            <Accordion variant="separated" chevronPosition="left">
                {rest.length > 0 && (
                    <Accordion.Item value="more">
                        <Accordion.Control>{t("more")}</Accordion.Control>
                        <Accordion.Panel>
                            <Stack gap="sm">{rest.map(field)}</Stack>
                        </Accordion.Panel>
                    </Accordion.Item>
                )}
                <Accordion.Item value="failure">
                    <Accordion.Control>{t("whenItFails")}</Accordion.Control>
                    <Accordion.Panel>
                        <Stack gap="sm">
                            {outer.map((key) => (
                                <SchemaField
                                    key={key}
                                    name={key}
                                    schema={type.schema.properties?.[key] ?? {}}
                                    required={false}
                                    value={node[key]}
                                    values={[]}
                                    onChange={(value) =>
                                        change((old) => changeNode(old, node.id, { [key]: value }))
                                    }
                                />
                            ))}
                        </Stack>
                    </Accordion.Panel>
                </Accordion.Item>
            </Accordion>
        </Stack>
    );
}
