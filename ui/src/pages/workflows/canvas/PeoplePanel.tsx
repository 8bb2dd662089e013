import { Button, CloseButton, Group, Text } from "@mantine/core";
import { IconDoorExit, IconPlayerTrackNext, IconUsers } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Definition } from "@/builder/graph";
import { EmptyState } from "@/components/EmptyState";
import { RunLink } from "@/components/RunLink";
import { Time } from "@/components/Time";
import { DataTable } from "@/components/table/DataTable";
import { useEscape } from "@/data/keys";
import { baseUrl } from "@/data/place";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { MoveDialog } from "./MoveDialog";
import classes from "./Panel.module.css";
import { type Place, peopleCsv, usePeople } from "./usePeople";
import { canvasWords } from "./words";

interface Props {
    name: string;
    definition: Definition;
    /** A node; with `ended`, people whose runs ended so; with both, people who ended there. */
    at?: string | undefined;
    ended?: string | undefined;
    /** When they ended. */
    within?: { from?: string; to?: string } | undefined;
    /** What stands above the list, such as a choice of another one. */
    choice?: ReactNode;
    version?: string | undefined;
    /** How many wait there, as the counts say. */
    waiting: number;
    close: () => void;
}

/** Who is at a step; chosen ones, or all, are let go on or taken out. */
export function PeoplePanel(props: Props) {
    const { name, definition, at, ended, version, waiting, close } = props;
    const t = useWords(canvasWords);
    const c = useWords(commonWords);
    const may = useMay("runs:write");
    const filter = { at, state: ended, version, ...(ended ? props.within : {}) };
    const people = usePeople(name, filter);
    const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
    const [asked, setAsked] = useState<"release" | "exit">();
    const mayMove = may && at !== undefined && !ended;
    const runs = [
        ...new Set(people.rows.filter((row) => selected.has(keyOf(row))).map((row) => row.run_id)),
    ];
    const known = (canvasWords.keys as readonly string[]).includes.bind(canvasWords.keys);
    const waitsFor = (state: string) =>
        known(`why_${state}`) ? t(`why_${state}` as "why_time") : state;
    const anywhere = !ended && at === undefined;
    const endedSo = (how: string) =>
        known(`ended_${how}`) ? t(`ended_${how}` as "ended_failed") : how;
    const title =
        at !== undefined
            ? t("peopleAt", { node: at })
            : ended
              ? endedSo(ended)
              : t("onVersion", { version });
    useEscape(title, c("close"), close);
    return (
        <aside className={classes.panel} aria-label={title}>
            <div className={classes.head}>
                <div className={classes.title}>
                    <b className="truncate" title={at}>
                        {title}
                    </b>
                    {!ended && waiting > 0 && (
                        <Text size="xs" c="dimmed" className="numbers">
                            {t("waitHere", { count: waiting })}
                        </Text>
                    )}
                </div>
                <CloseButton aria-label={c("close")} onClick={close} />
            </div>
            {props.choice}
            {people.rows.length > 0 && (
                <Group gap={6} className={classes.acts ?? ""}>
                    {mayMove && (
                        <>
                            <Button
                                variant="light"
                                leftSection={<IconPlayerTrackNext size={14} />}
                                onClick={() => setAsked("release")}
                            >
                                {t("release")}
                            </Button>
                            <Button
                                variant="light"
                                color="red"
                                leftSection={<IconDoorExit size={14} />}
                                onClick={() => setAsked("exit")}
                            >
                                {t("exit")}
                            </Button>
                        </>
                    )}
                    {anywhere && (
                        <Link
                            to="/workflows/$name"
                            params={{ name }}
                            search={{ tab: "versions" } as never}
                        >
                            {t("moveVersion")}
                        </Link>
                    )}
                    <a className={classes.csv} href={baseUrl + peopleCsv(name, filter)} download>
                        {t("csv")}
                    </a>
                </Group>
            )}
            <DataTable
                label={title}
                rows={people.rows}
                state={people}
                rowKey={keyOf}
                {...(mayMove ? { selected, onSelect: setSelected } : {})}
                columns={[
                    {
                        id: "person",
                        title: t("person"),
                        width: "minmax(90px, 1fr)",
                        cell: (row: Place) => <PersonCell row={row} />,
                    },
                    ...(anywhere ? [nodeColumn(t("step"))] : []),
                    {
                        id: "state",
                        title: ended ? t(at ? "how" : "run") : t("state"),
                        width: "96px",
                        cell: (row: Place) => {
                            if (!ended) return waitsFor(row.state);
                            return at ? endedSo(row.state) : <RunLink id={row.run_id} />;
                        },
                    },
                    {
                        id: "since",
                        title: t(ended ? "endedAt" : "since"),
                        width: "76px",
                        cell: (row: Place) => <Time at={row.since} form="ago" />,
                    },
                ]}
                empty={
                    <EmptyState
                        icon={IconUsers}
                        title={t(ended ? "noneEndedTitle" : "nobodyTitle")}
                        text={t(ended ? "noneEndedText" : "nobodyText")}
                    />
                }
            />
            {asked && at !== undefined && (
                <MoveDialog
                    name={name}
                    definition={definition}
                    at={at}
                    action={asked}
                    version={version}
                    runs={runs}
                    waiting={waiting}
                    close={() => setAsked(undefined)}
                    done={() => setSelected(new Set())}
                />
            )}
        </aside>
    );
}

const keyOf = (row: Place) => `${row.run_id} ${row.node ?? ""}`;

const nodeColumn = (title: string) => ({
    id: "node",
    title,
    width: "minmax(70px, 1fr)",
    cell: (row: Place) => (
        <span className="truncate" title={row.node ?? ""}>
            {row.node}
        </span>
    ),
});

function PersonCell({ row }: { row: Place }) {
    const t = useWords(canvasWords);
    return (
        <Link
            to="/runs/$id"
            params={{ id: row.run_id }}
            className="truncate"
            title={row.person ?? row.run_id}
        >
            {row.person ?? t("unnamed")}
        </Link>
    );
}
