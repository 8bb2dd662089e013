import { NumberInput, Select, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useWords } from "@/words";
import { ColumnsField } from "./fields/ColumnsField";
import { FilterField } from "./fields/ConditionForm";
import { DurationField } from "./fields/DurationField";
import { InputSchemaField } from "./fields/InputSchemaField";
import { type Row, RowsField } from "./fields/RowsField";
import { StartForm } from "./fields/StartForm";
import { changeWorkflow } from "./graph";
import { TakenName } from "./guard/TakenName";
import type { Taken } from "./guard/useTaken";
import { useChange, useDraft } from "./store";
import { WorkflowMore } from "./WorkflowMore";
import { builderWords } from "./words";

const rowsOf = (value: unknown): Row[] =>
    Array.isArray(value)
        ? value
        : typeof value === "object" && value !== null
          ? [value as Row]
          : [];

const text = (value: unknown) => (value === undefined ? "" : String(value));
const someRows = (rows: Row[]) => (rows.length === 0 ? undefined : rows);

/** What belongs to the workflow as a whole; shown while no step is selected. */
export function WorkflowForm({ fresh, taken }: { fresh: boolean; taken: Taken | undefined }) {
    const t = useWords(builderWords);
    const { definition } = useDraft();
    const change = useChange();
    const set = (key: string, value: unknown) =>
        change((old) => changeWorkflow(old, { [key]: value }));
    const reentry = definition.reentry;
    const event = (row: Row, write: (part: Row) => void) => (
        <>
            <TextInput
                label={t("eventName")}
                placeholder="order.paid"
                value={text(row.event)}
                onChange={(typed) => write({ event: typed.currentTarget.value })}
            />
            <FilterField
                label={t("eventFilter")}
                value={row.filter}
                below="event.data"
                onChange={(value) => write({ filter: value })}
            />
        </>
    );
    const again = typeof reentry === "object" && reentry !== null ? (reentry as Row) : undefined;
    return (
        <Stack gap="sm">
            <Text fw={600}>{t("workflow")}</Text>
            {fresh && (
                <TextInput
                    label={t("name")}
                    withAsterisk
                    data-field="name"
                    value={definition.name}
                    error={taken && <TakenName name={definition.name} by={taken} />}
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
            <StartForm />
            <InputSchemaField
                label={t("inputSchema")}
                description={t("inputSchemaHelp")}
                value={definition.input_schema}
                onChange={(value) => set("input_schema", value)}
            />
            <Select
                label={t("reentry")}
                data={[
                    { value: "always", label: t("reentryAlways") },
                    { value: "once", label: t("reentryOnce") },
                    { value: "while_none_open", label: t("reentryOpen") },
                    { value: "after", label: t("reentryAfter") },
                ]}
                value={again ? "after" : typeof reentry === "string" ? reentry : "always"}
                allowDeselect={false}
                onChange={(value) =>
                    set(
                        "reentry",
                        value === "after"
                            ? { after: "30d" }
                            : value === "always"
                              ? undefined
                              : value,
                    )
                }
            />
            {again && (
                <DurationField
                    label={t("reentryTime")}
                    value={again.after}
                    onChange={(after) => set("reentry", { after })}
                />
            )}
            <RowsField
                label={t("exitOn")}
                description={t("exitOnHelp")}
                rows={rowsOf(definition.exit_on)}
                fresh={{ event: "" }}
                onChange={(rows) => set("exit_on", someRows(rows))}
                row={event}
            />
            <RowsField
                label={t("goals")}
                description={t("goalsHelp")}
                rows={rowsOf(definition.goal)}
                fresh={{ event: "", within: "7d" }}
                onChange={(rows) => set("goal", rows.length === 1 ? rows[0] : someRows(rows))}
                row={(row, write) => (
                    <>
                        {event(row, write)}
                        <DurationField
                            label={t("goalWithin")}
                            value={row.within}
                            onChange={(within) => write({ within })}
                        />
                        <Switch
                            label={t("goalExit")}
                            checked={row.exit === true}
                            onChange={(event) =>
                                write({ exit: event.currentTarget.checked || undefined })
                            }
                        />
                    </>
                )}
            />
            <ColumnsField
                label={t("enterIf")}
                description={t("enterIfHelp")}
                value={definition.enter_if}
                onChange={(value) => set("enter_if", value)}
            />
            <NumberInput
                label={t("holdout")}
                description={t("holdoutHelp")}
                min={0}
                max={99}
                allowDecimal={false}
                value={typeof definition.holdout === "number" ? definition.holdout : ""}
                placeholder="0"
                onChange={(share) =>
                    set("holdout", share === "" || share === 0 ? undefined : share)
                }
            />
            <WorkflowMore set={set} />
            <Text size="xs" c="dimmed">
                {t("nothing")}
            </Text>
        </Stack>
    );
}
