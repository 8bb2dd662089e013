import { Button, Progress, Stack, Text } from "@mantine/core";
import { IconGauge, IconPencil, IconRestore } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { Deed } from "@/components/Deed";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { FactList, SidePanel } from "@/components/SidePanel";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { LimitDialog } from "./LimitDialog";
import { asCli, bodyOf, keyOf, nameOf } from "./limits";
import { operationsWords } from "./words";

type Limit = Schemas["Limit"];

/** How many runs may be under way, how many are, and who waits. */
export function LimitsTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(operationsWords);
    const limits = usePages<Limit>({
        key: ["limits"],
        fetch: (cursor, signal) =>
            call(api.GET("/v1/limits", { params: { query: cursor ? { cursor } : {} }, signal })),
        refetchInterval: 3_000,
    });
    const columns: Column<Limit>[] = [
        {
            id: "name",
            title: t("limit"),
            width: "minmax(140px, 2fr)",
            cell: (row) => <span className="truncate">{nameOf(row)}</span>,
        },
        {
            id: "use",
            title: t("used"),
            width: "minmax(100px, 1fr)",
            cell: (row) => <Used limit={row} />,
        },
        {
            id: "running",
            title: t("runningOf"),
            width: "110px",
            align: "right",
            cell: (row) => <span className="numbers">{`${row.running} / ${row.limit}`}</span>,
        },
        {
            id: "waiting",
            title: t("waiting"),
            width: "90px",
            align: "right",
            from: "sm",
            cell: (row) => <span className="numbers">{row.waiting}</span>,
        },
        {
            id: "set",
            title: t("fromWhere"),
            width: "150px",
            from: "md",
            cell: (row) => (row.set === null ? t("fromDefinition") : t("setByHand")),
        },
    ];
    const chosen = limits.rows.find((row) => keyOf(row) === item);
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={<CopyMenu curl="/v1/limits" cli="limits list" />}
        >
            <DataTable
                label={t("limits")}
                columns={columns}
                rows={limits.rows}
                rowKey={keyOf}
                state={limits}
                current={item}
                onOpen={(row) => show(keyOf(row))}
                empty={
                    <EmptyState
                        icon={IconGauge}
                        title={t("noLimits")}
                        text={t("noLimitsText")}
                        command="pawl limits set concurrency 20 --workflow NAME"
                        curl={{
                            curl: "/v1/limits",
                            method: "POST",
                            body: { workflow: "NAME", name: "concurrency", limit: 20 },
                        }}
                    >
                        <Button component={Link} to="/workflows" variant="light">
                            {t("toWorkflows")}
                        </Button>
                    </EmptyState>
                }
            />
            {chosen && <LimitPanel limit={chosen} close={() => show(undefined)} />}
        </Page>
    );
}

function Used({ limit }: { limit: Limit }) {
    const t = useWords(operationsWords);
    const full = limit.limit === 0 || limit.running >= limit.limit;
    return (
        <Progress
            w="100%"
            value={limit.limit === 0 ? 100 : Math.min(100, (limit.running / limit.limit) * 100)}
            color={full ? "red" : "pawl"}
            aria-label={t("runningOfLimit", { running: limit.running, limit: limit.limit })}
        />
    );
}

function LimitPanel({ limit, close }: { limit: Limit; close: () => void }) {
    const t = useWords(operationsWords);
    const may = useMay("workflows:write") && limit.scope !== "global";
    const [editing, setEditing] = useState(false);
    const reset = bodyOf(limit, null);
    return (
        <SidePanel
            title={nameOf(limit)}
            close={close}
            actions={
                may && (
                    <>
                        <Button
                            variant="default"
                            leftSection={<IconPencil size={14} />}
                            onClick={() => setEditing(true)}
                        >
                            {t("setLimit")}
                        </Button>
                        {limit.set !== null && (
                            <Deed
                                label={t("resetLimit")}
                                icon={<IconRestore size={14} />}
                                says={t("resetLimitSays")}
                                copy={{
                                    curl: "/v1/limits",
                                    method: "POST",
                                    body: reset,
                                    cli: asCli(limit, null),
                                }}
                                run={() => call(api.POST("/v1/limits", { body: reset }))}
                                done={t("limitSet")}
                                changes={[["limits"]]}
                            />
                        )}
                    </>
                )
            }
        >
            <Stack gap="sm">
                <Used limit={limit} />
                <FactList
                    facts={[
                        [t("runningOf"), `${limit.running} / ${limit.limit}`],
                        [t("waiting"), String(limit.waiting)],
                        [t("fromDefinition"), String(limit.defined ?? "–")],
                        [t("setByHand"), String(limit.set ?? "–")],
                    ]}
                />
                {limit.waiting > 0 && <Text c="dimmed">{t("waitingText")}</Text>}
            </Stack>
            {editing && <LimitDialog limit={limit} close={() => setEditing(false)} />}
        </SidePanel>
    );
}
