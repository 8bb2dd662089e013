import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { formatJson } from "@/data/json";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { useSaid } from "@/words/said";
import type { Entry } from "./data";
import classes from "./People.module.css";
import { type OutsideEvent, saidBy } from "./timeline";
import { peopleWords } from "./words";

/** What the person did with a message, or what became of it. */
function FactTitle({ entry }: { entry: Entry }) {
    const t = useWords(peopleWords);
    const named = useChannelNames();
    const key = `fact_${entry.fact}`;
    const known = peopleWords.keys.find((one) => one === key);
    const says = known ? t(known) : (entry.fact ?? "");
    return (
        <Group gap={6} className="linked">
            {entry.message_id ? (
                <Link to="/messages/$id" params={{ id: entry.message_id }} search={{}}>
                    {says}
                </Link>
            ) : (
                <Text span>{says}</Text>
            )}
            {entry.channel && (
                <Text span c="dimmed">
                    {named(entry.channel)}
                </Text>
            )}
            {entry.machine && `(${t("program")})`}
        </Group>
    );
}

export function EntryTitle({ entry }: { entry: Entry }) {
    const t = useWords(peopleWords);
    const named = useChannelNames();
    if (entry.type === "fact") return <FactTitle entry={entry} />;
    if (entry.type === "run") {
        return (
            <Group gap={6} className="linked">
                <Link to="/runs/$id" params={{ id: entry.run_id ?? "" }}>
                    {entry.workflow ?? t("run")}
                </Link>
                <StatusBadge status={entry.status ?? ""} />
            </Group>
        );
    }
    const channel = entry.channel ? named(entry.channel) : t("message");
    return (
        <Group gap={6} className="linked">
            {entry.message_id ? (
                <Link to="/messages/$id" params={{ id: entry.message_id }} search={{}}>
                    {channel}
                </Link>
            ) : (
                <Text span>{channel}</Text>
            )}
            <StatusBadge status={entry.state ?? ""} />
        </Group>
    );
}

export function EntryLine({ entry }: { entry: Entry }) {
    const t = useWords(peopleWords);
    const reason = useSaid("reason");
    const why = entry.reason ? reason(entry.reason) : entry.error;
    const said = entry.type === "fact" ? saidBy(entry) : undefined;
    const where =
        entry.type === "run" ? [] : [entry.workflow, entry.node, entry.template].filter(Boolean);
    return (
        <>
            {why && (
                <Text className={classes.why ?? ""} title={entry.reason ?? ""}>
                    {entry.state === "skipped" ? t("skippedWhy", { why }) : why}
                </Text>
            )}
            {said && <Text className={classes.why ?? ""}>{said}</Text>}
            <Text size="xs" c="dimmed" component="div">
                <Time at={entry.at} form="ago" />
                {where.length > 0 && ` · ${where.join(" · ")}`}
            </Text>
        </>
    );
}

/** What an event says, in one line; the pointer shows all of it. */
export function EventLine({ event }: { event: OutsideEvent }) {
    const t = useWords(peopleWords);
    const { data } = event;
    const empty = data === undefined || data === null || formatJson(data, 0) === "{}";
    return (
        <>
            {!empty && (
                <Text
                    className={`mono ${classes.event ?? ""}`}
                    size="xs"
                    title={formatJson(data)}
                    lineClamp={3}
                >
                    {formatJson(data, 0)}
                </Text>
            )}
            {event.problem && <Text className={classes.why ?? ""}>{event.problem}</Text>}
            <Text size="xs" c="dimmed" component="div">
                <Time at={event.at} form="ago" />
                {event.source && ` · ${t("eventFrom", { source: event.source })}`}
            </Text>
        </>
    );
}
