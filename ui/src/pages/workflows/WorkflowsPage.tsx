import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { IconPlus, IconRoute, IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { DataTable } from "@/components/table/DataTable";
import { request } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay, useSession } from "@/data/session";
import { useWords } from "@/words";
import type { Workflow } from "./data";
import { startsBy } from "./data";
import { useWorkflowColumns } from "./list/columns";
import { Drafts } from "./list/Drafts";
import { useRates } from "./list/useRates";
import classes from "./list/WorkflowsPage.module.css";
import { workflowsWords } from "./words";

const states = ["all", "on", "off", "failing"] as const;

/** All workflows: how they do, what starts them, since when, and their switch. */
export function WorkflowsPage() {
    const t = useWords(workflowsWords);
    const navigate = useNavigate();
    const { q = "", state = "all" } = useSearch({ from: "/shell/workflows" });
    const may = useMay("workflows:write");
    const usual = useSession((state) => state.session?.tenant === "default");
    const rates = useRates();
    const columns = useWorkflowColumns(rates);
    const pages = usePages<Workflow>({
        key: ["workflows", "list"],
        fetch: (cursor) =>
            request(
                "GET",
                `/v1/workflows?limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    const wanted = q.toLowerCase();
    const rows = pages.rows.filter((one) => {
        const on = one.active && one.switched_off === null;
        if (state === "on" && !on) return false;
        if (state === "off" && on) return false;
        if (state === "failing" && !rates?.get(one.name)?.failed) return false;
        const said = [one.name, one.owner ?? "", ...startsBy(one.definition)]
            .join(" ")
            .toLowerCase();
        return said.includes(wanted);
    });
    const search = (next: { q?: string; state?: string }) =>
        navigate({
            to: "/workflows",
            search: {
                ...(next.q ? { q: next.q } : {}),
                ...(next.state && next.state !== "all" ? { state: next.state } : {}),
            },
            replace: true,
        });
    const create = may && (
        <Button
            leftSection={<IconPlus size={14} />}
            onClick={() => navigate({ to: "/new-workflow" })}
        >
            {t("create")}
        </Button>
    );
    const filtered = q !== "" || state !== "all";
    return (
        <Page
            title={t("title")}
            filled
            actions={
                <>
                    <CopyMenu
                        curl="/v1/workflows"
                        cli="workflows list"
                        // The view has those of the usual tenant.
                        sql={
                            usual
                                ? "select name, version, active from workflow_definitions order by name;"
                                : undefined
                        }
                    />
                    {create}
                </>
            }
            bar={
                <div className={classes.bar}>
                    <TextInput
                        className={classes.find ?? ""}
                        leftSection={<IconSearch size={14} />}
                        placeholder={t("find")}
                        aria-label={t("find")}
                        value={q}
                        onChange={(event) => search({ q: event.currentTarget.value, state })}
                    />
                    <SegmentedControl
                        size="xs"
                        aria-label={t("state")}
                        value={state}
                        data={states.map((value) => ({ value, label: t(`only_${value}`) }))}
                        onChange={(value) => search({ q, state: value })}
                    />
                    <Drafts />
                </div>
            }
        >
            <DataTable
                label={t("title")}
                rows={rows}
                state={pages}
                rowKey={(one) => one.name}
                onOpen={(one) =>
                    navigate({ to: "/workflows/$name", params: { name: one.name }, search: {} })
                }
                columns={columns}
                empty={
                    filtered ? (
                        <EmptyState icon={IconRoute} title={t("noneTitle")} text={t("noneText")}>
                            <Button variant="light" onClick={() => search({})}>
                                {t("clearFilters")}
                            </Button>
                        </EmptyState>
                    ) : (
                        <EmptyState
                            icon={IconRoute}
                            title={t("emptyTitle")}
                            text={t("emptyText")}
                            command="pawl workflows apply workflow.yaml"
                            curl={`curl -H "Authorization: Bearer $PAWL_API_KEY" --data-binary @workflow.yaml -H 'Content-Type: application/yaml' $PAWL_URL/v1/workflows`}
                        >
                            {create}
                        </EmptyState>
                    )
                }
            />
        </Page>
    );
}
