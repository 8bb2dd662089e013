import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, call, type Schemas } from "@/data/api";
import { formatJson } from "@/data/json";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import type { Workflow } from "../data";
import { conditionText } from "./condition";
import { EventStarts } from "./EventStarts";
import { Schedules } from "./Schedules";
import classes from "./Triggers.module.css";
import { triggerWords } from "./words";

type Trigger = Record<string, unknown>;

/** What starts a workflow, what came of the last events, watched tables, schedules, audiences. */
export function TriggersTab({ workflow }: { workflow: Workflow }) {
    const triggers = (workflow.definition.triggers ?? []) as Trigger[];
    const events = triggers.filter((one) => typeof one.event === "string");
    const may = useMay("events:read");
    return (
        <div className={classes.triggers}>
            <Rules workflow={workflow} events={events} />
            {events.length < triggers.length && <Schedules name={workflow.name} />}
            {may && (
                <EventStarts
                    name={workflow.name}
                    events={[...new Set(events.map((one) => String(one.event)))]}
                />
            )}
            {may && events.length > 0 && <Watches name={workflow.name} />}
        </div>
    );
}

const compact = (value: unknown) => formatJson(value, 0);
const isSet = (value: unknown) => value !== undefined && value !== null && value !== "";

const reentries = {
    always: "reentryAlways",
    once: "reentryOnce",
    while_none_open: "reentryOpen",
} as const;

/** Whether the same person may enter again. */
function Reentry({ rule }: { rule: unknown }) {
    const t = useWords(triggerWords);
    const after = (rule as Trigger).after;
    const known = reentries[rule as keyof typeof reentries] ?? "reentryAlways";
    return (
        <div className={classes.rule}>
            {after === undefined ? t(known) : t("reentryAfter", { after: String(after) })}
        </div>
    );
}

/** The triggers and rules of entry, as sentences. */
function Rules({ workflow, events }: { workflow: Workflow; events: Trigger[] }) {
    const t = useWords(triggerWords);
    const definition = workflow.definition as Record<string, unknown>;
    const list = (value: unknown) => (Array.isArray(value) ? (value as Trigger[]) : []);
    const none = list(definition.triggers).length === 0;
    return (
        <section className={classes.part}>
            <Title order={2}>{t("starts")}</Title>
            <Text size="sm" c="dimmed">
                {none ? t("byHand") : t("always")}
            </Text>
            {events.map((one, index) => (
                <div key={`${String(one.event)} ${index}`} className={classes.rule}>
                    <b>{t(one.operations ? "onTable" : "onEvent", { event: String(one.event) })}</b>
                    {isSet(one.operations) && (
                        <span>
                            {t("operations")} <code>{list(one.operations).join(", ")}</code>
                        </span>
                    )}
                    {[one.filter, one.conditions].filter(isSet).map((rule) => (
                        <span key={compact(rule)}>
                            {t("ifFilter")} <code>{conditionText(rule)}</code>
                        </span>
                    ))}
                    {isSet(one.subject) && (
                        <span>
                            {t("subject")} <code>{String(one.subject)}</code>
                        </span>
                    )}
                </div>
            ))}
            {isSet(definition.reentry) && <Reentry rule={definition.reentry} />}
            {isSet(definition.enter_if) && (
                <div className={classes.rule}>
                    {t("enterIf")} <code>{compact(definition.enter_if)}</code>
                </div>
            )}
            {isSet(definition.holdout) && (
                <div className={classes.rule}>
                    {t("holdout", { percent: String(definition.holdout) })}
                </div>
            )}
            {list(definition.goal).map((one, index) => (
                <div key={`goal ${index}`} className={classes.rule}>
                    {t("goal", { event: String(one.event) })}
                </div>
            ))}
            {list(definition.exit_on).map((one, index) => (
                <div key={`exit ${index}`} className={classes.rule}>
                    {t("exitOn", { event: String(one.event ?? one) })}
                </div>
            ))}
        </section>
    );
}

/** Tables whose changes it wants. */
function Watches({ name }: { name: string }) {
    const t = useWords(triggerWords);
    const { data } = useQuery({
        queryKey: ["watches"],
        queryFn: ({ signal }) =>
            call(api.GET("/v1/watches", { params: { query: { limit: 1000 } }, signal })),
    });
    const watches = ((data?.data ?? []) as Schemas["Watch"][]).filter((one) =>
        one.workflows.includes(name),
    );
    return (
        <section className={classes.part}>
            <Title order={2}>{t("watches")}</Title>
            {watches.length === 0 && (
                <Text size="sm" c="dimmed">
                    {t("watchesNone")}
                </Text>
            )}
            {watches.map((one) => (
                <div key={one.table} className={classes.rule}>
                    <b className="mono">{one.table}</b>
                    <span>{one.operations.join(", ")}</span>
                    <span className={classes.quiet}>{t("watchEvent", { event: one.event })}</span>
                    {one.problem && <Text c="red">{one.problem}</Text>}
                </div>
            ))}
        </section>
    );
}
