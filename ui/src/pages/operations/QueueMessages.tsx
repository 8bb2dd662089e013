import { Button, Stack, Text, Title } from "@mantine/core";
import { ErrorView } from "@/components/ErrorView";
import { JsonViewer } from "@/components/json/JsonViewer";
import { Loading } from "@/components/Loading";
import { Time } from "@/components/Time";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { operationsWords } from "./words";

type Message = Schemas["QueueMessage"];

/** Messages as they lie in the queue: to look takes nothing out. */
export function QueueMessages({ name }: { name: string }) {
    const t = useWords(operationsWords);
    const c = useWords(commonWords);
    const messages = usePages<Message>({
        key: ["queue", name],
        fetch: (cursor, signal) =>
            call(
                api.GET("/v1/queues/{name}/messages", {
                    params: { path: { name }, query: { limit: 20, ...(cursor ? { cursor } : {}) } },
                    signal,
                }),
            ),
    });
    if (messages.isError) return <ErrorView error={messages.error} />;
    if (messages.isPending) return <Loading />;
    return (
        <Stack gap="sm">
            <Title order={3}>{t("peek")}</Title>
            <Text c="dimmed" size="xs">
                {t("peekText")}
            </Text>
            {messages.rows.length === 0 && <Text>{t("queueEmpty")}</Text>}
            {messages.rows.map((one) => (
                <section key={one.id} aria-label={t("messageNumber", { id: one.id })}>
                    <Text size="xs" className="numbers" mb={4}>
                        <b>{one.id}</b> · <Time at={one.sent_at} form="ago" /> ·{" "}
                        {t("readTimes", { count: one.reads })}
                    </Text>
                    {one.message === null && one.bytes > 65_536 ? (
                        <Text>{t("tooLong", { bytes: one.bytes })}</Text>
                    ) : (
                        <JsonViewer value={one.message} name={`${name}-${one.id}`} />
                    )}
                </section>
            ))}
            {messages.hasNextPage && (
                <Button
                    variant="default"
                    loading={messages.isFetchingNextPage}
                    onClick={() => void messages.fetchNextPage()}
                >
                    {c("loadingMore")}
                </Button>
            )}
        </Stack>
    );
}
