import { Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { EmptyState } from "@/components/EmptyState";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useWords } from "@/words";
import { newestOf } from "./data";
import classes from "./People.module.css";
import { peopleWords } from "./words";

type Run = Schemas["Run"];

/** People of a table of the tenant's own: that is not searched, so these are who was in a run lately. */
export function Lately({ onOpen }: { onOpen: (key: string) => void }) {
    const t = useWords(peopleWords);
    const pages = usePages<Run>({
        key: ["runs", "people"],
        fetch: (cursor, signal) =>
            call(
                api.GET("/v1/runs", {
                    params: { query: { limit: 200, ...(cursor ? { cursor } : {}) } },
                    signal,
                }),
            ),
    });
    return (
        <>
            <Text size="xs" className={classes.elsewhere ?? ""}>
                {t("elsewhere")}
            </Text>
            <DataTable
                label={t("lately")}
                rows={newestOf(pages.rows)}
                state={pages}
                rowKey={(run) => run.subject}
                onOpen={(run) => onOpen(run.subject)}
                columns={[
                    {
                        id: "key",
                        title: t("key"),
                        width: "minmax(120px, 2fr)",
                        cell: (run) => run.subject,
                    },
                    {
                        id: "workflow",
                        title: t("latest"),
                        width: "minmax(100px, 1.4fr)",
                        cell: (run) => run.workflow,
                    },
                    {
                        id: "status",
                        title: t("state"),
                        width: "110px",
                        from: "sm",
                        cell: (run) => <StatusBadge status={run.status} />,
                    },
                    {
                        id: "at",
                        title: t("when"),
                        width: "90px",
                        cell: (run) => <Time at={run.created_at} form="ago" />,
                    },
                ]}
                empty={
                    <EmptyState
                        icon={IconUsers}
                        title={t("latelyNone")}
                        text={t("latelyNoneText")}
                        command="pawl people get KEY"
                    />
                }
            />
        </>
    );
}
