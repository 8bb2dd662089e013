import { useLingui } from "@lingui/react";
import { MultiSelect, Select, Stack, TextInput } from "@mantine/core";
import { useWords } from "@/words";
import { builderWords } from "../words";
import { FilterField } from "./ConditionForm";
import { DurationField } from "./DurationField";
import { HandleInput } from "./HandleInput";
import { type Row, RowsField, withPart } from "./RowsField";
import { TemplateText } from "./TemplateText";

type Kind = "duration" | "clock" | "until" | "date" | "event" | "events" | "signal";

// What each kind begins with when it is chosen.
const begins: Record<Kind, Row> = {
    duration: { duration: "1d" },
    clock: { until: { local_time: "09:00" } },
    until: { until: "{{ trigger.starts_at }}" },
    date: { date: "{{ user.birthday }}", offset: "-3d" },
    event: { event: "order.paid", timeout: "3d" },
    events: { events: [{ event: "order.paid", handle: "paid" }, { event: "order.dropped" }] },
    signal: { signal: "approved", timeout: "3d" },
};

function kindOf(config: Row): Kind {
    if (config.events !== undefined) return "events";
    if (config.event !== undefined) return "event";
    if (config.signal !== undefined) return "signal";
    if (config.date !== undefined) return "date";
    if (typeof config.until === "object" || config.local_time !== undefined) return "clock";
    return config.until !== undefined ? "until" : "duration";
}

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** The days of a week as the viewer calls them. */
function useDays() {
    const { i18n } = useLingui();
    const format = new Intl.DateTimeFormat(i18n.locale, { weekday: "long", timeZone: "UTC" });
    // A Monday and the days behind it.
    return days.map((value, index) => ({
        value,
        label: format.format(Date.UTC(2024, 0, 1 + index)),
    }));
}

const text = (value: unknown) => (value === undefined ? "" : String(value));
const some = (value: string) => (value === "" ? undefined : value);

function ClockFields({ config, onChange }: { config: Row; onChange: (config: Row) => void }) {
    const t = useWords(builderWords);
    const own = typeof config.until === "object" && config.until !== null;
    const clock = (own ? config.until : config) as Row;
    const write = (part: Row) =>
        onChange(own ? { ...config, until: withPart(clock, part) } : withPart(config, part));
    return (
        <>
            <TextInput
                label={t("waitClock")}
                description={t(own ? "waitClockPerson" : "waitClockZone")}
                placeholder="09:00"
                value={text(clock.local_time)}
                onChange={(event) => write({ local_time: event.currentTarget.value })}
            />
            <MultiSelect
                label={t("waitDays")}
                placeholder={t("waitEveryDay")}
                data={useDays()}
                value={Array.isArray(clock.weekdays) ? clock.weekdays.map(String) : []}
                onChange={(chosen) => write({ weekdays: chosen.length > 0 ? chosen : undefined })}
            />
            <TextInput
                label={t("waitZone")}
                placeholder="Asia/Bangkok"
                value={text(clock.timezone)}
                onChange={(event) => write({ timezone: some(event.currentTarget.value) })}
            />
        </>
    );
}

/** What a step waits for, one kind at a time. */
export function WaitForm({ config, onChange }: { config: Row; onChange: (config: Row) => void }) {
    const t = useWords(builderWords);
    const kind = kindOf(config);
    const write = (part: Row) => onChange(withPart(config, part));
    const kinds: Record<Kind, string> = {
        duration: t("waitDuration"),
        clock: t("waitAtClock"),
        until: t("waitUntil"),
        date: t("waitDate"),
        event: t("waitEvent"),
        events: t("waitEvents"),
        signal: t("waitSignal"),
    };
    const line = (key: string, label: string, description = "") => (
        <TemplateText
            label={label}
            description={description}
            value={text(config[key])}
            onChange={(next) => write({ [key]: some(next) })}
        />
    );
    const late = (
        <DurationField
            label={t("waitTimeout")}
            description={t("waitTimeoutHelp")}
            value={config.timeout}
            onChange={(timeout) => write({ timeout })}
        />
    );
    return (
        <Stack gap="sm">
            <Select
                label={t("waitFor")}
                data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
                value={kind}
                allowDeselect={false}
                onChange={(next) => next && onChange(structuredClone(begins[next as Kind]))}
            />
            {kind === "duration" && (
                <DurationField
                    label={t("duration")}
                    withAsterisk
                    value={config.duration}
                    onChange={(duration) => write({ duration })}
                />
            )}
            {kind === "clock" && <ClockFields config={config} onChange={onChange} />}
            {kind === "until" && line("until", t("waitUntil"), "2026-03-01T09:00:00Z")}
            {kind === "date" && line("date", t("waitDate"))}
            {kind === "date" && line("offset", t("waitOffset"), "-3d, 2h")}
            {kind === "event" && line("event", t("eventName"))}
            {kind === "event" && line("key", t("eventKey"), t("eventKeyHelp"))}
            {kind === "signal" && line("signal", t("waitSignal"))}
            {kind === "events" && (
                <RowsField
                    label={t("waitEvents")}
                    rows={(Array.isArray(config.events) ? config.events : []) as Row[]}
                    fresh={{ event: "" }}
                    atLeast={1}
                    onChange={(events) => write({ events })}
                    row={(row, writeRow) => (
                        <>
                            <TextInput
                                label={t("eventName")}
                                value={text(row.event)}
                                onChange={(event) => writeRow({ event: event.currentTarget.value })}
                            />
                            <HandleInput
                                label={t("wayOut")}
                                placeholder="default"
                                value={text(row.handle)}
                                onChange={(handle) => writeRow({ handle: some(handle) })}
                            />
                            <FilterField
                                label={t("eventFilter")}
                                value={row.filter}
                                below="event.data"
                                onChange={(filter) => writeRow({ filter })}
                            />
                        </>
                    )}
                />
            )}
            {(kind === "event" || kind === "events" || kind === "signal") && late}
            {kind === "event" && (
                <FilterField
                    label={t("eventFilter")}
                    value={config.filter}
                    below="event.data"
                    onChange={(filter) => write({ filter })}
                />
            )}
        </Stack>
    );
}
