import { Alert, Stack } from "@mantine/core";
import { IconPlayerPlay, IconRefresh, IconSend, IconTrash } from "@tabler/icons-react";
import { CopyMenu } from "@/components/CopyMenu";
import { Deed } from "@/components/Deed";
import { FactList, SidePanel } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import { api, call } from "@/data/api";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { Deliveries } from "./Deliveries";
import { addressOf, type Webhook } from "./webhook";
import { operationsWords } from "./words";

interface Props {
    webhook: Webhook;
    close: () => void;
    /** A new secret, to be shown once. */
    onSecret: (secret: string | undefined) => void;
}

export function WebhookPanel({ webhook, close, onSecret }: Props) {
    const t = useWords(operationsWords);
    const admin = useMay("admin");
    const { id } = webhook;
    const name = webhook.name || `#${id}`;
    const path = { params: { path: { id } } };
    const changes = [["webhooks"]];
    return (
        <SidePanel
            title={name}
            close={close}
            actions={
                <>
                    {admin && (
                        <Deed
                            label={t("test")}
                            icon={<IconSend size={14} />}
                            says={t("testSays", { address: addressOf(webhook) })}
                            copy={{
                                curl: `/v1/webhooks/${id}/test`,
                                method: "POST",
                                cli: `webhooks test ${id}`,
                            }}
                            run={() => call(api.POST("/v1/webhooks/{id}/test", path))}
                            done={t("testSent")}
                            changes={changes}
                        />
                    )}
                    {admin && (!webhook.enabled || webhook.next_at) && (
                        <Deed
                            label={t("enable")}
                            icon={<IconPlayerPlay size={14} />}
                            says={t("enableSays")}
                            copy={{
                                curl: `/v1/webhooks/${id}/enable`,
                                method: "POST",
                                cli: `webhooks enable ${id}`,
                            }}
                            run={() => call(api.POST("/v1/webhooks/{id}/enable", path))}
                            done={t("enabledNow")}
                            changes={changes}
                        />
                    )}
                    {admin && webhook.kind === "webhook" && (
                        <Deed
                            label={t("rotate")}
                            icon={<IconRefresh size={14} />}
                            says={t("rotateSays")}
                            copy={{
                                curl: `/v1/webhooks/${id}/rotate`,
                                method: "POST",
                                cli: `webhooks rotate ${id}`,
                            }}
                            run={() => call(api.POST("/v1/webhooks/{id}/rotate", path))}
                            onDone={(made) => onSecret((made as Webhook).secret)}
                            changes={changes}
                        />
                    )}
                    {admin && (
                        <Deed
                            label={t("deleteWebhook")}
                            icon={<IconTrash size={14} />}
                            danger
                            typed={name}
                            says={t("deleteWebhookSays", { count: webhook.waiting })}
                            copy={{
                                curl: `/v1/webhooks/${id}`,
                                method: "DELETE",
                                cli: `webhooks delete ${id}`,
                            }}
                            run={() => call(api.DELETE("/v1/webhooks/{id}", path))}
                            done={t("webhookDeleted")}
                            changes={changes}
                            onDone={close}
                        />
                    )}
                    <CopyMenu
                        curl={`/v1/webhooks/${id}/deliveries`}
                        cli={`webhooks deliveries ${id}`}
                    />
                </>
            }
        >
            <Stack gap="sm">
                {webhook.disabled_because && (
                    <Alert color="red" variant="light" title={t("disabledBecause")}>
                        {webhook.disabled_because}
                    </Alert>
                )}
                <FactList
                    facts={[
                        [
                            t("address"),
                            <span key="to" className="mono">
                                {addressOf(webhook)}
                            </span>,
                        ],
                        [t("events"), webhook.events.join(", ") || "*"],
                        [t("workflows"), webhook.workflows?.join(", ") ?? t("allWorkflows")],
                        [t("waiting"), String(webhook.waiting)],
                        [t("failuresInRow"), String(webhook.failures)],
                        ...(webhook.next_at
                            ? [
                                  [
                                      t("triedAgain"),
                                      <Time key="next" at={webhook.next_at} form="ago" />,
                                  ] as [string, React.ReactNode],
                              ]
                            : []),
                        [t("created"), <Time key="created" at={webhook.created_at} />],
                    ]}
                />
                <Deliveries webhook={id} />
            </Stack>
        </SidePanel>
    );
}
