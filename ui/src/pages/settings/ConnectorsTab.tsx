import { Badge } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { api, call } from "@/data/api";
import { usePages } from "@/data/queries";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { ConnectorPanel } from "./ConnectorPanel";
import { accountsOf, type Connector } from "./connectors";
import { settingsWords } from "./words";

/** Providers of messages, and the accounts at them. */
export function ConnectorsTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(settingsWords);
    const named = useChannelNames();
    const connectors = usePages<Connector>({
        key: ["connectors"],
        fetch: (_, signal) => call(api.GET("/v1/connectors", { signal })),
    });
    const counts = useQueries({
        queries: connectors.rows.map((one) => accountsOf(one.account_of)),
    });
    const count = (row: Connector) => {
        const place = connectors.rows.indexOf(row);
        return counts[place]?.data?.data?.length;
    };
    const columns: Column<Connector>[] = [
        {
            id: "title",
            title: t("connector"),
            width: "minmax(130px, 2fr)",
            cell: (row) => <span className="truncate">{row.title}</span>,
        },
        {
            id: "channels",
            title: t("channels"),
            width: "minmax(90px, 1fr)",
            cell: (row) => <span className="truncate">{row.channels.map(named).join(", ")}</span>,
        },
        {
            id: "own",
            title: t("from"),
            width: "130px",
            from: "md",
            cell: (row) => (row.own ? t("ownConnector") : t("builtIn")),
        },
        {
            id: "hooks",
            title: t("hooks"),
            width: "110px",
            from: "md",
            cell: (row) => (row.hooks ? t("tellsOutcome") : "–"),
        },
        {
            id: "accounts",
            title: t("accounts"),
            width: "90px",
            align: "right",
            cell: (row) => (
                <Badge variant={count(row) ? "light" : "default"}>{count(row) ?? "…"}</Badge>
            ),
        },
    ];
    const chosen = connectors.rows.find((row) => row.name === item);
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={<CopyMenu curl="/v1/connectors" cli="connectors list" />}
        >
            <DataTable
                label={t("connectors")}
                columns={columns}
                rows={connectors.rows}
                rowKey={(row) => row.name}
                state={connectors}
                current={item}
                onOpen={(row) => show(row.name)}
                empty={<EmptyState icon={IconPlugConnected} title={t("noConnectors")} />}
            />
            {chosen && <ConnectorPanel connector={chosen} close={() => show(undefined)} />}
        </Page>
    );
}
