import { Button, Text } from "@mantine/core";
import { IconListDetails, IconStack2 } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { LiveControls } from "@/components/LiveControls";
import { Page } from "@/components/Page";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { type Page as Pages, usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useFresh } from "@/data/useFresh";
import { useWords } from "@/words";
import { BulkDialog } from "./BulkDialog";
import { ColumnMenu } from "./ColumnMenu";
import { useRunColumns } from "./columns";
import { asCli, asPath, asSql } from "./copies";
import { announces, type Filter, toQuery } from "./filter";
import { RunSearch } from "./RunSearch";
import classes from "./RunsPage.module.css";
import { SelectionBar } from "./SelectionBar";
import { StatusTabs } from "./StatusTabs";
import { hasError, lookedMax, type Sieved, sieve } from "./sieve";
import { ViewMenu } from "./ViewMenu";
import { runsWords } from "./words";

type Run = Schemas["Run"];
type Runs = Pages<Run>;

export function RunsPage() {
    const t = useWords(runsWords);
    const navigate = useNavigate();
    const filter: Filter = useSearch({ from: "/shell/runs" });
    const mayWrite = useMay("runs:write");
    const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
    const [bulk, setBulk] = useState(false);
    const key = useMemo(() => ["runs", "list", filter], [filter]);
    const runs = usePages<Run>({
        key,
        fetch: (cursor, signal) => {
            const { error } = filter;
            const conditions = toQuery(filter, new Date());
            const read = async (at: string | undefined) => {
                const query = {
                    ...conditions,
                    limit: error ? 500 : 100,
                    ...(at ? { cursor: at } : {}),
                };
                return (await call(api.GET("/v1/runs", { params: { query }, signal }))) as Runs;
            };
            return error ? sieve(read, (run) => hasError(run, error), cursor) : read(cursor);
        },
    });
    const looked = (runs.data?.pages.at(-1) as Partial<Sieved<Run>> | undefined)?.looked;
    const shown = useMemo(() => new Set(runs.rows.map((run) => run.id)), [runs.rows]);
    const { fresh, show } = useFresh({
        key,
        adds: (event) => !shown.has(event.run_id) && announces(event, filter),
        changes: (event) => (shown.has(event.run_id) ? event.run_id : undefined),
        rowKey: (run: Run) => run.id,
        read: (id) => call(api.GET("/v1/runs/{id}", { params: { path: { id } } })),
    });
    const setFilter = (next: Filter) => {
        setSelected(new Set());
        void navigate({ to: "/runs", search: next });
    };
    const columns = useRunColumns();
    const filtered = Object.keys(filter).length > 0;
    return (
        <Page
            title={t("title")}
            filled
            actions={
                <>
                    <LiveControls fresh={fresh} show={show} />
                    {mayWrite && !filter.error && (
                        <Button
                            variant="default"
                            leftSection={<IconStack2 size={14} />}
                            onClick={() => setBulk(true)}
                        >
                            {t("bulk")}
                        </Button>
                    )}
                    <CopyMenu curl={asPath(filter)} cli={asCli(filter)} sql={asSql(filter)} />
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
            <StatusTabs filter={filter} onChange={setFilter} />
            {looked !== undefined && (
                <Text size="xs" c="dimmed" px={20} py={4} role="status">
                    {t(looked >= lookedMax ? "lookedMax" : "looked", { count: looked })}
                </Text>
            )}
            <DataTable
                label={t("title")}
                columns={columns}
                rows={runs.rows}
                rowKey={(run) => run.id}
                state={runs}
                onOpen={(run) => void navigate({ to: "/runs/$id", params: { id: run.id } })}
                {...(mayWrite ? { selected, onSelect: setSelected } : {})}
                empty={
                    filtered ? (
                        <EmptyState
                            icon={IconListDetails}
                            title={t("noneTitle")}
                            text={t("noneText")}
                        >
                            <Button variant="light" onClick={() => setFilter({})}>
                                {t("clearFilters")}
                            </Button>
                        </EmptyState>
                    ) : (
                        <EmptyState
                            icon={IconListDetails}
                            title={t("emptyTitle")}
                            text={t("emptyText")}
                            command="pawl run hello --wait"
                            curl={`curl -H "Authorization: Bearer $PAWL_KEY" --json '{"workflow": "hello"}' $PAWL_URL/v1/runs`}
                        />
                    )
                }
            />
            {selected.size > 0 && (
                <SelectionBar
                    runs={runs.rows.filter((run) => selected.has(run.id))}
                    clear={() => setSelected(new Set())}
                />
            )}
            {bulk && <BulkDialog filter={filter} close={() => setBulk(false)} />}
        </Page>
    );
}
