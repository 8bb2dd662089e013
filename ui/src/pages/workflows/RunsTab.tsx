import { Button } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { EmptyState } from "@/components/EmptyState";
import { LiveControls } from "@/components/LiveControls";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useFresh } from "@/data/useFresh";
import { useRunColumns } from "@/pages/runs/columns";
import { type Filter, toQuery } from "@/pages/runs/filter";
import { StartButton } from "@/pages/runs/StartButton";
import { StatusTabs } from "@/pages/runs/StatusTabs";
import { useWords } from "@/words";
import { useAddress } from "./useAddress";
import classes from "./WorkflowPage.module.css";
import { workflowsWords } from "./words";

type Run = Schemas["Run"];

/** The runs of one workflow, as the list of all runs shows them. */
export function RunsTab({ name }: { name: string }) {
    const t = useWords(workflowsWords);
    const navigate = useNavigate();
    const [{ status }, change] = useAddress();
    const filter: Filter = useMemo(
        () => ({ workflow: name, ...(status ? { status } : {}) }),
        [name, status],
    );
    const key = useMemo(() => ["runs", "list", filter], [filter]);
    const runs = usePages<Run>({
        key,
        fetch: (cursor, signal) => {
            const query = {
                ...toQuery(filter, new Date()),
                limit: 100,
                ...(cursor ? { cursor } : {}),
            };
            return call(api.GET("/v1/runs", { params: { query }, signal }));
        },
    });
    const shown = useMemo(() => new Set(runs.rows.map((run) => run.id)), [runs.rows]);
    const { fresh, show } = useFresh({
        key,
        adds: (event) =>
            event.type === "run_started" && event.workflow === name && !shown.has(event.run_id),
        changes: (event) => (shown.has(event.run_id) ? event.run_id : undefined),
        rowKey: (run: Run) => run.id,
        read: (id) => call(api.GET("/v1/runs/{id}", { params: { path: { id } } })),
    });
    const columns = useRunColumns();
    return (
        <>
            <div className={classes.line}>
                <StatusTabs filter={filter} onChange={(next) => change({ status: next.status })} />
                <span className={classes.end}>
                    <LiveControls fresh={fresh} show={show} />
                    <Button
                        variant="default"
                        renderRoot={(props) => <Link to="/runs" search={filter} {...props} />}
                    >
                        {t("allRuns")}
                    </Button>
                </span>
            </div>
            <DataTable
                label={t("runs")}
                columns={columns}
                rows={runs.rows}
                rowKey={(run) => run.id}
                state={runs}
                onOpen={(run) => void navigate({ to: "/runs/$id", params: { id: run.id } })}
                empty={
                    <EmptyState
                        icon={IconListDetails}
                        title={t("noRunsTitle")}
                        text={t("noRunsText")}
                        command={`pawl run ${name} --wait`}
                        curl={{ curl: "/v1/runs", method: "POST", body: { workflow: name } }}
                    >
                        <StartButton workflow={name} variant="light" />
                    </EmptyState>
                }
            />
        </>
    );
}
