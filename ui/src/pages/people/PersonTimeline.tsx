import { Button, Chip, Group, Text, Timeline } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ErrorView } from "@/components/ErrorView";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { request } from "@/data/api";
import { usePages } from "@/data/queries";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { useSaid } from "@/words/said";
import type { Entry } from "./data";
import classes from "./People.module.css";
import { peopleWords } from "./words";

const kinds = ["run", "message", "fact"] as const;

function Title({ entry }: { entry: Entry }) {
    const t = useWords(peopleWords);
    const named = useChannelNames();
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
    const message = !entry.message_id ? (
        <Text span>{channel}</Text>
    ) : (
        <Link to="/messages/$id" params={{ id: entry.message_id }} search={{}}>
            {channel}
        </Link>
    );
    if (entry.type === "fact") {
        return (
            <Group gap={6} className="linked">
                {message} <StatusBadge status={entry.fact ?? ""} />{" "}
                {entry.machine && `(${t("program")})`}
            </Group>
        );
    }
    return (
        <Group gap={6} className="linked">
            {message}
            <StatusBadge status={entry.state ?? ""} />
        </Group>
    );
}

function Line({ entry }: { entry: Entry }) {
    const t = useWords(peopleWords);
    const reason = useSaid("reason");
    const why = entry.reason ? reason(entry.reason) : entry.error;
    const said = entry.fact === "replied" ? entry.detail?.text : undefined;
    const where =
        entry.type === "run" ? "" : [entry.workflow, entry.node, entry.template].filter(Boolean);
    return (
        <>
            {why && (
                <Text className={classes.why ?? ""} title={entry.reason ?? ""}>
                    {entry.state === "skipped" ? t("skippedWhy", { why }) : why}
                </Text>
            )}
            {typeof said === "string" && <Text className={classes.why ?? ""}>{said}</Text>}
            <Text size="xs" c="dimmed" component="div">
                <Time at={entry.at} form="ago" />
                {where && where.length > 0 && ` · ${where.join(" · ")}`}
            </Text>
        </>
    );
}

/** All that happened with a person, over all journeys; newest first. */
export function PersonTimeline({ path, name }: { path: string; name: string }) {
    const t = useWords(peopleWords);
    const navigate = useNavigate();
    const { show } = useSearch({ from: "/shell/people/$key" });
    const shown = kinds.find((one) => one === show) ?? "all";
    const timeline = usePages<Entry>({
        key: ["people", name, "timeline"],
        fetch: (cursor) =>
            request(
                "GET",
                `${path}/timeline?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    const rows = timeline.rows.filter((entry) => shown === "all" || entry.type === shown);
    return (
        <>
            <Chip.Group
                value={shown}
                onChange={(value) =>
                    void navigate({
                        to: ".",
                        search: value === "all" ? {} : { show: String(value) },
                        replace: true,
                    })
                }
            >
                <Group gap={6} role="group" aria-label={t("show")}>
                    <Chip size="xs" value="all">
                        {t("showAll")}
                    </Chip>
                    <Chip size="xs" value="run">
                        {t("showRuns")}
                    </Chip>
                    <Chip size="xs" value="message">
                        {t("showMessages")}
                    </Chip>
                    <Chip size="xs" value="fact">
                        {t("showFacts")}
                    </Chip>
                </Group>
            </Chip.Group>
            {timeline.isError && <ErrorView error={timeline.error} retry={timeline.refetch} />}
            {timeline.isSuccess && rows.length === 0 && <Text c="dimmed">{t("nothing")}</Text>}
            <Timeline bulletSize={12} lineWidth={2}>
                {rows.map((entry, index) => (
                    <Timeline.Item
                        key={`${entry.at} ${entry.type} ${String(index)}`}
                        title={<Title entry={entry} />}
                    >
                        <Line entry={entry} />
                    </Timeline.Item>
                ))}
            </Timeline>
            {timeline.hasNextPage && (
                <Button
                    variant="default"
                    w="fit-content"
                    loading={timeline.isFetchingNextPage}
                    onClick={() => void timeline.fetchNextPage()}
                >
                    {t("older")}
                </Button>
            )}
        </>
    );
}
