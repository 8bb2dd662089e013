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
import { useWords } from "@/words";
import type { Message } from "./data";
import { messagesWords } from "./words";

/** One message and what became of it. */
export function MessageView({ id, onClose }: { id: string; onClose: () => void }) {
    const t = useWords(messagesWords);
    const query = useQuery({
        queryKey: ["messages", id],
        queryFn: () => request<Message>("GET", `/v1/messages/${id}`),
    });
    const one = query.data;
    const row = (label: string, value: ReactNode) =>
        value ? (
            <Table.Tr>
                <Table.Th w={140}>{label}</Table.Th>
                <Table.Td>{value}</Table.Td>
            </Table.Tr>
        ) : null;
    return (
        <Drawer opened onClose={onClose} position="right" size="md" title={t("title")}>
            {query.isError && <ErrorView error={query.error} retry={query.refetch} />}
            {query.isPending && <Loading />}
            {one && (
                <Stack>
                    <Table variant="vertical">
                        <Table.Tbody>
                            {row(t("state"), <StatusBadge status={one.state} />)}
                            {row(t("reason"), one.reason)}
                            {row(t("error"), one.error)}
                            {row(t("channel"), one.channel)}
                            {row(t("to"), one.address)}
                            {row(
                                t("person"),
                                one.person && (
                                    <Link
                                        to={
                                            `/people/${encodeURIComponent(one.person)}` as "/people"
                                        }
                                    >
                                        {one.person}
                                    </Link>
                                ),
                            )}
                            {row(
                                t("run"),
                                one.run_id && (
                                    <Link to={`/runs/${one.run_id}` as "/runs"}>
                                        {one.workflow} · {one.node}
                                    </Link>
                                ),
                            )}
                            {row(t("template"), one.template)}
                            {row(t("connector"), one.connector)}
                            {row(t("external"), one.external_id && <IdText id={one.external_id} />)}
                        </Table.Tbody>
                    </Table>
                    <Text fw={600}>{t("facts")}</Text>
                    {(one.facts ?? []).length === 0 && <Text c="dimmed">{t("none")}</Text>}
                    <Timeline bulletSize={14} lineWidth={2}>
                        {(one.facts ?? []).map((fact) => (
                            <Timeline.Item
                                key={`${fact.at} ${fact.kind}`}
                                title={fact.machine ? `${fact.kind} (${t("program")})` : fact.kind}
                            >
                                <Time at={fact.at} form="ago" />
                            </Timeline.Item>
                        ))}
                    </Timeline>
                </Stack>
            )}
        </Drawer>
    );
}
