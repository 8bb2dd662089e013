import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CodeLine } from "@/components/CodeLine";
import { CopyMenu } from "@/components/CopyMenu";
import { shellWord } from "@/components/command";
import { Deed } from "@/components/Deed";
import { ErrorView } from "@/components/ErrorView";
import { JsonViewer } from "@/components/json/JsonViewer";
import { Loading } from "@/components/Loading";
import { FactList, SidePanel } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import { api, call } from "@/data/api";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { AccountDialog } from "./AccountDialog";
import { type Account, accountsOf, type Connector } from "./connectors";
import { TestSendDialog } from "./TestSendDialog";
import { settingsWords } from "./words";

interface Props {
    connector: Connector;
    close: () => void;
}

/** A connector and the accounts at its provider. */
export function ConnectorPanel({ connector, close }: Props) {
    const t = useWords(settingsWords);
    const named = useChannelNames();
    const admin = useMay("admin");
    const [editing, setEditing] = useState<Account | "new">();
    const { data, error } = useQuery(accountsOf(connector.account_of));
    const accounts = (data?.data ?? []) as Account[];
    const path = `/v1/connectors/${encodeURIComponent(connector.account_of)}/accounts`;
    return (
        <SidePanel
            title={connector.title}
            close={close}
            actions={
                <>
                    <CopyMenu
                        curl={path}
                        cli={`connectors accounts list ${shellWord(connector.account_of)}`}
                    />
                    {admin && (
                        <Button
                            leftSection={<IconPlus size={14} />}
                            onClick={() => setEditing("new")}
                        >
                            {t("newAccount")}
                        </Button>
                    )}
                </>
            }
        >
            <Stack gap="sm">
                <FactList
                    facts={[
                        [
                            t("name"),
                            <span key="name" className="mono">
                                {connector.name}
                            </span>,
                        ],
                        [t("channels"), connector.channels.map(named).join(", ")],
                        [t("replay"), t(`replay_${connector.replay}`)],
                        [t("perSecond"), String(connector.per_second ?? t("noLimit"))],
                    ]}
                />
                <Title order={3}>{t("accounts")}</Title>
                {error && <ErrorView error={error} />}
                {!data && !error && <Loading />}
                {data && accounts.length === 0 && <Text c="dimmed">{t("noAccounts")}</Text>}
                {accounts.map((one) => (
                    <AccountCard
                        key={one.account}
                        connector={connector}
                        account={one}
                        edit={() => setEditing(one)}
                    />
                ))}
            </Stack>
            {editing && (
                <AccountDialog
                    connector={connector}
                    account={editing === "new" ? undefined : editing}
                    close={() => setEditing(undefined)}
                />
            )}
        </SidePanel>
    );
}

interface CardProps {
    connector: Connector;
    account: Account;
    edit: () => void;
}

function AccountCard({ connector, account, edit }: CardProps) {
    const t = useWords(settingsWords);
    const admin = useMay("admin");
    const [testing, setTesting] = useState(false);
    const params = { path: { connector: account.connector, account: account.account } };
    const path = `/v1/connectors/${encodeURIComponent(account.connector)}/accounts/${encodeURIComponent(account.account)}`;
    return (
        <Card withBorder component="section" aria-label={account.account}>
            <Stack gap="xs">
                <Group justify="space-between">
                    <Title order={4}>{account.account}</Title>
                    <Text size="xs" c="dimmed">
                        <Time at={account.updated_at} form="ago" />
                    </Text>
                </Group>
                {connector.hooks && <CodeLine label={t("hookUrl")} text={account.hook_url} />}
                {Object.keys(account.settings).length > 0 && (
                    <JsonViewer
                        value={account.settings}
                        name={`${account.connector}-${account.account}`}
                    />
                )}
                {admin && (
                    <Group gap="xs">
                        <Button
                            variant="default"
                            leftSection={<IconPencil size={14} />}
                            onClick={edit}
                        >
                            {t("changeAccount")}
                        </Button>
                        <Button variant="default" onClick={() => setTesting(true)}>
                            {t("testSend")}
                        </Button>
                        <Deed
                            label={t("deleteAccount")}
                            icon={<IconTrash size={14} />}
                            danger
                            typed={account.account}
                            says={t("deleteAccountSays")}
                            copy={{
                                curl: path,
                                method: "DELETE",
                                cli: `connectors accounts delete ${shellWord(connector.account_of)} ${shellWord(account.account)}`,
                            }}
                            run={() =>
                                call(
                                    api.DELETE("/v1/connectors/{connector}/accounts/{account}", {
                                        params,
                                    }),
                                )
                            }
                            done={t("accountDeleted")}
                            changes={[["accounts"]]}
                        />
                    </Group>
                )}
            </Stack>
            {testing && (
                <TestSendDialog
                    connector={connector}
                    account={account.account}
                    close={() => setTesting(false)}
                />
            )}
        </Card>
    );
}
