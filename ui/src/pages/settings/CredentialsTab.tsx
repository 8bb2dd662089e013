import { Button, PasswordInput, TextInput } from "@mantine/core";
import { IconLock, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Deed } from "@/components/Deed";
import { FormDialog } from "@/components/FormDialog";
import { ListPage } from "@/components/ListPage";
import { FactList, SidePanel } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { api, call, type Schemas } from "@/data/api";
import { useAct, usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { settingsWords } from "./words";

type Credential = Schemas["Credential"];

const pathOf = (name: string) => `/v1/credentials/${encodeURIComponent(name)}`;

/** Secrets that steps use: their names. A value goes in and never comes out. */
export function CredentialsTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(settingsWords);
    const admin = useMay("admin");
    const [editing, setEditing] = useState<string>();
    const credentials = usePages<Credential>({
        key: ["credentials"],
        fetch: (_, signal) => call(api.GET("/v1/credentials", { signal })),
    });
    const columns: Column<Credential>[] = [
        {
            id: "name",
            title: t("credential"),
            width: "minmax(140px, 2fr)",
            cell: (row) => <span className="truncate mono">{row.name}</span>,
        },
        {
            id: "updated",
            title: t("lastSet"),
            width: "120px",
            cell: (row) => <Time at={row.updated_at} form="ago" />,
        },
        {
            id: "key",
            title: t("encryptedWith"),
            width: "150px",
            from: "sm",
            cell: (row) => <span className="truncate mono">{row.key_id}</span>,
        },
    ];
    const chosen = credentials.rows.find((row) => row.name === item);
    return (
        <ListPage
            title={title}
            tabs={tabs}
            list={credentials}
            create={admin && { label: t("newCredential"), open: () => setEditing("") }}
            copy={{ curl: "/v1/credentials", cli: "credentials list" }}
            label={t("credentials")}
            columns={columns}
            rowKey={(row) => row.name}
            current={item}
            onOpen={(row) => show(row.name)}
            teach={{
                icon: IconLock,
                title: t("noCredentials"),
                text: t("noCredentialsText"),
                command: "pawl credentials set billing_token --file token.txt",
                curl: {
                    curl: "/v1/credentials/billing_token",
                    method: "PUT",
                    body: { value: "…" },
                },
            }}
        >
            {chosen && (
                <SidePanel
                    title={chosen.name}
                    close={() => show(undefined)}
                    actions={
                        admin && <Actions name={chosen.name} rotate={setEditing} show={show} />
                    }
                >
                    <FactList
                        facts={[
                            [
                                t("usedAs"),
                                <code key="use">{`{{ credentials.${chosen.name} }}`}</code>,
                            ],
                            [t("lastSet"), <Time key="set" at={chosen.updated_at} />],
                            [t("created"), <Time key="made" at={chosen.created_at} />],
                            [t("encryptedWith"), chosen.key_id],
                        ]}
                    />
                </SidePanel>
            )}
            {editing !== undefined && (
                <CredentialDialog name={editing} close={() => setEditing(undefined)} />
            )}
        </ListPage>
    );
}

interface ActionProps {
    name: string;
    rotate: (name: string) => void;
    show: (item: string | undefined) => void;
}

function Actions({ name, rotate, show }: ActionProps) {
    const t = useWords(settingsWords);
    return (
        <>
            <Button
                variant="default"
                leftSection={<IconRefresh size={14} />}
                onClick={() => rotate(name)}
            >
                {t("rotate")}
            </Button>
            <Deed
                label={t("deleteCredential")}
                icon={<IconTrash size={14} />}
                danger
                typed={name}
                says={t("deleteCredentialSays")}
                copy={{ curl: pathOf(name), method: "DELETE", cli: `credentials delete ${name}` }}
                run={() =>
                    call(api.DELETE("/v1/credentials/{name}", { params: { path: { name } } }))
                }
                done={t("credentialDeleted")}
                changes={[["credentials"]]}
                onDone={() => show(undefined)}
            />
        </>
    );
}

function CredentialDialog({ name: given, close }: { name: string; close: () => void }) {
    const t = useWords(settingsWords);
    const c = useWords(commonWords);
    const [name, setName] = useState(given);
    const [value, setValue] = useState("");
    const act = useAct<void>({
        run: () =>
            call(
                api.PUT("/v1/credentials/{name}", { params: { path: { name } }, body: { value } }),
            ),
        done: t("credentialSet"),
        changes: [["credentials"]],
        onDone: close,
    });
    return (
        <FormDialog
            title={given ? t("rotate") : t("newCredential")}
            says={given ? t("rotateSays") : t("credentialSays")}
            submit={c("save")}
            ready={name !== "" && value !== ""}
            pending={act.isPending}
            onSubmit={() => act.mutate()}
            close={close}
            // Not with the value: what is copied stays in clipboards and histories.
            copy={{
                curl: pathOf(name),
                method: "PUT",
                body: { value: "..." },
                cli: `credentials set ${name} --file FILE`,
            }}
        >
            <TextInput
                required
                disabled={given !== ""}
                label={t("credential")}
                description={t("credentialHelp")}
                maxLength={100}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
            />
            <PasswordInput
                required
                data-autofocus={given ? true : undefined}
                label={t("value")}
                autoComplete="off"
                maxLength={65_536}
                value={value}
                onChange={(event) => setValue(event.currentTarget.value)}
            />
        </FormDialog>
    );
}
