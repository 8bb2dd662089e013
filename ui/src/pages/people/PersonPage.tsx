import { Badge, Button, Group, Modal, Stack, Text, Timeline, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { ErrorView } from "@/components/ErrorView";
import { JsonViewer } from "@/components/json/JsonViewer";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { Time } from "@/components/Time";
import { request } from "@/data/api";
import { useAct, usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type Entry, nameOf, type Person } from "./data";
import { peopleWords } from "./words";

function EntryLine({ entry }: { entry: Entry }) {
    const what = [entry.workflow, entry.channel, entry.status ?? entry.state, entry.reason]
        .filter(Boolean)
        .join(" · ");
    return (
        <Timeline.Item title={entry.type}>
            <Text size="sm">
                {entry.run_id ? (
                    <Link to={`/runs/${entry.run_id}` as "/runs"}>{what || "run"}</Link>
                ) : (
                    what
                )}
            </Text>
            <Text size="xs" c="dimmed" component="div">
                <Time at={entry.at} form="ago" />
            </Text>
        </Timeline.Item>
    );
}

/** One person: what is known, what happened, and why they did not get a message. */
export function PersonPage() {
    const t = useWords(peopleWords);
    const common = useWords(commonWords);
    const navigate = useNavigate();
    const { key } = useParams({ from: "/shell/people/$key" });
    const path = `/v1/people/${encodeURIComponent(key)}`;
    const may = useMay("runs:write");
    const [erasing, setErasing] = useState(false);
    const query = useQuery({
        queryKey: ["people", key],
        queryFn: () => request<Person>("GET", path),
    });
    const timeline = usePages<Entry>({
        key: ["people", key, "timeline"],
        fetch: (cursor) =>
            request(
                "GET",
                `${path}/timeline?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    const erase = useAct({
        run: () => request("DELETE", path),
        done: t("erased", { key }),
        changes: [["people"]],
        onDone: () => void navigate({ to: "/people", search: {} }),
    });
    const out = useAct({
        run: (again: boolean) =>
            request("POST", `${path}/${again ? "resubscribe" : "unsubscribe"}`, {}),
        changes: [["people", key]],
    });
    if (query.isError) return <ErrorView error={query.error} retry={query.refetch} />;
    const person = query.data;
    if (!person) return <Loading />;
    const left = (person.unsubscribed ?? []).length > 0;
    return (
        <Page
            title={nameOf(person) || person.key}
            parents={[{ title: t("title"), to: "/people" }]}
            aside={
                left && (
                    <Badge variant="dot" color="orange">
                        {t("unsubscribed")}
                    </Badge>
                )
            }
            actions={
                <Group gap="xs">
                    <CopyMenu curl={path} cli={`people get ${key}`} />
                    <Button
                        variant="default"
                        onClick={() => navigate({ to: "/messages", search: { person: key } })}
                    >
                        {t("messages")}
                    </Button>
                    {may && (
                        <Button variant="default" onClick={() => out.mutate(left)}>
                            {left ? t("resubscribe") : t("unsubscribe")}
                        </Button>
                    )}
                    {may && (
                        <Button variant="outline" color="red.9" onClick={() => setErasing(true)}>
                            {t("erase")}
                        </Button>
                    )}
                </Group>
            }
        >
            <Stack p="md" maw={900}>
                <Title order={2}>{t("known")}</Title>
                <JsonViewer
                    name={`${key}.json`}
                    value={{
                        key: person.key,
                        ...person.attributes,
                        addresses: person.addresses,
                        locale: person.locale,
                        timezone: person.timezone,
                        unsubscribed: person.unsubscribed ?? [],
                    }}
                />
                <Title order={2}>{t("timeline")}</Title>
                {timeline.rows.length === 0 && <Text c="dimmed">{t("nothing")}</Text>}
                <Timeline bulletSize={14} lineWidth={2}>
                    {timeline.rows.map((entry, index) => (
                        <EntryLine
                            key={`${entry.at} ${entry.type} ${String(index)}`}
                            entry={entry}
                        />
                    ))}
                </Timeline>
                {timeline.hasNextPage && (
                    <Button variant="default" onClick={() => timeline.fetchNextPage()}>
                        {common("loadingMore")}
                    </Button>
                )}
            </Stack>
            {erasing && (
                <Modal opened onClose={() => setErasing(false)} title={t("eraseTitle", { key })}>
                    <Stack>
                        <Text size="sm">{t("eraseHelp")}</Text>
                        <Group justify="flex-end">
                            <Button variant="default" onClick={() => setErasing(false)}>
                                {common("cancel")}
                            </Button>
                            <Button
                                color="red.9"
                                loading={erase.isPending}
                                onClick={() => erase.mutate()}
                            >
                                {t("erase")}
                            </Button>
                        </Group>
                    </Stack>
                </Modal>
            )}
        </Page>
    );
}
