import { Accordion, Group, Select, Stack, Text, TextInput, ThemeIcon } from "@mantine/core";
import { useState } from "react";
import { useWords } from "@/words";
import { ActionForm, actionKeys } from "./fields/ActionForm";
import { AgentForm } from "./fields/AgentForm";
import { ConditionForm } from "./fields/ConditionForm";
import { MessageForm, messageKeys } from "./fields/MessageForm";
import type { Row } from "./fields/RowsField";
import { type FormProps, SchemaForm } from "./fields/SchemaForm";
import { SplitForm } from "./fields/SplitForm";
import { StartForm } from "./fields/StartForm";
import { SwitchForm } from "./fields/SwitchForm";
import { SampleContext } from "./fields/sample";
import { useSampled } from "./fields/useSampled";
import { WaitForm } from "./fields/WaitForm";
import { type GraphNode, renameNode } from "./graph";
import { configSchema } from "./handles";
import { StepIcon, toneOf } from "./icons";
import { OffSwitch } from "./OffSwitch";
import type { Problem } from "./problems";
import { useProblemText } from "./problemText";
import { SchemaField } from "./SchemaField";
import { useChange, useDraft } from "./store";
import type { SampleValues } from "./trial/useTrial";
import { useTools } from "./types";
import { focusCanvas } from "./useEditing";
import { changeNode } from "./ways";
import { builderWords } from "./words";

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
            data-field="name"
            value={name}
            error={wrong ? t("nameWrong") : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
            onBlur={keep}
            onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                keep();
                focusCanvas();
            }}
        />
    );
}

/** The settings of a step: forms of their own for what most people use, the schema for the rest. */
function Settings({ node, type }: FormProps) {
    const change = useChange();
    const config = (node.config ?? {}) as Row;
    const replace = (next: Row) => change((old) => changeNode(old, node.id, { config: next }));
    switch (node.type) {
        case "message":
            return (
                <>
                    <MessageForm config={config} onChange={replace} />
                    <SchemaForm node={node} type={type} without={messageKeys} />
                </>
            );
        case "action":
            return (
                <>
                    <ActionForm config={config} onChange={replace} />
                    <SchemaForm node={node} type={type} without={actionKeys} />
                </>
            );
        case "agent":
            return <AgentForm node={node} type={type} config={config} onChange={replace} />;
        case "wait":
            return <WaitForm config={config} onChange={replace} />;
        case "condition":
            return <ConditionForm config={config} onChange={replace} />;
        case "split":
            return <SplitForm config={config} write={(part) => replace({ ...config, ...part })} />;
        case "switch":
            return <SwitchForm node={node} type={type} config={config} onChange={replace} />;
        case "trigger":
            return (
                <>
                    <SchemaForm node={node} type={type} />
                    <StartForm />
                </>
            );
        default:
            return <SchemaForm node={node} type={type} />;
    }
}

const outer = ["timeout", "on_failure", "retry"] as const;

/** Whether a limit of time stands beside the settings of a step: some take none, some have one inside. */
function takesTimeout({ node, type }: FormProps): boolean {
    if (node.timeout !== undefined) return true;
    const inside = configSchema(type).properties ?? {};
    return type.schema.properties?.timeout !== undefined && !inside.timeout && !inside.due;
}

function WhenItFails({ node, type }: FormProps) {
    const t = useWords(builderWords);
    const draft = useDraft();
    const change = useChange();
    const set = (key: string, value: unknown) =>
        change((old) => changeNode(old, node.id, { [key]: value }));
    const others = draft.definition.nodes.filter((one) => one.id !== node.id);
    const shown = outer.filter((key) => key !== "timeout" || takesTimeout({ node, type }));
    return (
        <Accordion variant="separated" chevronPosition="left">
            <Accordion.Item value="failure">
                <Accordion.Control fz="xs" py={0}>
                    {t("whenItFails")}
                </Accordion.Control>
                <Accordion.Panel>
                    <Stack gap="sm">
                        {shown.map((key) => (
                            <SchemaField
                                key={key}
                                name={key}
                                schema={type.schema.properties?.[key] ?? {}}
                                required={false}
                                value={node[key]}
                                onChange={(value) => set(key, value)}
                            />
                        ))}
                        <Select
                            label={t("compensate")}
                            clearable
                            searchable
                            data={others.map((one) => one.id)}
                            value={node.compensate ?? null}
                            onChange={(id) => set("compensate", id ?? undefined)}
                        />
                    </Stack>
                </Accordion.Panel>
            </Accordion.Item>
        </Accordion>
    );
}

interface Props {
    node: GraphNode;
    problems: Problem[];
    values: SampleValues;
    onRename: (id: string) => void;
}

/** What one step is and does. */
export function StepForm({ node, problems, values, onRename }: Props) {
    const type = useTools().types[node.type];
    const say = useProblemText();
    const sampled = useSampled(values, node);
    const wrong = problems.map((problem) => (
        <Text key={problem.text} size="xs" c="red" role="alert">
            {say(problem)}
        </Text>
    ));
    // A text may name a type that there is not: it is said, and the step can be deleted.
    if (!type) {
        return (
            <Stack gap="sm">
                <Text fw={600}>{node.id}</Text>
                {wrong}
            </Stack>
        );
    }
    return (
        <SampleContext.Provider value={sampled}>
            <Stack gap="sm">
                <Group gap="xs" wrap="nowrap" align="flex-start">
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
                {wrong}
                <NameField key={node.id} id={node.id} onRename={onRename} />
                <OffSwitch node={node} />
                <Stack gap="sm" data-settings>
                    <Settings node={node} type={type} />
                </Stack>
                {node.type !== "trigger" && <WhenItFails node={node} type={type} />}
            </Stack>
        </SampleContext.Provider>
    );
}
