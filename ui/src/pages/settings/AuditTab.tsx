import { IconListSearch } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { actor } from "@/components/actor";
import { CopyMenu } from "@/components/CopyMenu";
import { sqlText } from "@/components/command";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { FactList, SidePanel } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useWords } from "@/words";
import { Said, useSaid } from "@/words/said";
import { ByFilter, DeedFilter } from "./AuditFilters";
import { deedOf, deedWords } from "./deeds";
import { settingsWords } from "./words";

type Entry = Schemas["AuditEntry"];

/** Who did what, when, and from where. */
export function AuditTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(settingsWords);
    const deeds = useWords(deedWords);
    const door = useSaid("door");
    const { by, action } = useSearch({ from: "/shell/settings" });
    const filter = { ...(by ? { by } : {}), ...(action ? { action } : {}) };
    const entries = usePages<Entry>({
        key: ["audit", by, action],
        fetch: (cursor, signal) =>
            call(
                api.GET("/v1/audit", {
                    params: { query: { ...filter, limit: 100, ...(cursor ? { cursor } : {}) } },
                    signal,
                }),
            ),
    });
    const columns: Column<Entry>[] = [
        { id: "at", title: t("at"), width: "120px", cell: (row) => <Time at={row.at} /> },
        {
            id: "by",
            title: t("by"),
            width: "minmax(90px, 1fr)",
            cell: (row) => (
                <span className="truncate" title={row.by}>
                    {row.by_name ?? row.by}
                </span>
            ),
        },
        {
            id: "action",
            title: t("what"),
            width: "minmax(110px, 1fr)",
            cell: (row) => (
                <span className="truncate" title={row.action}>
                    {deedOf(deeds, row.action)}
                </span>
            ),
        },
        {
            id: "target",
            title: t("onWhat"),
            width: "minmax(160px, 2fr)",
            from: "md",
            cell: (row) => <span className="truncate mono">{row.target}</span>,
        },
        {
            id: "where",
            title: t("fromWhere"),
            width: "150px",
            from: "sm",
            cell: (row) => (
                <span className="truncate">
                    {[door(row.door), row.peer].filter(Boolean).join(" · ")}
                </span>
            ),
        },
    ];
    const query = new URLSearchParams(filter).toString();
    const where = [
        by ? `by = ${sqlText(by)}` : "",
        action ? `action = ${sqlText(action)}` : "",
    ].filter(Boolean);
    const sql = `select * from pawl.audit${where.length ? ` where ${where.join(" and ")}` : ""} order by id desc limit 100;`;
    const chosen = entries.rows.find((row) => row.id === item);
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={
                <>
                    <ByFilter value={by} />
                    <DeedFilter value={action} />
                    <CopyMenu curl={`/v1/audit${query ? `?${query}` : ""}`} sql={sql} />
                </>
            }
        >
            <DataTable
                label={t("audit")}
                columns={columns}
                rows={entries.rows}
                rowKey={(row) => row.id}
                state={entries}
                current={item}
                onOpen={(row) => show(row.id)}
                empty={
                    <EmptyState
                        icon={IconListSearch}
                        title={t("noAudit")}
                        text={t("noAuditText")}
                    />
                }
            />
            {chosen && (
                <SidePanel title={deedOf(deeds, chosen.action)} close={() => show(undefined)}>
                    <FactList
                        facts={[
                            [t("at"), <Time key="at" at={chosen.at} />],
                            [t("by"), actor(chosen.by, chosen.by_name)],
                            [t("person"), chosen.person ? t("aPerson") : t("aKey")],
                            [
                                t("onWhat"),
                                <span key="to" className="mono">
                                    {chosen.target}
                                </span>,
                            ],
                            [
                                t("operation"),
                                <span key="what" className="mono">
                                    {chosen.action}
                                </span>,
                            ],
                            [t("answered"), String(chosen.status)],
                            [t("door"), <Said key="door" kind="door" word={chosen.door} />],
                            [t("peer"), chosen.peer ?? "–"],
                            [t("request"), chosen.request_id ?? "–"],
                        ]}
                    />
                </SidePanel>
            )}
        </Page>
    );
}
