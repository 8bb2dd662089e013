import { Drawer, Stack, Table, Text, Timeline } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ErrorView } from "@/components/ErrorView";
import { IdText } from "@/components/IdText";
import { Loading } from "@/components/Loading";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { request } from "@/data/api";
import { usePersonName } from "@/pages/people/usePerson";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { Said } from "@/words/said";
import { detailsOf, type Fact, type Message } from "./data";
import classes from "./MessageView.module.css";
import { SentContent } from "./SentContent";
import { Why } from "./Why";
import { messagesWords } from "./words";

function FactTitle({ fact }: { fact: Fact }) {
    const t = useWords(messagesWords);
    return (
        <>
            <Said kind="status" word={fact.kind} /> {fact.machine && `(${t("program")})`}
        </>
    );
}

/** One message and what became of it. */
export function MessageView({ id, onClose }: { id: string; onClose: () => void }) {
    const t = useWords(messagesWords);
    const named = useChannelNames();
    const query = useQuery({
        queryKey: ["messages", id],
        queryFn: () => request<Message>("GET", `/v1/messages/${id}`),
    });
    const one = query.data;
    const name = usePersonName(one?.reason === "no_person" ? undefined : one?.person);
    const row = (label: string, value: ReactNode) =>
        value ? (
            <Table.Tr>
                <Table.Th w={140}>{label}</Table.Th>
                <Table.Td>{value}</Table.Td>
            </Table.Tr>
        ) : null;
    return (
        <Drawer opened onClose={onClose} position="right" size="md" title={t("message")}>
            {query.isError && <ErrorView error={query.error} retry={query.refetch} />}
            {query.isPending && <Loading />}
            {one && (
                <Stack>
                    <Why message={one} />
                    <Table variant="vertical">
                        <Table.Tbody>
                            {row(t("state"), <StatusBadge status={one.state} />)}
                            {row(t("when"), <Time at={one.created_at} form="ago" />)}
                            {row(
                                t("reason"),
                                one.reason && <Said kind="reason" word={one.reason} />,
                            )}
                            {row(t("error"), one.error)}
                            {row(
                                t("channel"),
                                one.test
                                    ? `${named(one.channel)} · ${t("testMark")}`
                                    : named(one.channel),
                            )}
                            {row(t("to"), one.address)}
                            {row(
                                t("person"),
                                one.person && (
                                    <Link
                                        to="/people/$key"
                                        params={{ key: one.person }}
                                        search={{}}
                                        title={one.person}
                                    >
                                        {name ?? one.person}
                                    </Link>
                                ),
                            )}
                            {row(
                                t("run"),
                                one.run_id && (
                                    <Link
                                        to="/runs/$id"
                                        params={{ id: one.run_id }}
                                        search={{ step: one.node }}
                                    >
                                        {one.workflow} · {one.node}
                                    </Link>
                                ),
                            )}
                            {row(
                                t("template"),
                                one.template && (
                                    <Link
                                        to="/messages/templates/$name"
                                        params={{ name: one.template }}
                                        search={{}}
                                    >
                                        {one.template}
                                    </Link>
                                ),
                            )}
                            {row(t("connector"), one.connector)}
                            {row(t("external"), one.external_id && <IdText id={one.external_id} />)}
                            {row(t("id"), <IdText id={one.id} />)}
                        </Table.Tbody>
                    </Table>
                    <SentContent message={one} />
                    <Text fw={600}>{t("facts")}</Text>
                    {(one.facts ?? []).length === 0 && <Text c="dimmed">{t("none")}</Text>}
                    <Timeline bulletSize={14} lineWidth={2}>
                        {(one.facts ?? []).map((fact) => (
                            <Timeline.Item
                                key={`${fact.at} ${fact.kind} ${String(fact.received_at)}`}
                                title={<FactTitle fact={fact} />}
                            >
                                <Time at={fact.at} form="ago" />
                                {detailsOf(fact).map((said) => (
                                    <Text key={said} size="xs" className={classes.said ?? ""}>
                                        {said}
                                    </Text>
                                ))}
                            </Timeline.Item>
                        ))}
                    </Timeline>
                </Stack>
            )}
        </Drawer>
    );
}
