import { Accordion, Button, Group, Select, Stack, Text, Title } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Deed } from "@/components/Deed";
import { ErrorView } from "@/components/ErrorView";
import { JsonViewer } from "@/components/json/JsonViewer";
import { Loading } from "@/components/Loading";
import { RunLink } from "@/components/RunLink";
import { FactList } from "@/components/SidePanel";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { statusWords } from "@/words/statuses";
import { operationsWords } from "./words";

type Delivery = Schemas["Delivery"];

const states = ["pending", "in_flight", "published", "failed"] as const;
const shown = (state: string) => (state === "pending" ? "queued" : state);

/** What a webhook was sent, with what it answered. */
export function Deliveries({ webhook }: { webhook: number }) {
    const t = useWords(operationsWords);
    const s = useWords(statusWords);
    const c = useWords(commonWords);
    const [state, setState] = useState<(typeof states)[number]>();
    const [open, setOpen] = useState<string | null>(null);
    const deliveries = usePages<Delivery>({
        key: ["webhooks", webhook, "deliveries", state],
        fetch: (cursor, signal) =>
            call(
                api.GET("/v1/webhooks/{id}/deliveries", {
                    params: {
                        path: { id: webhook },
                        query: {
                            limit: 20,
                            ...(state ? { state } : {}),
                            ...(cursor ? { cursor } : {}),
                        },
                    },
                    signal,
                }),
            ),
        refetchInterval: 2_000,
    });
    return (
        <Stack gap="xs">
            <Group justify="space-between">
                <Title order={3}>{t("deliveries")}</Title>
                <Select
                    aria-label={t("status")}
                    placeholder={t("anyStatus")}
                    clearable
                    w={140}
                    value={state ?? null}
                    data={states.map((value) => ({
                        value,
                        label: s(shown(value) as "queued"),
                    }))}
                    onChange={(value) => setState(states.find((one) => one === value))}
                />
            </Group>
            {deliveries.isError && <ErrorView error={deliveries.error} />}
            {deliveries.isPending && <Loading />}
            {deliveries.isSuccess && deliveries.rows.length === 0 && (
                <Text c="dimmed">{t("noDeliveries")}</Text>
            )}
            <Accordion variant="contained" order={4} value={open} onChange={setOpen}>
                {deliveries.rows.map((one) => (
                    <Accordion.Item key={one.id} value={one.id}>
                        <Accordion.Control>
                            <Group gap="xs" wrap="wrap">
                                <StatusBadge status={shown(one.state)} />
                                <span className="mono">{one.type}</span>
                                {one.status !== null && (
                                    <Text span className="numbers">
                                        {one.status}
                                    </Text>
                                )}
                                <Text size="xs" c="dimmed" component="span">
                                    <Time at={one.created_at} form="ago" />
                                </Text>
                            </Group>
                        </Accordion.Control>
                        <Accordion.Panel>
                            {open === one.id && <DeliveryView webhook={webhook} delivery={one} />}
                        </Accordion.Panel>
                    </Accordion.Item>
                ))}
            </Accordion>
            {deliveries.hasNextPage && (
                <Button variant="default" onClick={() => void deliveries.fetchNextPage()}>
                    {c("loadingMore")}
                </Button>
            )}
        </Stack>
    );
}

function DeliveryView({ webhook, delivery }: { webhook: number; delivery: Delivery }) {
    const t = useWords(operationsWords);
    const admin = useMay("admin");
    const params = { path: { id: webhook, delivery: delivery.id } };
    const path = `/v1/webhooks/${webhook}/deliveries/${delivery.id}`;
    const { data } = useQuery({
        // Read anew when the list says that more has become of it.
        queryKey: ["webhooks", webhook, "delivery", delivery.id, delivery.state, delivery.status],
        placeholderData: keepPreviousData,
        queryFn: ({ signal }) =>
            call(api.GET("/v1/webhooks/{id}/deliveries/{delivery}", { params, signal })),
    });
    return (
        <Stack gap="xs">
            {admin && (
                <Group>
                    <Deed
                        label={t("redeliver")}
                        icon={<IconSend size={14} />}
                        says={t("redeliverSays")}
                        copy={{
                            curl: `${path}/redeliver`,
                            method: "POST",
                            cli: `webhooks redeliver ${webhook} ${delivery.id}`,
                        }}
                        run={() =>
                            call(
                                api.POST("/v1/webhooks/{id}/deliveries/{delivery}/redeliver", {
                                    params,
                                }),
                            )
                        }
                        done={t("redelivered")}
                        changes={[["webhooks"]]}
                    />
                </Group>
            )}
            <FactList
                facts={[
                    [
                        "webhook-id",
                        <span key="id" className="mono">
                            {delivery.id}
                        </span>,
                    ],
                    ...(delivery.run_id
                        ? [
                              [t("run"), <RunLink id={delivery.run_id} />] as [
                                  string,
                                  React.ReactNode,
                              ],
                          ]
                        : []),
                    [t("attempts"), String(delivery.attempts)],
                    [t("answer"), delivery.status === null ? "–" : String(delivery.status)],
                    [t("answerBody"), delivery.response || "–"],
                    [t("error"), delivery.error ?? "–"],
                    [t("triedAgain"), <Time key="next" at={delivery.next_at} form="ago" />],
                ]}
            />
            {data && (
                <>
                    <Title order={5}>{t("body")}</Title>
                    <JsonViewer value={data.body} name={delivery.id} />
                </>
            )}
        </Stack>
    );
}
