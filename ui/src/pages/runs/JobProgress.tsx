import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { RunLink } from "@/components/RunLink";
import { api, call, type Schemas } from "@/data/api";
import { queryClient, useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { runsWords } from "./words";

const over = (job: Schemas["Job"] | undefined) =>
    job !== undefined && job.status !== "queued" && job.status !== "running";

/** How far a job of the server is; it goes on when this is closed. */
export function JobProgress({ id, close }: { id: string; close: () => void }) {
    const t = useWords(runsWords);
    const c = useWords(commonWords);
    const may = useMay("runs:write");
    const { data: job, error } = useQuery({
        queryKey: ["jobs", id],
        queryFn: ({ signal }) =>
            call(api.GET("/v1/jobs/{id}", { params: { path: { id } }, signal })),
        refetchInterval: (query) => (over(query.state.data) ? false : 500),
    });
    const stop = useAct({
        run: () => call(api.POST("/v1/jobs/{id}/cancel", { params: { path: { id } }, body: {} })),
        changes: [["jobs", id]],
    });
    const done = over(job);
    useEffect(() => {
        if (done) void queryClient.invalidateQueries({ queryKey: ["runs"] });
    }, [done]);
    if (error) return <ErrorView error={error} />;
    if (!job) return <Loading />;
    const share = job.total > 0 ? ((job.done + job.failed) / job.total) * 100 : done ? 100 : 0;
    const ends = { done: t("jobDone"), cancelled: t("jobCancelled"), failed: t("jobFailed") };
    return (
        <Stack gap="sm">
            <Progress
                value={share}
                animated={!done}
                color={job.failed > 0 ? "yellow" : "pawl"}
                aria-label={t("progress", { done: job.done, total: job.total })}
            />
            <Text role="status" className="numbers">
                {done && <b>{ends[job.status as keyof typeof ends]} · </b>}
                {t("progress", { done: job.done, total: job.total })}
                {job.failed > 0 && ` · ${t("failedCount", { count: job.failed })}`}
            </Text>
            {job.error && <Text c="red">{job.error}</Text>}
            {job.examples?.map((one) => (
                <Text key={`${one.run} ${one.problem}`} size="xs">
                    {one.run && <RunLink id={one.run} />} {one.problem}
                </Text>
            ))}
            <Group justify="flex-end">
                {!done && may && (
                    <Button
                        variant="light"
                        color="red"
                        loading={stop.isPending}
                        onClick={() => stop.mutate()}
                    >
                        {t("stopJob")}
                    </Button>
                )}
                <Button variant="default" onClick={close}>
                    {c("close")}
                </Button>
            </Group>
        </Stack>
    );
}
