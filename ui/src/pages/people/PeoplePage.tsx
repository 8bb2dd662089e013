import { Text, TextInput } from "@mantine/core";
import { IconSearch, IconUsers } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { DataTable } from "@/components/table/DataTable";
import { ApiError, request } from "@/data/api";
import { usePages } from "@/data/queries";
import { useWords } from "@/words";
import { nameOf, type Person } from "./data";
import { peopleWords } from "./words";

/** The people that are kept here; those of a tenant's own table are looked up by key. */
export function PeoplePage() {
    const t = useWords(peopleWords);
    const navigate = useNavigate();
    const [key, setKey] = useState("");
    const pages = usePages<Person>({
        key: ["people", "list"],
        fetch: (cursor) =>
            request(
                "GET",
                `/v1/people?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    const elsewhere = pages.error instanceof ApiError && pages.error.status === 409;
    const open = (one: string) =>
        navigate({ to: "/people/$key", params: { key: one }, search: {} });
    return (
        <Page
            title={t("title")}
            filled
            actions={<CopyMenu curl="/v1/people" cli="people get KEY" />}
            bar={
                <form
                    onSubmit={(event) => {
                        event.preventDefault();
                        if (key.trim()) void open(key.trim());
                    }}
                >
                    <TextInput
                        w={300}
                        leftSection={<IconSearch size={14} />}
                        placeholder={t("find")}
                        aria-label={t("find")}
                        value={key}
                        onChange={(event) => setKey(event.currentTarget.value)}
                    />
                </form>
            }
        >
            {elsewhere ? (
                <Text p="md">{pages.error?.message}</Text>
            ) : (
                <DataTable
                    label={t("title")}
                    rows={pages.rows}
                    state={pages}
                    rowKey={(one) => one.key}
                    onOpen={(one) => void open(one.key)}
                    columns={[
                        {
                            id: "key",
                            title: t("key"),
                            width: "minmax(120px, 1fr)",
                            cell: (p: Person) => p.key,
                        },
                        {
                            id: "name",
                            title: t("name"),
                            width: "minmax(120px, 2fr)",
                            cell: (p: Person) => nameOf(p),
                        },
                        {
                            id: "addresses",
                            title: t("addresses"),
                            width: "minmax(160px, 3fr)",
                            from: "sm",
                            cell: (p: Person) => Object.values(p.addresses).map(String).join(", "),
                        },
                    ]}
                    empty={
                        <EmptyState
                            icon={IconUsers}
                            title={t("empty")}
                            text={t("emptyText")}
                            command="pawl people import people.csv"
                        />
                    }
                />
            )}
        </Page>
    );
}
