import { Badge, Button, Group, TextInput } from "@mantine/core";
import { IconPlus, IconRoute, IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { Time } from "@/components/Time";
import { DataTable } from "@/components/table/DataTable";
import { request } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { startsBy, type Workflow } from "./data";
import { workflowsWords } from "./words";

/** All workflows: what starts them, which version, since when. */
export function WorkflowsPage() {
    const t = useWords(workflowsWords);
    const navigate = useNavigate();
    const { q = "" } = useSearch({ from: "/shell/workflows" });
    const may = useMay("workflows:write");
    const pages = usePages<Workflow>({
        key: ["workflows", "list"],
        fetch: (cursor) =>
            request(
                "GET",
                `/v1/workflows?limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    const wanted = q.toLowerCase();
    const rows = pages.rows.filter((one) => one.name.toLowerCase().includes(wanted));
    const open = (one: Workflow) =>
        navigate({ to: "/workflows/$name", params: { name: one.name }, search: {} });
    const create = may && (
        <Button
            leftSection={<IconPlus size={14} />}
            onClick={() => navigate({ to: "/new-workflow" })}
        >
            {t("create")}
        </Button>
    );
    return (
        <Page
            title={t("title")}
            filled
            actions={
                <Group gap="xs">
                    <CopyMenu curl="/v1/workflows" cli="workflows list" />
                    {create}
                </Group>
            }
            bar={
                <TextInput
                    w={280}
                    leftSection={<IconSearch size={14} />}
                    placeholder={t("find")}
                    aria-label={t("find")}
                    value={q}
                    onChange={(event) => {
                        const typed = event.currentTarget.value;
                        navigate({
                            to: ".",
                            search: { ...(typed ? { q: typed } : {}) },
                            replace: true,
                        });
                    }}
                />
            }
        >
            <DataTable
                label={t("title")}
                rows={rows}
                state={pages}
                rowKey={(one) => one.name}
                onOpen={open}
                columns={[
                    {
                        id: "name",
                        title: t("name"),
                        width: "minmax(160px, 2fr)",
                        cell: (w: Workflow) => <b>{w.name}</b>,
                    },
                    {
                        id: "version",
                        title: t("version"),
                        width: "80px",
                        align: "right",
                        cell: (w: Workflow) => w.label ?? w.version,
                    },
                    {
                        id: "starts",
                        title: t("starts"),
                        width: "minmax(140px, 2fr)",
                        from: "sm",
                        cell: (w: Workflow) => startsBy(w.definition).join(", ") || t("byHand"),
                    },
                    {
                        id: "state",
                        title: t("state"),
                        width: "130px",
                        cell: (w: Workflow) => (
                            <Badge
                                variant="dot"
                                color={w.switched_off ? "orange" : w.active ? "teal" : "gray"}
                            >
                                {w.switched_off ? t("off") : w.active ? t("active") : t("inactive")}
                            </Badge>
                        ),
                    },
                    {
                        id: "changed",
                        title: t("changed"),
                        width: "140px",
                        from: "md",
                        cell: (w: Workflow) => <Time at={w.created_at} form="ago" />,
                    },
                ]}
                empty={
                    <EmptyState
                        icon={IconRoute}
                        title={t("emptyTitle")}
                        text={t("emptyText")}
                        command="pawl workflows apply workflow.yaml"
                    >
                        {create}
                    </EmptyState>
                }
            />
        </Page>
    );
}
