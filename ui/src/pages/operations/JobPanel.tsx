import { Group, Progress, Stack, Text } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CopyMenu } from "@/components/CopyMenu";
import { Deed } from "@/components/Deed";
import { ErrorView } from "@/components/ErrorView";
import { IdText } from "@/components/IdText";
import { Loading } from "@/components/Loading";
import { RunLink } from "@/components/RunLink";
import { FactList, SidePanel } from "@/components/SidePanel";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { api, call, type Schemas } from "@/data/api";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { operationsWords } from "./words";

type Job = Schemas["Job"];

const over = (job: Job) => ["done", "failed", "cancelled"].includes(job.status);
const share = (job: Job) =>
    job.total > 0 ? ((job.done + job.failed) / job.total) * 100 : over(job) ? 100 : 0;

export function Bar({ job }: { job: Job }) {
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

export function JobPanel({ id, close }: { id: string; close: () => void }) {
    const kind = useSaid("job");
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
            title={
                job ? [kind(job.action ?? job.kind), job.workflow].filter(Boolean).join(" · ") : id
            }
            close={close}
            actions={
                <>
                    {may && job && !over(job) && audience && job.status !== "paused" && (
                        <Deed
                            label={t("pause")}
                            icon={<IconPlayerPause size={14} />}
                            says={t("pauseJobSays")}
                            copy={{
                                curl: `/v1/jobs/${id}/pause`,
                                method: "POST",
                                cli: `jobs pause ${id}`,
                            }}
                            run={() => call(api.POST("/v1/jobs/{id}/pause", path))}
                            changes={changes}
                        />
                    )}
                    {may && job?.status === "paused" && (
                        <Deed
                            label={t("resume")}
                            icon={<IconPlayerPlay size={14} />}
                            says={t("resumeJobSays")}
                            copy={{
                                curl: `/v1/jobs/${id}/resume`,
                                method: "POST",
                                cli: `jobs resume ${id}`,
                            }}
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
                            {one.run && <RunLink id={one.run} />}
                            <Text size="xs">{one.problem}</Text>
                        </Group>
                    ))}
                </Stack>
            )}
        </SidePanel>
    );
}
