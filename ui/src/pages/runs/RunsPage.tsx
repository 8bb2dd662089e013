import { Button, Group, Text } from "@mantine/core";
import { IconListDetails, IconStack2 } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { LiveControls } from "@/components/LiveControls";
import { Page } from "@/components/Page";
import { DataTable } from "@/components/table/DataTable";
import { useIsNarrow } from "@/components/table/useFitting";
import type { Schemas } from "@/data/api";
import type { Page as Pages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { BulkDialog } from "./BulkDialog";
import { ColumnMenu } from "./ColumnMenu";
import { useRunColumns } from "./columns";
import { asCli, asPath, asSql } from "./copies";
import { EmptyRuns } from "./EmptyRuns";
import type { Filter } from "./filter";
import { RunSearch } from "./RunSearch";
import classes from "./RunsPage.module.css";
import { SelectedRuns } from "./SelectedRuns";
import { StartButton } from "./StartButton";
import { StatusTabs } from "./StatusTabs";
import { useCounts } from "./useCounts";
import { pageSize, useRunList } from "./useRunList";
import { useSelection } from "./useSelection";
import { ViewMenu } from "./ViewMenu";
import { runsWords } from "./words";

type Run = Schemas["Run"];

/** With `error:` and `data.` the server looks through some runs for each page. */
interface Runs extends Pages<Run> {
    scanned?: number;
}

export function RunsPage() {
    const t = useWords(runsWords);
    const navigate = useNavigate();
    const filter: Filter = useSearch({ from: "/shell/runs" });
    const mayWrite = useMay("runs:write");
    const [bulk, setBulk] = useState(false);
    const counts = useCounts(filter);
    const { runs, fresh, show } = useRunList(filter);
    const pages = (runs.data?.pages ?? []) as Runs[];
    const searched = pages.at(-1)?.scanned !== undefined;
    // It looks no further by itself: that could go through all runs there are.
    const stopped = searched && runs.hasNextPage && (pages.at(-1)?.data.length ?? 0) < pageSize;
    const selection = useSelection(runs.rows, runs.hasNextPage);
    const setFilter = (next: Filter) => {
        selection.clear();
        void navigate({ to: "/runs", search: next });
    };
    const further = (variant: "light" | "subtle") => (
        <Button
            variant={variant}
            {...(variant === "subtle" ? { size: "compact-xs" } : {})}
            loading={runs.isFetchingNextPage}
            onClick={() => void runs.fetchNextPage()}
        >
            {t("lookFurther")}
        </Button>
    );
    const columns = useRunColumns();
    const narrow = useIsNarrow();
    const filtered = Object.keys(filter).length > 0;
    return (
        <Page
            title={t("title")}
            filled
            actions={
                <>
                    <LiveControls fresh={fresh} show={show} />
                    {mayWrite && (
                        <Button
                            variant="default"
                            leftSection={<IconStack2 size={14} />}
                            onClick={() => setBulk(true)}
                        >
                            {t("bulk")}
                        </Button>
                    )}
                    <CopyMenu curl={asPath(filter)} cli={asCli(filter)} sql={asSql(filter)} />
                    <StartButton {...(filter.workflow ? { workflow: filter.workflow } : {})} />
                </>
            }
            bar={
                <div className={classes.bar}>
                    <RunSearch filter={filter} onChange={setFilter} />
                    <ViewMenu filter={filter} onOpen={setFilter} />
                    <ColumnMenu />
                </div>
            }
        >
            <StatusTabs filter={filter} counts={counts} onChange={setFilter} />
            {searched && (
                <Group gap="xs" px={20} py={4}>
                    <Text size="xs" c="dimmed" role="status">
                        {t("looked", {
                            count: pages.reduce((n, one) => n + (one.scanned ?? 0), 0),
                        })}
                    </Text>
                    {stopped && runs.rows.length > 0 && further("subtle")}
                </Group>
            )}
            <DataTable
                label={t("title")}
                columns={columns}
                {...(narrow ? { rowHeight: 52 } : {})}
                rows={runs.rows}
                rowKey={(run) => run.id}
                state={stopped ? { ...runs, hasNextPage: false } : runs}
                onOpen={(run) => void navigate({ to: "/runs/$id", params: { id: run.id } })}
                {...(mayWrite ? { selected: selection.selected, onSelect: selection.select } : {})}
                empty={
                    filtered ? (
                        <EmptyState
                            icon={IconListDetails}
                            title={t(stopped ? "noneYetTitle" : "noneTitle")}
                            text={t(stopped ? "noneYetText" : "noneText")}
                        >
                            {stopped && further("light")}
                            <Button
                                variant={stopped ? "default" : "light"}
                                onClick={() => setFilter({})}
                            >
                                {t("clearFilters")}
                            </Button>
                        </EmptyState>
                    ) : (
                        <EmptyRuns />
                    )
                }
            />
            <SelectedRuns selection={selection} filter={filter} counts={counts} />
            {bulk && <BulkDialog filter={filter} close={() => setBulk(false)} />}
        </Page>
    );
}
