import { Group, Progress, Select, Stack, Text } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconStack2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { Deed } from "@/components/Deed";
import { EmptyState } from "@/components/EmptyState";
import { ErrorView } from "@/components/ErrorView";
import { IdText } from "@/components/IdText";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { FactList, SidePanel } from "@/components/SidePanel";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { type Column, DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { statusWords } from "@/words/statuses";
import type { TabProps } from "./OperationsPage";
import { operationsWords } from "./words";

type Job = Schemas["Job"];

const states = ["queued", "running", "paused", "done", "failed", "cancelled"] as const;
const over = (job: Job) => ["done", "failed", "cancelled"].includes(job.status);
const share = (job: Job) =>
    job.total > 0 ? ((job.done + job.failed) / job.total) * 100 : over(job) ? 100 : 0;

/** Work of the servers in the background, with how far it is. */
export function JobsTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(operationsWords);
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
                    {[row.action ?? row.kind, row.workflow].filter(Boolean).join(" · ")}
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
                        command="pawl runs bulk retry --workflow welcome --yes"
                    />
                }
            />
            {item && <JobPanel id={item} close={() => show(undefined)} />}
        </Page>
    );
}

function Bar({ job }: { job: Job }) {
    const t = useWords(operationsWords);
    return (
        <Progress
            w="100%"
            value={share(job)}
            animated={job.status === "running"}
            color={job.failed > 0 ? "yellow" : "pawl"}
            aria-label={t("progressOf", { done: job.done, total: job.total })}
        />
    );
}

function JobPanel({ id, close }: { id: string; close: () => void }) {
    const t = useWords(operationsWords);
    const may = useMay("runs:write");
    const path = { params: { path: { id } } };
    const { data: job, error } = useQuery({
        queryKey: ["jobs", id],
        queryFn: ({ signal }) => call(api.GET("/v1/jobs/{id}", { ...path, signal })),
        refetchInterval: (query) =>
            query.state.data && over(query.state.data as Job) ? false : 1_000,
    });
    const changes = [["jobs"]];
    const audience = job?.schedule !== undefined && job.schedule !== null;
    return (
        <SidePanel
            title={job ? [job.action ?? job.kind, job.workflow].filter(Boolean).join(" · ") : id}
            close={close}
            actions={
                <>
                    {may && job && !over(job) && audience && job.status !== "paused" && (
                        <Deed
                            label={t("pause")}
                            icon={<IconPlayerPause size={14} />}
                            says={t("pauseJobSays")}
                            copy={{ curl: `/v1/jobs/${id}/pause`, method: "POST" }}
                            run={() => call(api.POST("/v1/jobs/{id}/pause", path))}
                            changes={changes}
                        />
                    )}
                    {may && job?.status === "paused" && (
                        <Deed
                            label={t("resume")}
                            icon={<IconPlayerPlay size={14} />}
                            says={t("resumeJobSays")}
                            copy={{ curl: `/v1/jobs/${id}/resume`, method: "POST" }}
                            run={() => call(api.POST("/v1/jobs/{id}/resume", path))}
                            changes={changes}
                        />
                    )}
                    {may && job && !over(job) && (
                        <Deed
                            label={t("cancelJob")}
                            icon={<IconPlayerStop size={14} />}
                            danger
                            says={t("cancelJobSays")}
                            copy={{
                                curl: `/v1/jobs/${id}/cancel`,
                                method: "POST",
                                cli: `jobs cancel ${id}`,
                            }}
                            run={() =>
                                call(api.POST("/v1/jobs/{id}/cancel", { ...path, body: {} }))
                            }
                            done={t("jobCancelled")}
                            changes={changes}
                        />
                    )}
                    <CopyMenu curl={`/v1/jobs/${id}`} cli={`jobs show ${id}`} />
                </>
            }
        >
            {error && <ErrorView error={error} />}
            {!job && !error && <Loading />}
            {job && (
                <Stack gap="sm">
                    <Bar job={job} />
                    <FactList
                        facts={[
                            [t("status"), <StatusBadge key="status" status={job.status} />],
                            [
                                t("progress"),
                                <span key="progress" role="status" className="numbers">
                                    {t("progressOf", { done: job.done, total: job.total })}
                                    {job.failed > 0 && ` · ${t("failed", { count: job.failed })}`}
                                </span>,
                            ],
                            ...Object.entries(job.counts ?? {}).map(
                                ([name, count]): [string, string] => [name, String(count)],
                            ),
                            [t("created"), <Time key="created" at={job.created_at} form="ago" />],
                            [t("changed"), <Time key="changed" at={job.updated_at} form="ago" />],
                            ["id", <IdText key="id" id={id} />],
                        ]}
                    />
                    {job.error && <Text c="red">{job.error}</Text>}
                    {(job.examples ?? []).map((one) => (
                        <Group key={`${one.run} ${one.problem}`} gap="xs" wrap="nowrap">
                            {one.run && (
                                <Link to="/runs/$id" params={{ id: one.run }} className="mono">
                                    {one.run.slice(0, 8)}
                                </Link>
                            )}
                            <Text size="xs">{one.problem}</Text>
                        </Group>
                    ))}
                </Stack>
            )}
        </SidePanel>
    );
}
