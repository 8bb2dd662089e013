import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { Time } from "@/components/Time";
import { DataTable } from "@/components/table/DataTable";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { failuresWords } from "./words";

interface Failing {
    fingerprint: string;
    workflow: string;
    step: string | null;
    message: string;
    count: number;
    first_at: string;
    last_at: string;
    sample_run_id: string;
}

/** Runs that gave up, by the error they have in common. */
export function FailuresPage() {
    const t = useWords(failuresWords);
    const common = useWords(commonWords);
    const navigate = useNavigate();
    const may = useMay("runs:write");
    const [chosen, choose] = useState<Failing>();
    const query = useQuery({
        queryKey: ["dead-letters", "groups"],
        queryFn: () =>
            request<{ data: Failing[]; complete?: boolean }>("GET", "/v1/dead-letters/groups"),
    });
    const rows = query.data?.data ?? [];
    const state = {
        ...query,
        hasNextPage: false,
        isFetchingNextPage: false,
        fetchNextPage: () => 0,
    };
    const replay = useAct({
        run: (group: Failing) =>
            request<{ id: string }>("POST", "/v1/dead-letters/replay", {
                fingerprint: group.fingerprint,
                workflow: group.workflow,
            }),
        done: (job) => t("replaying", { id: job.id }),
        changes: [["dead-letters"], ["runs"], ["jobs"]],
        onDone: () => choose(undefined),
    });
    return (
        <Page
            title={t("title")}
            filled
            actions={<CopyMenu curl="/v1/dead-letters/groups" cli="dead-letters groups" />}
            {...(query.data?.complete === false ? { bar: <Text size="xs">{t("more")}</Text> } : {})}
        >
            <DataTable
                label={t("title")}
                rows={rows}
                state={state}
                rowKey={(one) => `${one.workflow} ${one.fingerprint}`}
                onOpen={choose}
                columns={[
                    {
                        id: "message",
                        title: t("error"),
                        width: "minmax(200px, 4fr)",
                        cell: (one: Failing) => one.message,
                    },
                    {
                        id: "workflow",
                        title: t("workflow"),
                        width: "minmax(100px, 1fr)",
                        from: "sm",
                        cell: (one: Failing) => one.workflow,
                    },
                    {
                        id: "step",
                        title: t("step"),
                        width: "minmax(80px, 1fr)",
                        from: "md",
                        cell: (one: Failing) => one.step ?? "",
                    },
                    {
                        id: "count",
                        title: t("count"),
                        width: "80px",
                        align: "right",
                        cell: (one: Failing) => one.count.toLocaleString(),
                    },
                    {
                        id: "last",
                        title: t("last"),
                        width: "110px",
                        cell: (one: Failing) => <Time at={one.last_at} form="ago" />,
                    },
                ]}
                empty={
                    <EmptyState icon={IconCircleCheck} title={t("empty")} text={t("emptyText")} />
                }
            />
            {chosen && (
                <Modal opened onClose={() => choose(undefined)} title={chosen.workflow}>
                    <Stack gap="sm">
                        <Text className="mono" size="sm" style={{ whiteSpace: "pre-wrap" }}>
                            {chosen.message}
                        </Text>
                        <Text size="xs" c="dimmed">
                            {t("first")}: <Time at={chosen.first_at} form="ago" /> · {t("last")}:{" "}
                            <Time at={chosen.last_at} form="ago" /> · {chosen.fingerprint}
                        </Text>
                        <Text size="sm">{t("replayHelp")}</Text>
                        <Group justify="flex-end">
                            <Button variant="default" onClick={() => choose(undefined)}>
                                {common("cancel")}
                            </Button>
                            <Button
                                variant="default"
                                onClick={() =>
                                    navigate({ to: `/runs/${chosen.sample_run_id}` as "/runs" })
                                }
                            >
                                {t("example")}
                            </Button>
                            {may && (
                                <Button
                                    loading={replay.isPending}
                                    onClick={() => replay.mutate(chosen)}
                                >
                                    {t("replayAll", { count: chosen.count })}
                                </Button>
                            )}
                        </Group>
                    </Stack>
                </Modal>
            )}
        </Page>
    );
}
