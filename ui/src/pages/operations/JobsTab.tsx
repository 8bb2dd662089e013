import { Button, Select } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { statusWords } from "@/words/statuses";
import { Bar, JobPanel } from "./JobPanel";
import { operationsWords } from "./words";

type Job = Schemas["Job"];

const states = ["queued", "running", "paused", "done", "failed", "cancelled"] as const;

/** Work of the servers in the background, with how far it is. */
export function JobsTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(operationsWords);
    const kind = useSaid("job");
    const s = useWords(statusWords);
    const navigate = useNavigate();
    const { status } = useSearch({ from: "/shell/operations" });
    const wanted = states.find((one) => one === status);
    const jobs = usePages<Job>({
        key: ["jobs", "list", wanted],
        fetch: (cursor, signal) =>
            call(
                api.GET("/v1/jobs", {
                    params: {
                        query: {
                            ...(wanted ? { status: wanted } : {}),
                            ...(cursor ? { cursor } : {}),
                        },
                    },
                    signal,
                }),
            ),
        refetchInterval: 2_000,
    });
    const columns: Column<Job>[] = [
        {
            id: "kind",
            title: t("job"),
            width: "minmax(130px, 2fr)",
            cell: (row) => (
                <span className="truncate">
                    {[kind(row.action ?? row.kind), row.workflow].filter(Boolean).join(" · ")}
                </span>
            ),
        },
        {
            id: "status",
            title: t("status"),
            width: "120px",
            cell: (row) => <StatusBadge status={row.status} />,
        },
        {
            id: "progress",
            title: t("progress"),
            width: "minmax(120px, 1fr)",
            from: "sm",
            cell: (row) => <Bar job={row} />,
        },
        {
            id: "counts",
            title: t("doneOf"),
            width: "150px",
            align: "right",
            from: "md",
            cell: (row) => (
                <span className="numbers">{`${row.done + row.failed} / ${row.total}`}</span>
            ),
        },
        {
            id: "created",
            title: t("created"),
            width: "110px",
            cell: (row) => <Time at={row.created_at} form="ago" />,
        },
    ];
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={
                <>
                    <Select
                        aria-label={t("status")}
                        placeholder={t("anyStatus")}
                        clearable
                        w={150}
                        value={wanted ?? null}
                        data={states.map((value) => ({ value, label: s(value) }))}
                        onChange={(value) =>
                            void navigate({
                                to: "/operations",
                                search: { tab: "jobs", ...(value ? { status: value } : {}) },
                            })
                        }
                    />
                    <CopyMenu
                        curl={`/v1/jobs${wanted ? `?status=${wanted}` : ""}`}
                        cli={`jobs list${wanted ? ` --status ${wanted}` : ""}`}
                    />
                </>
            }
        >
            <DataTable
                label={t("jobs")}
                columns={columns}
                rows={jobs.rows}
                rowKey={(row) => row.id}
                state={jobs}
                current={item}
                onOpen={(row) => show(row.id)}
                empty={
                    <EmptyState
                        icon={IconStack2}
                        title={t("noJobs")}
                        text={t("noJobsText")}
                        command="pawl runs bulk retry --status failed --yes"
                        curl={{
                            curl: "/v1/runs/bulk",
                            method: "POST",
                            body: { action: "retry", filter: { status: ["failed"] } },
                        }}
                    >
                        <Button
                            variant="light"
                            renderRoot={(props) => (
                                <Link to="/runs" search={{ status: "failed" }} {...props} />
                            )}
                        >
                            {t("toFailedRuns")}
                        </Button>
                    </EmptyState>
                }
            />
            {item && <JobPanel id={item} close={() => show(undefined)} />}
        </Page>
    );
}
