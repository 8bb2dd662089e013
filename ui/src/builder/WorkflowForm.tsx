import { Input, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useWords } from "@/words";
import { changeWorkflow } from "./graph";
import { JsonField } from "./JsonField";
import { useChange, useDraft } from "./store";
import { builderWords } from "./words";

/** What belongs to the workflow as a whole; shown while no step is selected. */
export function WorkflowForm({ fresh }: { fresh: boolean }) {
    const t = useWords(builderWords);
    const { definition } = useDraft();
    const change = useChange();
    const set = (key: string, value: unknown) =>
        change((old) => changeWorkflow(old, { [key]: value }));
    const reentry = definition.reentry;
    return (
        <Stack gap="sm">
            <Text fw={600}>{t("workflow")}</Text>
            {fresh && (
                <TextInput
                    label={t("name")}
                    withAsterisk
                    value={definition.name}
                    onChange={(event) => set("name", event.currentTarget.value)}
                />
            )}
            <Textarea
                label={t("description")}
                autosize
                minRows={2}
                value={String(definition.description ?? "")}
                onChange={(event) => set("description", event.currentTarget.value || undefined)}
            />
            <Input.Wrapper label={t("triggers")} description={t("triggersHelp")}>
                <JsonField
                    name={t("triggers")}
                    value={definition.triggers}
                    example={[{ event: "order.paid" }]}
                    onChange={(value) => set("triggers", value)}
                />
            </Input.Wrapper>
            <Select
                label={t("reentry")}
                data={[
                    { value: "always", label: t("reentryAlways") },
                    { value: "once", label: t("reentryOnce") },
                    { value: "while_none_open", label: t("reentryOpen") },
                ]}
                value={typeof reentry === "string" ? reentry : null}
                placeholder={reentry === undefined ? t("reentryAlways") : JSON.stringify(reentry)}
                clearable
                onChange={(value) => set("reentry", value ?? undefined)}
            />
            <Input.Wrapper label={t("exitOn")}>
                <JsonField
                    name={t("exitOn")}
                    value={definition.exit_on}
                    example={[{ event: "order.paid" }]}
                    onChange={(value) => set("exit_on", value)}
                />
            </Input.Wrapper>
            <Text size="xs" c="dimmed">
                {t("nothing")}
            </Text>
        </Stack>
    );
}
