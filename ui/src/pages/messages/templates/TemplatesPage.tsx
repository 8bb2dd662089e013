import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { IconTemplate } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { Time } from "@/components/Time";
import { DataTable } from "@/components/table/DataTable";
import { api, call } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { commonWords } from "@/words/common";
import { MessageTabs } from "../MessageTabs";
import { messagesWords } from "../words";

interface Summary {
    name: string;
    version: number;
    category: string;
    languages: string[];
    created_at: string;
}

/** What messages say. */
export function TemplatesPage() {
    const t = useWords(messagesWords);
    const named = useChannelNames();
    const common = useWords(commonWords);
    const navigate = useNavigate();
    const may = useMay("workflows:write");
    const [name, setName] = useState<string>();
    const pages = usePages<Summary>({
        key: ["templates", "list"],
        fetch: (cursor, signal) =>
            call(
                api.GET("/v1/templates", {
                    params: { query: { limit: 100, ...(cursor ? { cursor } : {}) } },
                    signal,
                }),
            ),
    });
    const open = (one: string) =>
        void navigate({ to: "/messages/templates/$name", params: { name: one }, search: {} });
    const make = may && <Button onClick={() => setName("")}>{t("newTemplate")}</Button>;
    return (
        <Page
            title={t("templates")}
            filled
            actions={
                <>
                    <CopyMenu curl="/v1/templates" />
                    {make}
                </>
            }
            bar={<MessageTabs current="templates" />}
        >
            <DataTable
                label={t("templates")}
                rows={pages.rows}
                state={pages}
                rowKey={(one) => one.name}
                onOpen={(one) => open(one.name)}
                columns={[
                    {
                        id: "name",
                        title: t("template"),
                        width: "minmax(140px, 2fr)",
                        cell: (one: Summary) => one.name,
                    },
                    {
                        id: "languages",
                        title: t("languages"),
                        width: "minmax(90px, 1fr)",
                        cell: (one: Summary) => one.languages.join(", "),
                    },
                    {
                        id: "category",
                        title: t("category"),
                        width: "minmax(100px, 1fr)",
                        from: "sm",
                        cell: (one: Summary) => named(one.category),
                    },
                    {
                        id: "version",
                        title: t("version"),
                        width: "90px",
                        align: "right",
                        from: "sm",
                        cell: (one: Summary) => one.version,
                    },
                    {
                        id: "when",
                        title: t("saved"),
                        width: "110px",
                        cell: (one: Summary) => <Time at={one.created_at} form="ago" />,
                    },
                ]}
                empty={
                    <EmptyState
                        icon={IconTemplate}
                        title={t("templatesEmpty")}
                        text={t("templatesEmptyText")}
                        command="pawl templates apply -f welcome.yaml"
                        curl={{
                            curl: "/v1/templates/welcome",
                            method: "PUT",
                            body: { languages: { en: { text: "Hi {{ user.first_name }}" } } },
                        }}
                    >
                        {make}
                    </EmptyState>
                }
            />
            {name !== undefined && (
                <Modal opened onClose={() => setName(undefined)} title={t("newTemplate")}>
                    <form
                        onSubmit={(event) => {
                            event.preventDefault();
                            if (name.trim()) open(name.trim());
                        }}
                    >
                        <Stack>
                            <TextInput
                                data-autofocus
                                label={t("templateName")}
                                description={t("templateNameHelp")}
                                maxLength={200}
                                value={name}
                                onChange={(event) => setName(event.currentTarget.value)}
                            />
                            <Group justify="flex-end">
                                <Button variant="default" onClick={() => setName(undefined)}>
                                    {common("cancel")}
                                </Button>
                                <Button type="submit" disabled={name.trim() === ""}>
                                    {t("write")}
                                </Button>
                            </Group>
                        </Stack>
                    </form>
                </Modal>
            )}
        </Page>
    );
}
