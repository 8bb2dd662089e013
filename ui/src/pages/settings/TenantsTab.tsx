import { Button, TextInput } from "@mantine/core";
import { IconBuilding, IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { FormDialog } from "@/components/FormDialog";
import { ListPage } from "@/components/ListPage";
import { SecretOnce } from "@/components/SecretOnce";
import { FactList, SidePanel } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { api, call, type Schemas } from "@/data/api";
import { useAct, usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { LimitsDialog, limits } from "./TenantLimits";
import { settingsWords } from "./words";

type Tenant = Schemas["Tenant"];

/** Who shares this service. */
export function TenantsTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(settingsWords);
    const admin = useMay("admin");
    const [making, setMaking] = useState(false);
    const [editing, setEditing] = useState<Tenant>();
    const [secret, setSecret] = useState<string>();
    const tenants = usePages<Tenant>({
        key: ["tenants"],
        fetch: (_, signal) => call(api.GET("/v1/tenants", { signal })),
    });
    const columns: Column<Tenant>[] = [
        {
            id: "name",
            title: t("tenant"),
            width: "minmax(120px, 2fr)",
            cell: (row) => <span className="truncate">{row.name}</span>,
        },
        ...limits.map((id) => ({
            id,
            title: t(id),
            width: "140px",
            align: "right" as const,
            from: "md" as const,
            cell: (row: Tenant) => <span className="numbers">{row[id] ?? "–"}</span>,
        })),
        {
            id: "created",
            title: t("created"),
            width: "130px",
            cell: (row) => <Time at={row.created_at} form="ago" />,
        },
    ];
    const chosen = tenants.rows.find((row) => row.name === item);
    return (
        <ListPage
            title={title}
            tabs={tabs}
            list={tenants}
            create={admin && { label: t("newTenant"), open: () => setMaking(true) }}
            copy={{ curl: "/v1/tenants", cli: "tenants list" }}
            label={t("tenants")}
            columns={columns}
            rowKey={(row) => row.name}
            current={item}
            onOpen={(row) => show(row.name)}
            teach={{
                icon: IconBuilding,
                title: t("noTenants"),
                command: "pawl tenants create acme",
                curl: { curl: "/v1/tenants", method: "POST", body: { name: "acme" } },
            }}
        >
            {chosen && (
                <SidePanel
                    title={chosen.name}
                    close={() => show(undefined)}
                    actions={
                        admin && (
                            <Button
                                variant="default"
                                leftSection={<IconPencil size={14} />}
                                onClick={() => setEditing(chosen)}
                            >
                                {t("changeLimits")}
                            </Button>
                        )
                    }
                >
                    <FactList
                        facts={[
                            ...limits.map((id): [string, string] => [
                                t(id),
                                String(chosen[id] ?? t("noLimit")),
                            ]),
                            [t("created"), <Time key="at" at={chosen.created_at} />],
                        ]}
                    />
                </SidePanel>
            )}
            {making && (
                <TenantDialog
                    close={() => setMaking(false)}
                    made={(key) => {
                        setMaking(false);
                        setSecret(key);
                    }}
                />
            )}
            {secret && (
                <SecretOnce
                    title={t("newTenant")}
                    label={t("firstKey")}
                    secret={secret}
                    close={() => setSecret(undefined)}
                />
            )}
            {editing && <LimitsDialog tenant={editing} close={() => setEditing(undefined)} />}
        </ListPage>
    );
}

function TenantDialog({ close, made }: { close: () => void; made: (key: string) => void }) {
    const t = useWords(settingsWords);
    const [name, setName] = useState("");
    const body = { name: name.trim() };
    const act = useAct<void, { key: string }>({
        run: () => call(api.POST("/v1/tenants", { body })) as Promise<{ key: string }>,
        changes: [["tenants"]],
        onDone: (answer) => made(answer.key),
    });
    return (
        <FormDialog
            title={t("newTenant")}
            says={t("newTenantSays")}
            submit={t("create")}
            ready={body.name !== ""}
            pending={act.isPending}
            onSubmit={() => act.mutate()}
            close={close}
            copy={{
                curl: "/v1/tenants",
                method: "POST",
                body,
                cli: `tenants create ${body.name}`,
            }}
        >
            <TextInput
                required
                data-autofocus
                label={t("tenant")}
                description={t("tenantHelp")}
                maxLength={200}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
            />
        </FormDialog>
    );
}
