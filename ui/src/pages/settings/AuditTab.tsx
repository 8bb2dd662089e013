import { Group, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconListSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
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
import { settingsWords } from "./words";

type Entry = Schemas["AuditEntry"];

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Who did what, when, and from where. */
export function AuditTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(settingsWords);
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
    const keys = useQuery({
        queryKey: ["keys", "names"],
        queryFn: ({ signal }) => call(api.GET("/v1/keys", { signal })),
    });
    const names = new Map(keys.data?.data.map((one) => [one.prefix, one.name]));
    /** A key is known by what it is for. */
    const who = (row: Entry) => (row.person ? undefined : names.get(`pawl_${row.by}`));
    const columns: Column<Entry>[] = [
        { id: "at", title: t("at"), width: "120px", cell: (row) => <Time at={row.at} /> },
        {
            id: "by",
            title: t("by"),
            width: "minmax(90px, 1fr)",
            cell: (row) => (
                <span className="truncate" title={row.by}>
                    {who(row) ?? row.by}
                </span>
            ),
        },
        {
            id: "action",
            title: t("what"),
            width: "minmax(110px, 1fr)",
            cell: (row) => <span className="truncate mono">{row.action}</span>,
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
                <span className="truncate">{[row.door, row.peer].filter(Boolean).join(" · ")}</span>
            ),
        },
    ];
    const query = new URLSearchParams(filter).toString();
    const where = [by ? `by = ${quote(by)}` : "", action ? `action = ${quote(action)}` : ""].filter(
        Boolean,
    );
    const sql = `select * from pawl.audit${where.length ? ` where ${where.join(" and ")}` : ""} order by id desc limit 100;`;
    const chosen = entries.rows.find((row) => row.id === item);
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={
                <>
                    <Filter name="by" label={t("by")} value={by} />
                    <Filter name="action" label={t("what")} value={action} />
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
                <SidePanel title={chosen.action} close={() => show(undefined)}>
                    <FactList
                        facts={[
                            [t("at"), <Time key="at" at={chosen.at} />],
                            [t("by"), [who(chosen), chosen.by].filter(Boolean).join(" · ")],
                            [t("person"), chosen.person ? t("aPerson") : t("aKey")],
                            [
                                t("onWhat"),
                                <span key="to" className="mono">
                                    {chosen.target}
                                </span>,
                            ],
                            [t("answered"), String(chosen.status)],
                            [t("door"), chosen.door],
                            [t("peer"), chosen.peer ?? "–"],
                            [t("request"), chosen.request_id ?? "–"],
                        ]}
                    />
                </SidePanel>
            )}
        </Page>
    );
}

interface FilterProps {
    name: "by" | "action";
    label: string;
    value: string | undefined;
}

function Filter({ name, label, value }: FilterProps) {
    const navigate = useNavigate();
    const { by, action } = useSearch({ from: "/shell/settings" });
    const [text, setText] = useState(value ?? "");
    const apply = useDebouncedCallback((next: string) => {
        const search = { by, action, [name]: next.trim() };
        void navigate({
            to: "/settings",
            search: {
                tab: "audit",
                ...(search.by ? { by: search.by } : {}),
                ...(search.action ? { action: search.action } : {}),
            },
            replace: true,
        });
    }, 300);
    return (
        <Group>
            <TextInput
                aria-label={label}
                placeholder={label}
                w={130}
                value={text}
                onChange={(event) => {
                    setText(event.currentTarget.value);
                    apply(event.currentTarget.value);
                }}
            />
        </Group>
    );
}
