import { Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { CopyMenu } from "@/components/CopyMenu";
import { Deed } from "@/components/Deed";
import { Page } from "@/components/Page";
import { FactList, SidePanel } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { NoQueues } from "./NoQueues";
import { QueueMessages } from "./QueueMessages";
import { operationsWords } from "./words";

type Queue = Schemas["Queue"];

const most = 10_000;
const many = (count: number) => (count >= most ? `${most.toLocaleString()}+` : `${count}`);

/** Every database has these. */
const standard = new Set(["workflow_queue", "workflow_execution_queue", "workflow_dlq"]);
const ofPawl = (queue: Queue) => queue.kind === "own" || standard.has(queue.name);

/** What waits: in Pawl's own tables and in the queues of pgmq. */
export function QueuesTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(operationsWords);
    const queues = usePages<Queue>({
        key: ["queues"],
        fetch: (_, signal) => call(api.GET("/v1/queues", { signal })),
        refetchInterval: 5_000,
    });
    const columns: Column<Queue>[] = [
        {
            id: "name",
            title: t("queue"),
            width: "minmax(140px, 2fr)",
            cell: (row) => <span className="truncate">{row.name}</span>,
        },
        {
            id: "kind",
            title: t("kind"),
            width: "130px",
            from: "sm",
            cell: (row) => (row.kind === "own" ? t("ownQueue") : t("pgmqQueue")),
        },
        {
            id: "length",
            title: t("waiting"),
            width: "90px",
            align: "right",
            cell: (row) => <span className="numbers">{many(row.length)}</span>,
        },
        {
            id: "oldest",
            title: t("oldest"),
            width: "120px",
            cell: (row) => <Time at={row.oldest_at} form="ago" />,
        },
        {
            id: "starts",
            title: t("starts"),
            width: "minmax(120px, 1fr)",
            from: "md",
            cell: (row) => <Starts queue={row} />,
        },
    ];
    const chosen = queues.rows.find((row) => row.kind === "pgmq" && row.name === item);
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={<CopyMenu curl="/v1/queues" sql="select * from pgmq.metrics_all();" />}
        >
            <DataTable
                label={t("queues")}
                columns={columns}
                rows={queues.rows}
                rowKey={(row) => `${row.kind} ${row.name}`}
                state={queues}
                current={item ? `pgmq ${item}` : undefined}
                onOpen={(row) => row.kind === "pgmq" && show(row.name)}
                empty={<NoQueues />}
                below={queues.rows.every(ofPawl) && <NoQueues />}
            />
            {chosen && <QueuePanel queue={chosen} close={() => show(undefined)} />}
        </Page>
    );
}

function Starts({ queue }: { queue: Queue }) {
    const t = useWords(operationsWords);
    if (queue.kind === "own") return <span>–</span>;
    if (queue.workflow) return <span className="truncate">{queue.workflow}</span>;
    if (queue.starts === "trigger") return <span>{t("startsByTrigger")}</span>;
    return <span>{queue.starts ? t("startsByMessage") : t("notRead")}</span>;
}

function QueuePanel({ queue, close }: { queue: Queue; close: () => void }) {
    const t = useWords(operationsWords);
    const admin = useMay("admin");
    const { name } = queue;
    return (
        <SidePanel
            title={name}
            close={close}
            actions={
                <>
                    {admin && (
                        <Deed
                            label={t("purge")}
                            icon={<IconTrash size={14} />}
                            danger
                            says={t("purgeSays", { name, count: many(queue.length) })}
                            typed={name}
                            copy={{
                                curl: `/v1/queues/${encodeURIComponent(name)}/purge`,
                                method: "POST",
                                sql: `select pgmq.purge_queue('${name}');`,
                            }}
                            run={() =>
                                call(
                                    api.POST("/v1/queues/{name}/purge", {
                                        params: { path: { name } },
                                    }),
                                )
                            }
                            done={t("purged")}
                            changes={[["queues"], ["queue", name]]}
                        />
                    )}
                    <CopyMenu
                        curl={`/v1/queues/${encodeURIComponent(name)}/messages`}
                        sql={`select * from pgmq."q_${name.toLowerCase()}" order by msg_id limit 50;`}
                    />
                </>
            }
        >
            <FactList
                facts={[
                    [t("waiting"), many(queue.length)],
                    [t("visible"), many(queue.visible)],
                    [t("oldest"), <Time key="oldest" at={queue.oldest_at} form="ago" />],
                    [t("starts"), <Starts key="starts" queue={queue} />],
                    [t("deadLetters"), queue.dead_letter_queue ?? "–"],
                ]}
            />
            {admin ? <QueueMessages name={name} /> : <Text c="dimmed">{t("peekNeedsAdmin")}</Text>}
        </SidePanel>
    );
}
