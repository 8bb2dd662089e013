import { Button, CloseButton, Group, Text } from "@mantine/core";
import { IconDoorExit, IconPlayerTrackNext, IconUsers } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
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
    /** A node; or, with `ended`, those whose runs ended so. */
    at?: string | undefined;
    ended?: string | undefined;
    version?: string | undefined;
    /** How many wait there, as the counts say. */
    waiting: number;
    close: () => void;
}

/** Who is at a step; chosen ones, or all, are let go on or taken out. */
export function PeoplePanel({ name, definition, at, ended, version, waiting, close }: Props) {
    const t = useWords(canvasWords);
    const c = useWords(commonWords);
    const may = useMay("runs:write");
    const filter = { at, state: ended, version };
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
    const title = ended ? t(`ended_${ended}` as "ended_failed") : t("peopleAt", { node: at ?? "" });
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
                    {
                        id: "state",
                        title: ended ? t("run") : t("state"),
                        width: "96px",
                        cell: (row: Place) =>
                            ended ? <RunLink id={row.run_id} /> : waitsFor(row.state),
                    },
                    {
                        id: "since",
                        title: t("since"),
                        width: "76px",
                        cell: (row: Place) => <Time at={row.since} form="ago" />,
                    },
                ]}
                empty={
                    <EmptyState icon={IconUsers} title={t("nobodyTitle")} text={t("nobodyText")} />
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
