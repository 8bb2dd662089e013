import { Button, Group, SegmentedControl, Select, Text } from "@mantine/core";
import { IconDeviceMobile, IconFlask } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { DemoButton } from "@/components/DemoButton";
import { EmptyState } from "@/components/EmptyState";
import { ErrorView } from "@/components/ErrorView";
import { JsonViewer } from "@/components/json/JsonViewer";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { request } from "@/data/api";
import { ApiError } from "@/data/error";
import { useLive } from "@/data/live";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { statusWords } from "@/words/statuses";
import { MessageTabs } from "../MessageTabs";
import { Phone } from "../phone/Phone";
import { messagesWords } from "../words";
import { type SandboxMessage, shownOf } from "./read";
import classes from "./SandboxPage.module.css";

const acts = ["delivered", "opened", "clicked", "bounced", "complained"] as const;

function Letter({ message }: { message: SandboxMessage }) {
    const t = useWords(messagesWords);
    const s = useWords(statusWords);
    const may = useMay("runs:write");
    const navigate = useNavigate();
    const { device, plain, raw } = useSearch({ from: "/shell/messages/sandbox" });
    const shown = shownOf(message);
    const put = (search: object) =>
        navigate({ to: ".", search: (old) => ({ ...old, ...search }), replace: true });
    const tell = useAct({
        run: (event: string) =>
            request("POST", `/sandbox/messages/${message.number}/events`, { event }),
        changes: [["sandbox"]],
    });
    return (
        <div className={classes.letter}>
            <Group justify="space-between">
                <SegmentedControl
                    aria-label={t("device")}
                    value={device === "desktop" ? "desktop" : "phone"}
                    onChange={(value) => put({ device: value === "phone" ? undefined : value })}
                    data={[
                        { value: "phone", label: t("phone") },
                        { value: "desktop", label: t("desktop") },
                    ]}
                />
                {shown.kind === "email" && shown.html && (
                    <Button
                        variant="subtle"
                        onClick={() => put({ plain: plain ? undefined : "1" })}
                    >
                        {plain ? t("showHtml") : t("showText")}
                    </Button>
                )}
            </Group>
            <Phone
                shown={shown}
                device={device === "desktop" ? "desktop" : "phone"}
                plain={plain !== undefined}
            />
            <Group gap="xs">
                {message.events.map((event, index) => (
                    <Group gap={4} key={`${event.event} ${String(index)}`}>
                        <StatusBadge status={event.event} />
                        {(event.status < 200 || event.status >= 300) && (
                            <Text size="xs" c="red">
                                {t("refused", { status: event.status })}
                            </Text>
                        )}
                    </Group>
                ))}
            </Group>
            {may && (
                <Select
                    w={260}
                    label={t("tell")}
                    placeholder={t("tellPlaceholder")}
                    data={acts.map((value) => ({ value, label: s(value) }))}
                    value={null}
                    onChange={(event) => event && tell.mutate(event)}
                />
            )}
            <Button
                variant="default"
                w="fit-content"
                onClick={() => put({ raw: raw ? undefined : "1" })}
            >
                {raw ? t("hideRequest") : t("showRequest")}
            </Button>
            {raw && <JsonViewer value={message.request} name={`sandbox-${message.number}.json`} />}
        </div>
    );
}

/** What was sent to the providers of the sandbox, as the people would see it. */
export function SandboxPage() {
    const t = useWords(messagesWords);
    const navigate = useNavigate();
    const search = useSearch({ from: "/shell/messages/sandbox" });
    const paused = useLive((state) => state.paused);
    const query = useQuery({
        queryKey: ["sandbox", "messages"],
        refetchInterval: paused ? false : 2_000,
        retry: false,
        queryFn: () => request<{ data: SandboxMessage[] }>("GET", "/sandbox/messages?limit=200"),
    });
    const none = query.error instanceof ApiError && query.error.status >= 400;
    const rows = [...(query.data?.data ?? [])].sort((a, b) => b.number - a.number);
    const open = rows.find((one) => String(one.number) === search.open) ?? rows[0];
    return (
        <Page
            title={t("sandbox")}
            filled
            actions={<CopyMenu curl="/sandbox/messages?limit=200" />}
            bar={<MessageTabs current="sandbox" />}
        >
            {query.isPending && <Loading />}
            {none && (
                <EmptyState
                    icon={IconFlask}
                    title={t("noSandbox")}
                    text={t("noSandboxText")}
                    command="pawl dev"
                />
            )}
            {query.isError && !none && <ErrorView error={query.error} retry={query.refetch} />}
            {query.data && rows.length === 0 && (
                <EmptyState
                    icon={IconDeviceMobile}
                    title={t("sandboxEmpty")}
                    text={t("sandboxEmptyText")}
                    command="pawl dev --demo journeys"
                    curl={{
                        curl: "/v1/runs",
                        method: "POST",
                        body: { workflow: "welcome", subject: "ann" },
                    }}
                >
                    <DemoButton demo="journey">{t("demo")}</DemoButton>
                </EmptyState>
            )}
            {open && (
                <div className={classes.split} data-open={search.open || undefined}>
                    <ul className={classes.list} aria-label={t("sandbox")}>
                        {rows.map((one) => (
                            <li key={one.number}>
                                <button
                                    type="button"
                                    className={classes.row}
                                    aria-current={one === open}
                                    onClick={() =>
                                        navigate({
                                            to: ".",
                                            search: (old) => ({ ...old, open: String(one.number) }),
                                        })
                                    }
                                >
                                    <span className={classes.who}>
                                        <span className="truncate">{one.to}</span>
                                        <Time at={one.at} form="ago" />
                                    </span>
                                    <span className={classes.said}>{one.text}</span>
                                    <Text size="xs" c="dimmed">
                                        {one.provider} · {one.account}
                                    </Text>
                                </button>
                            </li>
                        ))}
                    </ul>
                    <section className={classes.beside} aria-label={t("message")}>
                        <Button
                            className={classes.back ?? ""}
                            variant="subtle"
                            onClick={() =>
                                navigate({
                                    to: ".",
                                    search: ({ open: _, ...old }) => old,
                                })
                            }
                        >
                            ← {t("sandbox")}
                        </Button>
                        <Letter key={open.number} message={open} />
                    </section>
                </div>
            )}
        </Page>
    );
}
