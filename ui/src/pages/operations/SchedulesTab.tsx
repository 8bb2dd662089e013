import { useLingui } from "@lingui/react";
import { Button } from "@mantine/core";
import { IconCalendarTime } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
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
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { cronInWords } from "./cron";
import { SchedulePanel } from "./SchedulePanel";
import { operationsWords } from "./words";

type Schedule = Schemas["Schedule"];

const nightly = {
    name: "report",
    triggers: [{ cron: "0 9 * * 1-5", timezone: "Asia/Bangkok" }],
    steps: [{ name: "write", code: "echo", input: { of: "{{ scheduled_at }}" } }],
};

/** Cron triggers of all workflows: in words, when next, what they did. */
export function SchedulesTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(operationsWords);
    const { i18n } = useLingui();
    const may = useMay("workflows:write");
    const schedules = usePages<Schedule>({
        key: ["schedules", "list"],
        fetch: (cursor, signal) =>
            call(
                api.GET("/v1/schedules", {
                    params: { query: { limit: 100, ...(cursor ? { cursor } : {}) } },
                    signal,
                }),
            ),
        refetchInterval: 5_000,
    });
    const columns: Column<Schedule>[] = [
        {
            id: "workflow",
            title: t("workflow"),
            width: "minmax(120px, 1fr)",
            cell: (row) => <span className="truncate">{row.workflow}</span>,
        },
        {
            id: "when",
            title: t("when"),
            width: "minmax(150px, 2fr)",
            from: "sm",
            cell: (row) => (
                <span className="truncate">
                    {cronInWords(row.cron, i18n.locale)} · {row.timezone}
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
            id: "next",
            title: t("next"),
            width: "110px",
            cell: (row) => <Time at={row.next_at} form="ago" />,
        },
        {
            id: "fired",
            title: t("fired"),
            width: "80px",
            align: "right",
            from: "md",
            cell: (row) => <span className="numbers">{row.fired}</span>,
        },
        {
            id: "missed",
            title: t("leftOut"),
            width: "90px",
            align: "right",
            from: "md",
            cell: (row) => <span className="numbers">{row.skipped + row.missed}</span>,
        },
    ];
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={<CopyMenu curl="/v1/schedules" cli="schedules list" />}
        >
            <DataTable
                label={t("schedules")}
                columns={columns}
                rows={schedules.rows}
                rowKey={(row) => String(row.id)}
                state={schedules}
                current={item}
                onOpen={(row) => show(String(row.id))}
                empty={
                    <EmptyState
                        icon={IconCalendarTime}
                        title={t("noSchedules")}
                        text={t("noSchedulesText")}
                        command="pawl new workflow report --template nightly && pawl workflows apply -f report.yaml"
                        curl={{ curl: "/v1/workflows", method: "POST", body: nightly }}
                    >
                        {may && (
                            <Button
                                variant="light"
                                renderRoot={(props) => <Link to="/new-workflow" {...props} />}
                            >
                                {t("newWorkflow")}
                            </Button>
                        )}
                    </EmptyState>
                }
            />
            {item && /^\d+$/.test(item) && (
                <SchedulePanel id={Number(item)} close={() => show(undefined)} />
            )}
        </Page>
    );
}
