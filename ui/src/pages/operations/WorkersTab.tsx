import { Button } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconServer } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { Deed } from "@/components/Deed";
import { EmptyState } from "@/components/EmptyState";
import { IdText } from "@/components/IdText";
import { Page } from "@/components/Page";
import { FactList, SidePanel } from "@/components/SidePanel";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { operationsWords } from "./words";

type Worker = Schemas["Worker"];

/** Who carries out runs, how many they hold, when they were heard of. */
export function WorkersTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(operationsWords);
    const workers = usePages<Worker>({
        key: ["workers"],
        fetch: (_, signal) => call(api.GET("/v1/workers", { signal })),
        refetchInterval: 2_000,
    });
    const columns: Column<Worker>[] = [
        {
            id: "host",
            title: t("machine"),
            width: "minmax(130px, 2fr)",
            cell: (row) => <span className="truncate">{`${row.host} · ${row.pid}`}</span>,
        },
        {
            id: "status",
            title: t("status"),
            width: "120px",
            cell: (row) => <StatusBadge status={row.status} />,
        },
        {
            id: "runs",
            title: t("held"),
            width: "80px",
            align: "right",
            cell: (row) => <span className="numbers">{row.runs}</span>,
        },
        {
            id: "version",
            title: t("version"),
            width: "120px",
            from: "md",
            cell: (row) => <span className="truncate mono">{row.version}</span>,
        },
        {
            id: "beat",
            title: t("beat"),
            width: "110px",
            from: "sm",
            cell: (row) => <Time at={row.beat_at} form="ago" />,
        },
        {
            id: "since",
            title: t("since"),
            width: "120px",
            from: "md",
            cell: (row) => <Time at={row.started_at} />,
        },
    ];
    const chosen = workers.rows.find((row) => row.id === item);
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={<CopyMenu curl="/v1/workers" sql="select * from pawl.worker;" />}
        >
            <DataTable
                label={t("workers")}
                columns={columns}
                rows={workers.rows}
                rowKey={(row) => row.id}
                state={workers}
                current={item}
                onOpen={(row) => show(row.id)}
                empty={
                    <EmptyState
                        icon={IconServer}
                        title={t("noWorkers")}
                        text={t("noWorkersText")}
                        command="pawl worker"
                        curl={{ curl: "/v1/workers" }}
                    >
                        <Button
                            variant="light"
                            renderRoot={(props) => (
                                <Link to="/operations" search={{ tab: "overview" }} {...props} />
                            )}
                        >
                            {t("whatIsWrong")}
                        </Button>
                    </EmptyState>
                }
            />
            {chosen && <WorkerPanel worker={chosen} close={() => show(undefined)} />}
        </Page>
    );
}

function WorkerPanel({ worker, close }: { worker: Worker; close: () => void }) {
    const t = useWords(operationsWords);
    const admin = useMay("admin");
    const { id } = worker;
    const name = `${worker.host} · ${worker.pid}`;
    const path = { params: { path: { id } } };
    return (
        <SidePanel
            title={name}
            close={close}
            actions={
                admin &&
                (worker.draining_since ? (
                    <Deed
                        label={t("workAgain")}
                        icon={<IconPlayerPlay size={14} />}
                        says={t("workAgainSays", { name })}
                        copy={{ curl: `/v1/workers/${id}/resume`, method: "POST" }}
                        run={() => call(api.POST("/v1/workers/{id}/resume", path))}
                        done={t("worksAgain")}
                        changes={[["workers"]]}
                    />
                ) : (
                    <Deed
                        label={t("drain")}
                        icon={<IconPlayerPause size={14} />}
                        says={t("drainSays", { name })}
                        copy={{ curl: `/v1/workers/${id}/drain`, method: "POST" }}
                        run={() => call(api.POST("/v1/workers/{id}/drain", path))}
                        done={t("drains")}
                        changes={[["workers"]]}
                    />
                ))
            }
        >
            <FactList
                facts={[
                    [t("status"), <StatusBadge key="status" status={worker.status} />],
                    [t("held"), String(worker.runs)],
                    [t("beat"), <Time key="beat" at={worker.beat_at} form="ago" />],
                    [t("since"), <Time key="since" at={worker.started_at} />],
                    [t("version"), worker.version],
                    ["id", <IdText key="id" id={id} />],
                ]}
            />
        </SidePanel>
    );
}
