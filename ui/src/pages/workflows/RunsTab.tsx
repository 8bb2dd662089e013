import { Button } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { EmptyState } from "@/components/EmptyState";
import { LiveControls } from "@/components/LiveControls";
import { DataTable } from "@/components/table/DataTable";
import { useMay } from "@/data/session";
import { useRunColumns } from "@/pages/runs/columns";
import type { Filter } from "@/pages/runs/filter";
import { SelectedRuns } from "@/pages/runs/SelectedRuns";
import { StartButton } from "@/pages/runs/StartButton";
import { StatusTabs } from "@/pages/runs/StatusTabs";
import { useCounts } from "@/pages/runs/useCounts";
import { useRunList } from "@/pages/runs/useRunList";
import { useSelection } from "@/pages/runs/useSelection";
import { useWords } from "@/words";
import { useAddress } from "./useAddress";
import classes from "./WorkflowPage.module.css";
import { workflowsWords } from "./words";

/** The runs of one workflow, as the list of all runs shows them. */
export function RunsTab({ name }: { name: string }) {
    const t = useWords(workflowsWords);
    const navigate = useNavigate();
    const [{ status }, change] = useAddress();
    const filter: Filter = useMemo(
        () => ({ workflow: name, ...(status ? { status } : {}) }),
        [name, status],
    );
    const { runs, fresh, show } = useRunList(filter);
    const columns = useRunColumns();
    const counts = useCounts(filter);
    const mayWrite = useMay("runs:write");
    const selection = useSelection(runs.rows, runs.hasNextPage);
    return (
        <>
            <div className={classes.line}>
                <StatusTabs
                    filter={filter}
                    counts={counts}
                    onChange={(next) => {
                        selection.clear();
                        change({ status: next.status });
                    }}
                />
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
                {...(mayWrite ? { selected: selection.selected, onSelect: selection.select } : {})}
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
            <SelectedRuns selection={selection} filter={filter} counts={counts} />
        </>
    );
}
