import { IconPlugConnected } from "@tabler/icons-react";
import { CopyMenu } from "@/components/CopyMenu";
import { DemoButton } from "@/components/DemoButton";
import { EmptyState } from "@/components/EmptyState";
import { howToRun } from "@/components/howTo";
import { Page } from "@/components/Page";
import { FactList, SidePanel } from "@/components/SidePanel";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { calling } from "@/data/demos";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { CallAgain } from "./CallAgain";
import { operationsWords } from "./words";

type Target = Schemas["Target"];

// "open" of a task is something else.
const shown = (state: string) => (state === "open" ? "left_alone" : state);

/** Servers that steps call and that failed: whether they are left alone. */
export function TargetsTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(operationsWords);
    const targets = usePages<Target>({
        key: ["targets"],
        fetch: (_, signal) => call(api.GET("/v1/targets", { signal })),
        refetchInterval: 2_000,
    });
    const columns: Column<Target>[] = [
        {
            id: "target",
            title: t("target"),
            width: "minmax(160px, 2fr)",
            cell: (row) => <span className="truncate mono">{row.target}</span>,
        },
        {
            id: "state",
            title: t("status"),
            width: "130px",
            cell: (row) => <StatusBadge status={shown(row.state)} />,
        },
        {
            id: "until",
            title: t("triedAgain"),
            width: "110px",
            from: "sm",
            cell: (row) => <Time at={row.until} form="ago" />,
        },
        {
            id: "opened",
            title: t("opened"),
            width: "150px",
            align: "right",
            from: "md",
            cell: (row) => <span className="numbers">{row.opened}</span>,
        },
        {
            id: "error",
            title: t("lastError"),
            width: "minmax(160px, 2fr)",
            from: "md",
            cell: (row) => <span className="truncate">{row.error ?? "–"}</span>,
        },
    ];
    const chosen = targets.rows.find((row) => row.target === item);
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={
                <CopyMenu curl="/v1/targets" sql="select * from pawl.circuit order by target;" />
            }
        >
            <DataTable
                label={t("targets")}
                columns={columns}
                rows={targets.rows}
                rowKey={(row) => row.target}
                state={targets}
                current={item}
                onOpen={(row) => show(row.target)}
                empty={
                    <EmptyState
                        icon={IconPlugConnected}
                        title={t("noTargets")}
                        text={t("noTargetsText")}
                        {...howToRun(calling)}
                    >
                        <DemoButton demo="calling">{t("callNoOne")}</DemoButton>
                    </EmptyState>
                }
            />
            {chosen && <TargetPanel target={chosen} close={() => show(undefined)} />}
        </Page>
    );
}

function TargetPanel({ target, close }: { target: Target; close: () => void }) {
    const t = useWords(operationsWords);
    const may = useMay("runs:write");
    return (
        <SidePanel
            title={target.target}
            close={close}
            actions={
                may && <CallAgain target={target.target} disabled={target.workers_open === 0} />
            }
        >
            <FactList
                facts={[
                    [t("status"), <StatusBadge key="state" status={shown(target.state)} />],
                    [t("triedAgain"), <Time key="until" at={target.until} form="ago" />],
                    [t("opened"), String(target.opened)],
                    [
                        t("workers"),
                        t("workersOpen", { open: target.workers_open, count: target.workers }),
                    ],
                    [t("lastError"), target.error ?? "–"],
                    [t("changed"), <Time key="changed" at={target.changed_at} form="ago" />],
                ]}
            />
        </SidePanel>
    );
}
