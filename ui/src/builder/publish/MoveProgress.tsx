import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { RunLink } from "@/components/RunLink";
import { request } from "@/data/api";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { builderWords } from "../words";

interface Job {
    id: string;
    status: string;
    total: number;
    done: number;
    failed: number;
    counts?: Record<string, number>;
    examples?: { run?: string; problem: string; node?: string }[];
}

const isOver = (job: Job | undefined) =>
    job !== undefined && !["queued", "running", "paused"].includes(job.status);

/** How far the job is that moves people to the new version, and what became of them. */
export function MoveProgress({ id, onClose }: { id: string; onClose: () => void }) {
    const t = useWords(builderWords);
    const common = useWords(commonWords);
    const { data: job } = useQuery({
        queryKey: ["jobs", id],
        queryFn: () => request<Job>("GET", `/v1/jobs/${id}`),
        refetchInterval: (query) => (isOver(query.state.data) ? false : 500),
    });
    const over = isOver(job);
    const exits = job?.counts?.exits ?? 0;
    const seen = (job?.done ?? 0) + (job?.failed ?? 0) + exits;
    return (
        <Stack gap="sm" role="status">
            <Progress
                aria-label={t("moveProgress")}
                value={over ? 100 : (100 * seen) / Math.max(1, job?.total ?? 1)}
                animated={!over}
            />
            <Text size="sm">
                {over
                    ? t("moveDone", { moved: job?.done ?? 0, exits, left: job?.failed ?? 0 })
                    : t("moving", { done: seen, total: job?.total ?? 0 })}
            </Text>
            {job?.examples?.slice(0, 3).map((one) => (
                <Text key={one.run ?? one.problem} size="xs" c="dimmed">
                    {one.run && <RunLink id={one.run} />} {one.problem}
                </Text>
            ))}
            <Group justify="flex-end">
                <Button disabled={!over} onClick={onClose}>
                    {common("close")}
                </Button>
            </Group>
        </Stack>
    );
}
