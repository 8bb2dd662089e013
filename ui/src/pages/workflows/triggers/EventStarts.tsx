import { Badge, Button, Checkbox, Group, Table, Text, Title } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { RunLink } from "@/components/RunLink";
import { Time } from "@/components/Time";
import { api, call, type Schemas } from "@/data/api";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { reasonText } from "./condition";
import { SendEventDialog } from "./SendEventDialog";
import classes from "./Triggers.module.css";
import { triggerWords } from "./words";

type EventStart = Schemas["EventStart"];

const tones: Record<string, string> = {
    started: "teal",
    pending: "blue",
    held: "yellow",
    refused: "red",
    off: "orange",
};

interface Props {
    name: string;
    /** The names of the events that start it. */
    events: string[];
}

/** The last events that its triggers looked at, with the reason why each did or did not start it. */
export function EventStarts({ name, events }: Props) {
    const t = useWords(triggerWords);
    const wanted = events.length > 0;
    const may = useMay("events:write");
    const [sending, setSending] = useState(false);
    const [onlyNot, setOnlyNot] = useState(false);
    const query = useQuery({
        queryKey: ["workflows", name, "starts"],
        enabled: wanted,
        refetchInterval: 5000,
        queryFn: ({ signal }) =>
            call(
                api.GET("/v1/workflows/{name}/starts", {
                    params: { path: { name }, query: { limit: 50 } },
                    signal,
                }),
            ),
    });
    const rows = (query.data?.data ?? []).filter((one) => !onlyNot || !one.started);
    const send = may && (
        <Button variant="light" onClick={() => setSending(true)}>
            {t("send")}
        </Button>
    );
    return (
        <section className={classes.part}>
            {sending && (
                <SendEventDialog workflow={name} events={events} close={() => setSending(false)} />
            )}
            <Group justify="space-between">
                <Group gap="sm">
                    <Title order={2}>{t("events")}</Title>
                    {rows.length > 0 && send}
                </Group>
                {wanted && (
                    <Checkbox
                        size="xs"
                        label={t("onlyNot")}
                        checked={onlyNot}
                        onChange={(event) => setOnlyNot(event.currentTarget.checked)}
                    />
                )}
            </Group>
            <Text size="sm" c="dimmed">
                {wanted ? t("eventsHelp") : t("noEvents")}
            </Text>
            {query.isError && <ErrorView error={query.error} retry={query.refetch} />}
            {wanted && query.isPending && <Loading />}
            {query.data && rows.length === 0 && (
                <EmptyState
                    icon={IconBolt}
                    title={t("eventsNone")}
                    text={t("eventsNoneText")}
                    command={`pawl events send ${events[0]} --key KEY --data '{}'`}
                    curl={{ curl: "/v1/events", method: "POST", body: { name: events[0] } }}
                >
                    {send}
                </EmptyState>
            )}
            {rows.length > 0 && (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways
                <div className={classes.table} tabIndex={0} role="region" aria-label={t("events")}>
                    <Table highlightOnHover>
                        <Table.Thead>
                            <Table.Tr>
                                {(["at", "outcome", "event", "about", "why", "run"] as const).map(
                                    (key) => (
                                        <Table.Th key={key}>{t(key)}</Table.Th>
                                    ),
                                )}
                            </Table.Tr>
                        </Table.Thead>
                        <Table.Tbody>
                            {rows.map((one) => (
                                <Row key={one.event.id} one={one} />
                            ))}
                        </Table.Tbody>
                    </Table>
                </div>
            )}
        </section>
    );
}

function Row({ one }: { one: EventStart }) {
    const t = useWords(triggerWords);
    const about = one.event.subject ?? one.event.key ?? "";
    return (
        <Table.Tr data-event={one.event.id} data-reason={one.reason}>
            <Table.Td>
                <Time at={one.event.at} form="ago" />
            </Table.Td>
            <Table.Td>
                <Badge variant="dot" color={tones[one.reason] ?? "gray"}>
                    {t(`reason_${one.reason}`)}
                </Badge>
            </Table.Td>
            <Table.Td className="truncate" maw={180} title={one.event.name}>
                {one.event.name}
            </Table.Td>
            <Table.Td className={`truncate ${classes.key}`} title={about}>
                {about}
            </Table.Td>
            <Table.Td className={classes.why ?? ""}>
                {one.started ? "" : reasonText(one.detail ?? "", t)}
            </Table.Td>
            <Table.Td>{one.run_id && <RunLink id={one.run_id} />}</Table.Td>
        </Table.Tr>
    );
}
