import { IconBan, IconKey } from "@tabler/icons-react";
import { useState } from "react";
import { Deed } from "@/components/Deed";
import { ListPage } from "@/components/ListPage";
import { SecretOnce } from "@/components/SecretOnce";
import { FactList, SidePanel } from "@/components/SidePanel";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { useRoleNames } from "@/words/roles";
import { Said } from "@/words/said";
import { KeyDialog } from "./KeyDialog";
import { settingsWords } from "./words";

type ApiKey = Schemas["ApiKey"];

/** API keys, without their secrets. */
export function KeysTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(settingsWords);
    const named = useRoleNames();
    const admin = useMay("admin");
    const [making, setMaking] = useState(false);
    const [secret, setSecret] = useState<string>();
    const keys = usePages<ApiKey>({
        key: ["keys"],
        fetch: (_, signal) => call(api.GET("/v1/keys", { signal })),
    });
    const columns: Column<ApiKey>[] = [
        {
            id: "name",
            title: t("keyName"),
            width: "minmax(120px, 2fr)",
            cell: (row) => <span className="truncate">{row.name}</span>,
        },
        {
            id: "prefix",
            title: t("prefix"),
            width: "150px",
            from: "sm",
            cell: (row) => <span className="truncate mono">{row.prefix}</span>,
        },
        {
            id: "rights",
            title: t("rights"),
            width: "minmax(90px, 1fr)",
            cell: ({ role, scopes }) => (
                <span className="truncate">
                    {[role && named(role), ...scopes].filter(Boolean).join(", ")}
                </span>
            ),
        },
        {
            id: "status",
            title: t("status"),
            width: "100px",
            cell: (row) => <StatusBadge status={row.status} />,
        },
        {
            id: "used",
            title: t("lastUsed"),
            width: "110px",
            from: "md",
            cell: (row) => <Time at={row.last_used_at} form="ago" />,
        },
        {
            id: "expires",
            title: t("expires"),
            width: "110px",
            from: "md",
            cell: (row) => <Time at={row.expires_at} form="ago" />,
        },
    ];
    const chosen = keys.rows.find((row) => row.prefix === item);
    return (
        <ListPage
            title={title}
            tabs={tabs}
            list={keys}
            create={admin && { label: t("newKey"), open: () => setMaking(true) }}
            copy={{ curl: "/v1/keys", cli: "keys list" }}
            label={t("keys")}
            columns={columns}
            rowKey={(row) => row.prefix}
            current={item}
            onOpen={(row) => show(row.prefix)}
            teach={{
                icon: IconKey,
                title: t("noKeys"),
                text: t("noKeysText"),
                command: "pawl keys create --name billing --scope runs:write",
                curl: {
                    curl: "/v1/keys",
                    method: "POST",
                    body: { name: "billing", scopes: ["runs:write"] },
                },
            }}
        >
            {making && (
                <KeyDialog
                    close={() => setMaking(false)}
                    made={(key) => {
                        setMaking(false);
                        setSecret(key);
                    }}
                />
            )}
            {secret && (
                <SecretOnce
                    title={t("newKey")}
                    label={t("keyText")}
                    secret={secret}
                    close={() => setSecret(undefined)}
                />
            )}
            {chosen && <KeyPanel apiKey={chosen} close={() => show(undefined)} />}
        </ListPage>
    );
}

function KeyPanel({ apiKey, close }: { apiKey: ApiKey; close: () => void }) {
    const t = useWords(settingsWords);
    const admin = useMay("admin");
    const { prefix } = apiKey;
    return (
        <SidePanel
            title={apiKey.name}
            close={close}
            actions={
                admin &&
                apiKey.status === "active" && (
                    <Deed
                        label={t("revoke")}
                        icon={<IconBan size={14} />}
                        danger
                        typed={prefix}
                        says={t("revokeSays", { name: apiKey.name })}
                        copy={{
                            curl: `/v1/keys/${prefix}`,
                            method: "DELETE",
                            cli: `keys revoke ${prefix}`,
                        }}
                        run={() =>
                            call(api.DELETE("/v1/keys/{prefix}", { params: { path: { prefix } } }))
                        }
                        done={t("revokedNow")}
                        changes={[["keys"]]}
                        onDone={close}
                    />
                )
            }
        >
            <FactList
                facts={[
                    [t("status"), <StatusBadge key="status" status={apiKey.status} />],
                    [
                        t("prefix"),
                        <span key="prefix" className="mono">
                            {prefix}
                        </span>,
                    ],
                    [
                        t("role"),
                        apiKey.role ? <Said key="role" kind="role" word={apiKey.role} /> : "–",
                    ],
                    [t("scopes"), apiKey.scopes.join(", ") || "–"],
                    [t("created"), <Time key="created" at={apiKey.created_at} />],
                    [t("lastUsed"), <Time key="used" at={apiKey.last_used_at} form="ago" />],
                    [
                        t("expires"),
                        apiKey.expires_at ? <Time key="end" at={apiKey.expires_at} /> : t("never"),
                    ],
                    ...(apiKey.revoked_at
                        ? [
                              [t("revokedAt"), <Time key="gone" at={apiKey.revoked_at} />] as [
                                  string,
                                  React.ReactNode,
                              ],
                          ]
                        : []),
                ]}
            />
        </SidePanel>
    );
}
