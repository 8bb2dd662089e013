import { MultiSelect, Select, Text, Textarea, TextInput } from "@mantine/core";
import cronstrue from "cronstrue";
import { useWords } from "@/words";
import { builderWords } from "../words";
import { ColumnsField } from "./ColumnsField";
import { FilterField } from "./ConditionForm";
import { type Row, RowsField } from "./RowsField";
import { ValuesField } from "./ValuesField";

type Kind = "event" | "table" | "cron" | "audience" | "queue";

const begins: Record<Kind, Row> = {
    event: { event: "" },
    table: { event: "", operation: ["INSERT"] },
    cron: { cron: "0 9 * * *", timezone: "Asia/Bangkok" },
    audience: {
        audience: "select id as subject from customers where birthday = current_date",
        schedule: "0 9 * * *",
    },
    queue: { queue: "" },
};

function kindOf(row: Row): Kind {
    if (row.audience !== undefined) return "audience";
    if (row.cron !== undefined) return "cron";
    if (row.queue !== undefined) return "queue";
    return row.operation !== undefined || row.conditions !== undefined ? "table" : "event";
}

const text = (value: unknown) => (value === undefined ? "" : String(value));

function inWords(cron: string): string {
    try {
        return cronstrue.toString(cron, { use24HourTimeFormat: true });
    } catch {
        return "";
    }
}

interface RowProps {
    row: Row;
    write: (part: Row) => void;
}

function TriggerFields({ row, write }: RowProps) {
    const t = useWords(builderWords);
    const kind = kindOf(row);
    const line = (key: string, label: string, placeholder = "") => (
        <TextInput
            label={label}
            placeholder={placeholder}
            value={text(row[key])}
            onChange={(event) => {
                const value = event.currentTarget.value;
                const needed =
                    key === "event" || key === "queue" || key === "cron" || key === "schedule";
                write({ [key]: value === "" && !needed ? undefined : value });
            }}
        />
    );
    const clock = (key: "cron" | "schedule") => (
        <>
            {line(key, t("triggerCron"), "0 9 * * *")}
            <Text size="xs" c="dimmed">
                {inWords(text(row[key]))}
            </Text>
            {line("timezone", t("waitZone"), "UTC")}
        </>
    );
    return (
        <>
            {kind === "event" && line("event", t("eventName"), "order.paid")}
            {kind === "table" && line("event", t("triggerTable"), "carts")}
            {kind === "table" && (
                <MultiSelect
                    label={t("triggerOperation")}
                    data={["INSERT", "UPDATE", "DELETE"]}
                    value={[row.operation ?? []].flat().map(String)}
                    onChange={(operation) => write({ operation })}
                />
            )}
            {kind === "queue" && line("queue", t("triggerQueue"))}
            {kind === "cron" && clock("cron")}
            {kind === "audience" && (
                <>
                    <Textarea
                        label={t("triggerAudience")}
                        autosize
                        minRows={2}
                        maxRows={10}
                        className="mono"
                        value={text(row.audience)}
                        onChange={(event) => write({ audience: event.currentTarget.value })}
                    />
                    {clock("schedule")}
                    {line("local_time", t("waitClock"), "09:00")}
                </>
            )}
            {(kind === "event" || kind === "queue") &&
                line("subject", t("triggerSubject"), "{{ data.customer }}")}
            {kind === "table" && (
                <ColumnsField
                    label={t("triggerColumns")}
                    description={t("triggerColumnsHelp")}
                    value={row.conditions}
                    onChange={(conditions) => write({ conditions })}
                />
            )}
            {(kind === "event" || kind === "table" || kind === "queue") && (
                <FilterField
                    label={t("eventFilter")}
                    value={row.filter}
                    below="data"
                    onChange={(filter) => write({ filter })}
                />
            )}
            {(kind !== "audience" || row.input !== undefined) && (
                <ValuesField
                    label={t("triggerInput")}
                    description={t("triggerInputHelp")}
                    value={row.input}
                    onChange={(input) => write({ input })}
                />
            )}
        </>
    );
}

interface Props {
    value: unknown;
    onChange: (value: unknown) => void;
}

/** What starts runs: events, changes of tables, the clock, people of a query. */
export function TriggersField({ value, onChange }: Props) {
    const t = useWords(builderWords);
    const rows = Array.isArray(value) ? (value as Row[]) : [];
    const kinds: Record<Kind, string> = {
        event: t("triggerEvent"),
        table: t("triggerChange"),
        cron: t("triggerClock"),
        audience: t("triggerPeople"),
        queue: t("triggerQueue"),
    };
    const swap = (index: number, kind: Kind) =>
        onChange(rows.map((row, i) => (i === index ? structuredClone(begins[kind]) : row)));
    return (
        <RowsField
            label={t("triggers")}
            description={t("triggersHelp")}
            rows={rows}
            fresh={{ event: "" }}
            onChange={(next) => onChange(next.length === 0 ? undefined : next)}
            row={(row, write, i) => (
                <>
                    <Select
                        aria-label={t("triggerKind")}
                        data={Object.entries(kinds).map(([one, label]) => ({ value: one, label }))}
                        value={kindOf(row)}
                        allowDeselect={false}
                        onChange={(kind) => kind && swap(i, kind as Kind)}
                    />
                    <TriggerFields row={row} write={write} />
                </>
            )}
        />
    );
}
