import { Accordion, Stack, TagsInput } from "@mantine/core";
import { useWords } from "@/words";
import { DurationField } from "./fields/DurationField";
import { flowSchema } from "./fields/flowSchema";
import type { JsonSchema } from "./handles";
import { SchemaField } from "./SchemaField";
import { useSettingWords } from "./settingWords";
import { useDraft } from "./store";
import { useTools } from "./types";
import { builderWords } from "./words";

interface Props {
    set: (key: string, value: unknown) => void;
}

/** What fewer workflows say as a whole: limits, retries, what a start must bring. */
export function WorkflowMore({ set }: Props) {
    const t = useWords(builderWords);
    const words = useSettingWords();
    const { definition } = useDraft();
    const { types } = useTools();
    // A step may have a list of policies; a workflow has one.
    const steps: JsonSchema = types.http?.schema.properties?.retry ?? {};
    const retry = steps.anyOf?.[0] ?? steps;
    const fields = definition.required_fields;
    return (
        <Accordion variant="separated" chevronPosition="left">
            <Accordion.Item value="more">
                <Accordion.Control fz="xs" py={0}>
                    {t("more")}
                </Accordion.Control>
                <Accordion.Panel>
                    <Stack gap="sm">
                        <DurationField
                            label={words.label("timeout")}
                            description={t("runTimeoutHelp")}
                            value={definition.timeout}
                            onChange={(value) => set("timeout", value)}
                        />
                        <TagsInput
                            label={words.label("required_fields")}
                            description={t("requiredFieldsHelp")}
                            placeholder={t("tagsHelp")}
                            value={Array.isArray(fields) ? fields.map(String) : []}
                            onChange={(names) =>
                                set("required_fields", names.length === 0 ? undefined : names)
                            }
                        />
                        <SchemaField
                            name="retry"
                            schema={retry}
                            required={false}
                            value={definition.retry}
                            onChange={(value) => set("retry", value)}
                        />
                        <SchemaField
                            name="flow"
                            schema={flowSchema}
                            required={false}
                            value={definition.flow}
                            onChange={(value) => set("flow", value)}
                        />
                    </Stack>
                </Accordion.Panel>
            </Accordion.Item>
        </Accordion>
    );
}
