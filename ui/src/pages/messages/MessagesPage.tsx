import { Button, Group, Select, TextInput } from "@mantine/core";
import { IconMessage } from "@tabler/icons-react";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { DemoButton } from "@/components/DemoButton";
import { EmptyState } from "@/components/EmptyState";
import { LiveControls } from "@/components/LiveControls";
import { Page } from "@/components/Page";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { request } from "@/data/api";
import { shortId } from "@/data/ids";
import { usePages } from "@/data/queries";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { commonWords } from "@/words/common";
import { Said } from "@/words/said";
import { statusWords } from "@/words/statuses";
import { asCli, asSql, type Filters } from "./copies";
import { type Message, states } from "./data";
import { MessageTabs } from "./MessageTabs";
import { MessageView } from "./MessageView";
import { PersonField } from "./PersonField";
import { Recipient } from "./Recipient";
import { useNewest } from "./useNewest";
import { messagesWords } from "./words";

function useColumns(): Column<Message>[] {
    const t = useWords(messagesWords);
    const named = useChannelNames();
    return [
        {
            id: "state",
            title: t("state"),
            width: "120px",
            cell: (one) => <StatusBadge status={one.state} />,
        },
        {
            id: "to",
            title: t("to"),
            width: "minmax(120px, 2fr)",
            cell: (one) => <Recipient message={one} />,
        },
        {
            id: "channel",
            title: t("channel"),
            width: "90px",
            from: "sm",
            cell: (one) => named(one.channel),
        },
        {
            id: "what",
            title: t("what"),
            width: "minmax(120px, 2fr)",
            from: "md",
            cell: (one) => (one.test ? t("testMark") : `${one.workflow ?? ""} · ${one.node}`),
        },
        {
            id: "reason",
            title: t("reason"),
            width: "minmax(80px, 1fr)",
            from: "sm",
            cell: (one) =>
                one.reason ? <Said kind="reason" word={one.reason} /> : (one.error ?? ""),
        },
        {
            id: "when",
            title: t("when"),
            width: "110px",
            cell: (one) => <Time at={one.created_at} form="ago" />,
        },
    ];
}

function FilterBar({ filters, onChange }: FilterProps) {
    const t = useWords(messagesWords);
    const common = useWords(commonWords);
    const status = useWords(statusWords);
    const write = (typed: string) => onChange({ workflow: typed.trim() || undefined });
    return (
        <Group gap="xs">
            <Select
                w={150}
                aria-label={t("state")}
                placeholder={t("all")}
                clearable
                data={states.map((value) => ({ value, label: status(value) }))}
                value={filters.state ?? null}
                onChange={(value) => onChange({ state: value ?? undefined })}
            />
            <PersonField
                w={200}
                aria-label={t("personFilter")}
                placeholder={t("personFilter")}
                person={filters.person}
                onChange={(person) => onChange({ person })}
            />
            <TextInput
                key={filters.workflow ?? ""}
                w={160}
                aria-label={t("workflow")}
                placeholder={t("workflow")}
                defaultValue={filters.workflow ?? ""}
                onBlur={(event) => write(event.currentTarget.value)}
                onKeyDown={(event) => {
                    if (event.key === "Enter") write(event.currentTarget.value);
                }}
            />
            {filters.run && (
                <Button variant="default" onClick={() => onChange({ run: undefined })}>
                    {t("run")} {shortId(filters.run)} ×
                </Button>
            )}
            {Object.keys(filters).length > 0 && (
                <Button
                    variant="subtle"
                    onClick={() =>
                        onChange({
                            state: undefined,
                            person: undefined,
                            workflow: undefined,
                            run: undefined,
                        })
                    }
                >
                    {common("clear")}
                </Button>
            )}
        </Group>
    );
}

interface FilterProps {
    filters: Filters;
    onChange: (change: { [key in keyof Filters]?: string | undefined }) => void;
}

/** All messages, sent or not, with what became of them. */
export function MessagesPage() {
    const t = useWords(messagesWords);
    const navigate = useNavigate();
    const { id } = useParams({ strict: false }) as { id?: string };
    const filters = useSearch({ strict: false }) as Filters;
    const query = new URLSearchParams({ limit: "100", ...filters });
    const pages = usePages<Message>({
        key: ["messages", "list", query.toString()],
        fetch: (cursor) =>
            request(
                "GET",
                `/v1/messages?${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    const again = () => void pages.refetch();
    const newest = useNewest(query.toString(), pages.data && pages.rows, again);
    const open = (one?: string) =>
        navigate({ to: (one ? `/messages/${one}` : "/messages") as "/messages", search: filters });
    const filtered = Object.keys(filters).length > 0;
    return (
        <Page
            title={t("title")}
            filled
            actions={
                <>
                    <LiveControls fresh={newest.fresh} show={again} />
                    <CopyMenu
                        curl={`/v1/messages?${query}`}
                        cli={asCli(filters)}
                        sql={asSql(filters)}
                    />
                </>
            }
            bar={
                <Group justify="space-between">
                    <MessageTabs current="messages" />
                    <FilterBar
                        filters={filters}
                        onChange={(change) => {
                            const next = { ...filters, ...change };
                            const kept = Object.entries(next).filter(([, value]) => value);
                            void navigate({ to: "/messages", search: Object.fromEntries(kept) });
                        }}
                    />
                </Group>
            }
        >
            <DataTable
                label={t("title")}
                rows={newest.rows}
                state={pages}
                rowKey={(one) => one.id}
                current={id}
                onOpen={(one) => void open(one.id)}
                columns={useColumns()}
                empty={
                    filtered ? (
                        <EmptyState icon={IconMessage} title={t("noMatch")}>
                            <Button
                                variant="light"
                                onClick={() => void navigate({ to: ".", search: {} })}
                            >
                                {t("clearFilters")}
                            </Button>
                        </EmptyState>
                    ) : (
                        <EmptyState
                            icon={IconMessage}
                            title={t("empty")}
                            text={t("emptyText")}
                            command="pawl dev --demo journeys"
                            curl={{
                                curl: "/v1/runs",
                                method: "POST",
                                body: { workflow: "welcome", subject: "ann" },
                            }}
                        >
                            <DemoButton demo="journey">{t("demo")}</DemoButton>
                        </EmptyState>
                    )
                }
            />
            {id && <MessageView id={id} onClose={() => void open()} />}
        </Page>
    );
}
