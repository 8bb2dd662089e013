import { IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import { ListPage } from "@/components/ListPage";
import { SecretOnce } from "@/components/SecretOnce";
import { StatusBadge } from "@/components/StatusBadge";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { api, call } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { WebhookDialog } from "./WebhookDialog";
import { WebhookPanel } from "./WebhookPanel";
import { addressOf, type Webhook } from "./webhook";
import { operationsWords } from "./words";

/** Who outside hears of what happens to runs, and whether they got it. */
export function WebhooksTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(operationsWords);
    const admin = useMay("admin");
    const [making, setMaking] = useState(false);
    const [secret, setSecret] = useState<string>();
    const webhooks = usePages<Webhook>({
        key: ["webhooks", "list"],
        fetch: (_, signal) => call(api.GET("/v1/webhooks", { signal })),
        refetchInterval: 5_000,
    });
    const columns: Column<Webhook>[] = [
        {
            id: "name",
            title: t("webhook"),
            width: "minmax(110px, 1fr)",
            cell: (row) => <span className="truncate">{row.name || `#${row.id}`}</span>,
        },
        {
            id: "address",
            title: t("address"),
            width: "minmax(140px, 2fr)",
            from: "sm",
            cell: (row) => <span className="truncate mono">{addressOf(row)}</span>,
        },
        {
            id: "events",
            title: t("events"),
            width: "minmax(90px, 1fr)",
            from: "md",
            cell: (row) => <span className="truncate mono">{row.events.join(", ") || "*"}</span>,
        },
        {
            id: "state",
            title: t("status"),
            width: "110px",
            cell: (row) => (
                <StatusBadge
                    status={!row.enabled ? "disabled" : row.next_at ? "failing" : "enabled"}
                />
            ),
        },
        {
            id: "waiting",
            title: t("waiting"),
            width: "80px",
            align: "right",
            cell: (row) => <span className="numbers">{row.waiting}</span>,
        },
    ];
    const chosen = webhooks.rows.find((row) => String(row.id) === item);
    return (
        <ListPage
            title={title}
            tabs={tabs}
            list={webhooks}
            create={admin && { label: t("newWebhook"), open: () => setMaking(true) }}
            copy={{ curl: "/v1/webhooks", cli: "webhooks list" }}
            label={t("webhooks")}
            columns={columns}
            rowKey={(row) => String(row.id)}
            current={item}
            onOpen={(row) => show(String(row.id))}
            teach={{
                icon: IconWebhook,
                title: t("noWebhooks"),
                text: t("noWebhooksText"),
                command: "pawl webhooks create --url https://example.com/hook --event 'run.*'",
                curl: {
                    curl: "/v1/webhooks",
                    method: "POST",
                    body: { url: "https://example.com/hook", events: ["run.*"] },
                },
            }}
        >
            {making && (
                <WebhookDialog
                    close={() => setMaking(false)}
                    made={(one) => {
                        setMaking(false);
                        setSecret(one.secret);
                    }}
                />
            )}
            {chosen && (
                <WebhookPanel webhook={chosen} close={() => show(undefined)} onSecret={setSecret} />
            )}
            {secret && (
                <SecretOnce
                    title={t("webhookSecret")}
                    label={t("webhookSecretText")}
                    secret={secret}
                    close={() => setSecret(undefined)}
                />
            )}
        </ListPage>
    );
}
