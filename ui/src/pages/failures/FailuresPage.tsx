import { Badge, Group, SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { Page } from "@/components/Page";
import { Time } from "@/components/Time";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import type { Keys } from "@/components/table/select";
import { request } from "@/data/api";
import { useLive } from "@/data/live";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import type { Failing } from "./data";
import { EmptyFailures } from "./EmptyFailures";
import classes from "./Failures.module.css";
import { GroupSelection } from "./GroupSelection";
import { GroupView } from "./GroupView";
import { Sparkline } from "./Sparkline";
import { failuresWords } from "./words";

function useColumns(): Column<Failing>[] {
    const t = useWords(failuresWords);
    const sum = (pulse: number[]) => pulse.reduce((all, one) => all + one, 0);
    return [
        {
            id: "message",
            title: t("error"),
            width: "minmax(140px, 4fr)",
            cell: (one) => (
                <span className={one.muted ? classes.muted : ""}>
                    {one.muted && <Badge color="gray">{t("muted")}</Badge>} {one.message}
                </span>
            ),
        },
        {
            id: "workflow",
            title: t("workflow"),
            width: "minmax(100px, 1fr)",
            from: "sm",
            cell: (one) => one.workflow,
        },
        {
            id: "step",
            title: t("step"),
            width: "minmax(80px, 1fr)",
            from: "md",
            cell: (one) => one.step ?? "",
        },
        {
            id: "pulse",
            title: t("day"),
            width: "112px",
            from: "md",
            cell: (one) => (
                <Sparkline pulse={one.pulse} label={t("pulse", { count: sum(one.pulse) })} />
            ),
        },
        {
            id: "count",
            title: t("count"),
            width: "70px",
            align: "right",
            cell: (one) => one.count.toLocaleString(),
        },
        {
            id: "first",
            title: t("first"),
            width: "100px",
            from: "lg",
            cell: (one) => <Time at={one.first_at} form="ago" />,
        },
        {
            id: "last",
            title: t("last"),
            width: "90px",
            cell: (one) => <Time at={one.last_at} form="ago" />,
        },
    ];
}

/** Runs that gave up, by the error they have in common. */
export function FailuresPage() {
    const t = useWords(failuresWords);
    const navigate = useNavigate();
    const { group, job, view } = useSearch({ from: "/shell/failures" });
    const paused = useLive((state) => state.paused);
    const columns = useColumns();
    const may = useMay("runs:write");
    const [selected, setSelected] = useState<Keys>(new Set());
    const query = useQuery({
        queryKey: ["dead-letters", "groups"],
        refetchInterval: paused ? false : 10_000,
        queryFn: () =>
            request<{ data: Failing[]; complete?: boolean }>("GET", "/v1/dead-letters/groups"),
    });
    const all = query.data?.data ?? [];
    const muted = view === "muted";
    const rows = all.filter((one) => (one.muted !== null) === muted);
    const state = {
        ...query,
        hasNextPage: false,
        isFetchingNextPage: false,
        fetchNextPage: () => 0,
    };
    const views = muted ? { view: "muted" } : {};
    const chosen = all.find((one) => one.fingerprint === group);
    return (
        <Page
            title={t("title")}
            filled
            actions={
                <CopyMenu
                    curl="/v1/dead-letters/groups"
                    cli="dead-letters list"
                    sql={`select workflow_name, error_step, error_message, count(*)\nfrom workflow_executions\nwhere status = 'failed'\ngroup by 1, 2, 3\norder by 4 desc;`}
                />
            }
            bar={
                <Group justify="space-between">
                    <SegmentedControl
                        aria-label={t("title")}
                        value={muted ? "muted" : "failing"}
                        onChange={(value) => {
                            setSelected(new Set());
                            void navigate({
                                to: ".",
                                search: value === "muted" ? { view: value } : {},
                            });
                        }}
                        data={[
                            { value: "failing", label: t("failing") },
                            {
                                value: "muted",
                                label: `${t("muted")} ${all.filter((one) => one.muted).length || ""}`,
                            },
                        ]}
                    />
                    {query.data?.complete === false && <Text size="xs">{t("more")}</Text>}
                </Group>
            }
        >
            <DataTable
                label={t("title")}
                rows={rows}
                state={state}
                rowKey={(one) => one.fingerprint}
                current={group}
                onOpen={(one) =>
                    void navigate({ to: ".", search: { ...views, group: one.fingerprint } })
                }
                columns={columns}
                {...(may ? { selected, onSelect: setSelected } : {})}
                empty={<EmptyFailures muted={muted} />}
            />
            {may && (
                <GroupSelection
                    groups={rows.filter((one) => selected.has(one.fingerprint))}
                    muted={muted}
                    clear={() => setSelected(new Set())}
                />
            )}
            {(group || job) && query.data && (
                <GroupView
                    group={chosen}
                    onClose={() => void navigate({ to: ".", search: views })}
                />
            )}
        </Page>
    );
}
