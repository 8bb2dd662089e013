import { Select } from "@mantine/core";
import { IconMessage } from "@tabler/icons-react";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { DataTable } from "@/components/table/DataTable";
import { request } from "@/data/api";
import { usePages } from "@/data/queries";
import { useWords } from "@/words";
import { type Message, states } from "./data";
import { MessageView } from "./MessageView";
import { messagesWords } from "./words";

/** All messages, sent or not, with what became of them. */
export function MessagesPage() {
    const t = useWords(messagesWords);
    const navigate = useNavigate();
    const { id } = useParams({ strict: false }) as { id?: string };
    const { state, person } = useSearch({ strict: false }) as { state?: string; person?: string };
    const query = new URLSearchParams({ limit: "100" });
    if (state) query.set("state", state);
    if (person) query.set("person", person);
    const pages = usePages<Message>({
        key: ["messages", "list", state, person],
        fetch: (cursor) =>
            request(
                "GET",
                `/v1/messages?${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    const search = { ...(state ? { state } : {}), ...(person ? { person } : {}) };
    const open = (one?: string) =>
        navigate({ to: (one ? `/messages/${one}` : "/messages") as "/messages", search });
    return (
        <Page
            title={t("title")}
            filled
            actions={<CopyMenu curl={`/v1/messages?${query}`} cli="messages list" />}
            bar={
                <Select
                    w={180}
                    aria-label={t("state")}
                    placeholder={t("all")}
                    clearable
                    data={[...states]}
                    value={state ?? null}
                    onChange={(value) =>
                        navigate({
                            to: "/messages",
                            search: {
                                ...(person ? { person } : {}),
                                ...(value ? { state: value } : {}),
                            },
                        })
                    }
                />
            }
        >
            <DataTable
                label={t("title")}
                rows={pages.rows}
                state={pages}
                rowKey={(one) => one.id}
                current={id}
                onOpen={(one) => open(one.id)}
                columns={[
                    {
                        id: "state",
                        title: t("state"),
                        width: "120px",
                        cell: (one: Message) => <StatusBadge status={one.state} />,
                    },
                    {
                        id: "to",
                        title: t("to"),
                        width: "minmax(120px, 2fr)",
                        cell: (one: Message) => one.address ?? one.person ?? "",
                    },
                    {
                        id: "channel",
                        title: t("channel"),
                        width: "90px",
                        from: "sm",
                        cell: (one: Message) => one.channel,
                    },
                    {
                        id: "what",
                        title: t("what"),
                        width: "minmax(120px, 2fr)",
                        from: "md",
                        cell: (one: Message) => `${one.workflow ?? ""} · ${one.node}`,
                    },
                    {
                        id: "reason",
                        title: t("reason"),
                        width: "minmax(80px, 1fr)",
                        from: "sm",
                        cell: (one: Message) => one.reason ?? one.error ?? "",
                    },
                    {
                        id: "when",
                        title: t("when"),
                        width: "110px",
                        cell: (one: Message) => <Time at={one.created_at} form="ago" />,
                    },
                ]}
                empty={
                    <EmptyState
                        icon={IconMessage}
                        title={t("empty")}
                        text={t("emptyText")}
                        command="pawl dev --demo journeys"
                    />
                }
            />
            {id && <MessageView id={id} onClose={() => open()} />}
        </Page>
    );
}
