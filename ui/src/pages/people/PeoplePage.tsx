import { Button, Group, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconFileUpload, IconPlus, IconSearch, IconUsers } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { DataTable } from "@/components/table/DataTable";
import { api, call } from "@/data/api";
import { useShortcuts } from "@/data/keys";
import { lazyPart } from "@/data/parts";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { AddPersonDialog } from "./AddPersonDialog";
import { addressesOf, nameOf, type Person } from "./data";
import { useSource } from "./source";
import { peopleWords } from "./words";

const ImportDialog = lazyPart(async () => (await import("./import/ImportDialog")).ImportDialog);

/** What would fill the list; nothing here, where people are in a table of the tenant's own. */
function NoPeople({ table, children }: { table: string | null | undefined; children: ReactNode }) {
    const t = useWords(peopleWords);
    const start = {
        text: t("emptyText"),
        command: "pawl people import people.csv",
        curl: {
            curl: "/v1/people/ann",
            method: "PUT",
            body: { addresses: { email: "ann@example.com" } },
        },
    };
    return (
        <EmptyState
            icon={IconUsers}
            title={t("empty")}
            {...(table ? { text: t("emptyElsewhere", { table }) } : table === null ? start : {})}
        >
            {children}
        </EmptyState>
    );
}

/** The people of the tenant, kept here or in a table of its own. */
export function PeoplePage() {
    const t = useWords(peopleWords);
    const navigate = useNavigate();
    const { q = "" } = useSearch({ from: "/shell/people" });
    const may = useMay("runs:write");
    const [adding, setAdding] = useState(false);
    const [importing, setImporting] = useState(false);
    const [text, setText] = useState(q);
    const pages = usePages<Person>({
        key: ["people", "list", q],
        fetch: (cursor, signal) =>
            call(
                api.GET("/v1/people", {
                    params: {
                        query: {
                            limit: 100,
                            ...(q ? { q } : {}),
                            ...(cursor ? { cursor } : {}),
                        },
                    },
                    signal,
                }),
            ),
    });
    const open = (one: string) =>
        navigate({ to: "/people/$key", params: { key: one }, search: {} });
    const find = useDebouncedCallback((value: string) => {
        void navigate({ to: ".", search: value ? { q: value } : {}, replace: true });
    }, 300);
    useShortcuts(t("title"), [
        {
            keys: "/",
            label: t("find"),
            run: () => document.querySelector<HTMLInputElement>("#people-search")?.focus(),
        },
    ]);
    const table = useSource(pages.isPending ? undefined : (pages.rows[0] ?? null));
    // People of a table of the tenant's own are added there.
    const add = may && table === null && (
        <>
            <Button
                variant="default"
                leftSection={<IconFileUpload size={14} />}
                onClick={() => setImporting(true)}
            >
                {t("import")}
            </Button>
            <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
                {t("add")}
            </Button>
        </>
    );
    return (
        <Page
            title={t("title")}
            filled
            actions={
                <>
                    <CopyMenu curl={`/v1/people${q ? `?q=${encodeURIComponent(q)}` : ""}`} />
                    {pages.rows.length > 0 && add}
                </>
            }
            bar={
                <Group
                    component="form"
                    gap="md"
                    onSubmit={(event) => {
                        event.preventDefault();
                        // While it is looked for, nothing is found: that does not make it a key.
                        if (pages.isPending) return;
                        if (text.trim() && pages.rows.length === 0) {
                            void open(text.trim());
                        } else if (pages.rows.length === 1) void open(pages.rows[0]!.key);
                    }}
                >
                    <TextInput
                        id="people-search"
                        w={360}
                        maw="100%"
                        leftSection={<IconSearch size={14} />}
                        placeholder={t("find")}
                        aria-label={t("find")}
                        value={text}
                        maxLength={200}
                        onChange={(event) => {
                            setText(event.currentTarget.value);
                            find(event.currentTarget.value.trim());
                        }}
                    />
                    {table && pages.rows.length > 0 && (
                        <Text size="sm" c="dimmed">
                            {t("elsewhere", { table })}
                        </Text>
                    )}
                </Group>
            }
        >
            <DataTable
                label={t("title")}
                rows={pages.rows}
                state={pages}
                rowKey={(one) => one.key}
                onOpen={(one) => void open(one.key)}
                columns={[
                    {
                        id: "name",
                        title: t("name"),
                        width: "minmax(120px, 2fr)",
                        cell: (p: Person) => nameOf(p) || "–",
                    },
                    {
                        id: "key",
                        title: t("key"),
                        width: "minmax(100px, 2fr)",
                        cell: (p: Person) => <span className="truncate mono">{p.key}</span>,
                    },
                    {
                        id: "addresses",
                        title: t("addresses"),
                        width: "minmax(160px, 3fr)",
                        from: "sm",
                        cell: (p: Person) =>
                            addressesOf(p)
                                .map((one) => one.address)
                                .join(", "),
                    },
                ]}
                empty={
                    q ? (
                        <EmptyState icon={IconUsers} title={t("noMatch")} text={t("noMatchText")} />
                    ) : (
                        <NoPeople table={table}>{add}</NoPeople>
                    )
                }
            />
            {adding && <AddPersonDialog close={() => setAdding(false)} />}
            {importing && (
                <Suspense fallback={null}>
                    <ImportDialog close={() => setImporting(false)} />
                </Suspense>
            )}
        </Page>
    );
}
