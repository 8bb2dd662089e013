import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Time } from "@/components/Time";
import { api, call, request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { Said } from "@/words/said";
import { addressesOf, type Person, type Suppression, wishOf } from "./data";
import classes from "./People.module.css";
import { peopleWords } from "./words";

function useSuppressions(person: Person) {
    const addresses = addressesOf(person);
    return useQuery({
        queryKey: ["suppressions", person.key, JSON.stringify(addresses)],
        enabled: addresses.length > 0,
        queryFn: async ({ signal }) => {
            const pages = await Promise.all(
                addresses.slice(0, 20).map(({ channel, address }) =>
                    call(
                        api.GET("/v1/suppressions", {
                            params: { query: { channel, address } },
                            signal,
                        }),
                    ),
                ),
            );
            return pages.map((page) => (page as { data: Suppression[] }).data[0]);
        },
    });
}

/** Where the person can be reached, and whether that address gets anything. */
export function Addresses({ person }: { person: Person }) {
    const t = useWords(peopleWords);
    const named = useChannelNames();
    const may = useMay("runs:write");
    const suppressed = useSuppressions(person);
    const addresses = addressesOf(person);
    const changes = [["suppressions", person.key]];
    const suppress = useAct({
        run: (to: { channel: string; address: string }) =>
            call(api.POST("/v1/suppressions", { body: to })),
        changes,
    });
    const lift = useAct({
        run: (to: { channel: string; address: string }) =>
            call(api.DELETE("/v1/suppressions", { params: { query: to } })),
        changes,
    });
    if (addresses.length === 0) return <Text c="dimmed">{t("noAddress")}</Text>;
    return (
        <Table>
            <Table.Tbody>
                {addresses.map((one, index) => {
                    const said = suppressed.data?.[index];
                    return (
                        <Table.Tr key={`${one.channel} ${one.address}`}>
                            <Table.Th w={80}>{named(one.channel)}</Table.Th>
                            <Table.Td style={{ overflowWrap: "anywhere" }}>{one.address}</Table.Td>
                            <Table.Td>
                                {said && (
                                    <Badge color="red" className={classes.suppressed ?? ""}>
                                        {t("suppressed")}:{" "}
                                        <Said kind="suppression" word={said.reason} />
                                    </Badge>
                                )}
                            </Table.Td>
                            <Table.Td ta="right">
                                {may && (
                                    <Button
                                        variant="subtle"
                                        aria-label={`${said ? t("lift") : t("suppress")}: ${one.address}`}
                                        onClick={() => (said ? lift : suppress).mutate(one)}
                                    >
                                        {said ? t("lift") : t("suppress")}
                                    </Button>
                                )}
                            </Table.Td>
                        </Table.Tr>
                    );
                })}
            </Table.Tbody>
        </Table>
    );
}

/** What the person does not want. */
export function Consent({ person }: { person: Person }) {
    const t = useWords(peopleWords);
    const named = useChannelNames();
    const may = useMay("runs:write");
    const path = `/v1/people/${encodeURIComponent(person.key)}`;
    const left = person.unsubscribed ?? [];
    const changes = [["people", person.key]];
    const out = useAct({ run: () => request("POST", `${path}/unsubscribe`, {}), changes });
    const back = useAct({
        run: (wish: { channel: string; category: string }) =>
            request("POST", `${path}/resubscribe`, wish),
        changes,
    });
    return (
        <>
            {left.length === 0 && <Text c="dimmed">{t("wantsAll")}</Text>}
            {left.map((one) => (
                <Group key={`${one.channel} ${one.category}`} justify="space-between">
                    <Text>
                        {t(wishOf(one), {
                            channel: named(one.channel),
                            category: named(one.category),
                        })}{" "}
                        · <Time at={one.at} form="ago" />
                    </Text>
                    {may && (
                        <Button
                            variant="subtle"
                            loading={back.isPending}
                            onClick={() =>
                                back.mutate({ channel: one.channel, category: one.category })
                            }
                        >
                            {t("resubscribe")}
                        </Button>
                    )}
                </Group>
            ))}
            {may && !left.some((one) => one.channel === "*" && one.category === "*") && (
                <Button
                    variant="default"
                    w="fit-content"
                    loading={out.isPending}
                    onClick={() => out.mutate()}
                >
                    {t("unsubscribe")}
                </Button>
            )}
        </>
    );
}
