import { Button, Chip, Group, Text, Timeline } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { ErrorView } from "@/components/ErrorView";
import { api, call, request } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import type { Entry } from "./data";
import { EntryLine, EntryTitle, EventLine } from "./TimelineLine";
import { type Line, mergedLines, type OutsideEvent } from "./timeline";
import { peopleWords } from "./words";

const kinds = ["run", "message", "fact", "event"] as const;
type Kind = (typeof kinds)[number];

const kindOf = (line: Line): Kind => ("event" in line ? "event" : line.entry.type);

/** Runs and messages with what became of them, and the events that came about the person. */
function useTimeline(path: string, name: string) {
    const may = useMay("events:read");
    const entries = usePages<Entry>({
        key: ["people", name, "timeline"],
        fetch: (cursor) =>
            request(
                "GET",
                `${path}/timeline?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    const events = usePages<OutsideEvent>({
        key: ["people", name, "events"],
        enabled: may,
        fetch: (cursor, signal) => {
            const query = { key: name, limit: 100, ...(cursor ? { cursor } : {}) };
            return call(api.GET("/v1/events", { params: { query }, signal }));
        },
    });
    const lists = may ? [entries, events] : [entries];
    const lines = useMemo(
        () =>
            mergedLines(
                { rows: entries.rows, more: entries.hasNextPage },
                { rows: events.rows, more: events.hasNextPage },
            ),
        [entries.rows, entries.hasNextPage, events.rows, events.hasNextPage],
    );
    /** The list whose end is nearest hides what is older in the other one. */
    const further = () => {
        for (const list of lists) if (list.hasNextPage) void list.fetchNextPage();
    };
    return {
        lines: lists.every((list) => !list.isPending) ? lines : [],
        ready: lists.every((list) => list.isSuccess),
        failed: lists.find((list) => list.isError),
        more: lists.some((list) => list.hasNextPage),
        busy: lists.some((list) => list.isFetchingNextPage),
        further,
    };
}

/** All that happened with a person, over all journeys; newest first. */
export function PersonTimeline({ path, name }: { path: string; name: string }) {
    const t = useWords(peopleWords);
    const navigate = useNavigate();
    const { show } = useSearch({ from: "/shell/people/$key" });
    const shown = kinds.find((one) => one === show) ?? "all";
    const timeline = useTimeline(path, name);
    const lines = timeline.lines.filter((line) => shown === "all" || kindOf(line) === shown);
    const names = {
        run: t("showRuns"),
        message: t("showMessages"),
        fact: t("showFacts"),
        event: t("showEvents"),
    };
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
                    {kinds.map((kind) => (
                        <Chip key={kind} size="xs" value={kind}>
                            {names[kind]}
                        </Chip>
                    ))}
                </Group>
            </Chip.Group>
            {timeline.failed && (
                <ErrorView error={timeline.failed.error} retry={timeline.failed.refetch} />
            )}
            {timeline.ready && lines.length === 0 && <Text c="dimmed">{t("nothing")}</Text>}
            <Timeline bulletSize={12} lineWidth={2}>
                {lines.map((line, index) =>
                    "event" in line ? (
                        <Timeline.Item
                            key={line.event.id}
                            title={t("event", { name: line.event.name })}
                        >
                            <EventLine event={line.event} />
                        </Timeline.Item>
                    ) : (
                        <Timeline.Item
                            key={`${line.at} ${line.entry.type} ${String(index)}`}
                            title={<EntryTitle entry={line.entry} />}
                        >
                            <EntryLine entry={line.entry} />
                        </Timeline.Item>
                    ),
                )}
            </Timeline>
            {timeline.more && (
                <Button
                    variant="default"
                    w="fit-content"
                    loading={timeline.busy}
                    onClick={timeline.further}
                >
                    {t("older")}
                </Button>
            )}
        </>
    );
}
