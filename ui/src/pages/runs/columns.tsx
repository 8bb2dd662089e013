import { useLocalStorage } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { IdText } from "@/components/IdText";
import { StatusBadge } from "@/components/StatusBadge";
import { Duration, Time } from "@/components/Time";
import type { Column } from "@/components/table/column";
import { useIsNarrow } from "@/components/table/useFitting";
import type { Schemas } from "@/data/api";
import { shortId } from "@/data/ids";
import { useWords } from "@/words";
import classes from "./RunsPage.module.css";
import { runsWords } from "./words";

type Run = Schemas["Run"];

export const optionalColumns = [
    "subject",
    "error",
    "version",
    "due",
    "started",
    "took",
    "run",
] as const;
export type OptionalColumn = (typeof optionalColumns)[number];

/** Which columns are hidden; kept in this browser. */
export function useHiddenColumns() {
    return useLocalStorage<OptionalColumn[]>({
        key: "pawl-runs-hidden",
        defaultValue: ["version", "due"],
        getInitialValueInEffect: false,
    });
}

export function useRunColumns(): Column<Run>[] {
    const t = useWords(runsWords);
    const [hidden] = useHiddenColumns();
    const narrow = useIsNarrow();
    return useMemo(() => {
        const all: Column<Run>[] = [
            {
                id: "status",
                title: t("status"),
                width: "108px",
                cell: (run) => <StatusBadge status={run.status} />,
            },
            {
                id: "workflow",
                title: t("workflow"),
                width: "minmax(110px, 1.4fr)",
                cell: (run) => (
                    <span className={classes.name} data-narrow={narrow || undefined}>
                        <Link to="/runs/$id" params={{ id: run.id }} className="truncate">
                            {run.workflow}
                        </Link>
                        {/* Here is no column that tells runs of a workflow apart. */}
                        {narrow && (
                            <span className={classes.which} title={run.subject ?? run.id}>
                                {run.subject ?? <span className="mono">{shortId(run.id)}</span>}
                            </span>
                        )}
                    </span>
                ),
            },
            {
                id: "subject",
                title: t("subject"),
                width: "minmax(100px, 1fr)",
                from: "md",
                cell: (run) => <span title={run.subject ?? ""}>{run.subject ?? "–"}</span>,
            },
            {
                id: "error",
                title: t("error"),
                width: "minmax(120px, 1.6fr)",
                from: "lg",
                cell: (run) => (
                    <span className={classes.error} title={run.error?.message ?? ""}>
                        {run.error?.message ?? ""}
                    </span>
                ),
            },
            {
                id: "version",
                title: t("version"),
                width: "70px",
                from: "lg",
                align: "right",
                cell: (run) => <span className="numbers">{run.version}</span>,
            },
            {
                id: "due",
                title: t("due"),
                width: "90px",
                from: "lg",
                cell: (run) => (run.due_at ? <Time at={run.due_at} form="ago" /> : "–"),
            },
            {
                id: "started",
                title: t("started"),
                width: "76px",
                cell: (run) => <Time at={run.created_at} form="ago" />,
            },
            {
                id: "took",
                title: t("took"),
                width: "86px",
                from: "sm",
                align: "right",
                cell: (run) => <Duration from={run.created_at} to={run.closed_at} />,
            },
            {
                id: "run",
                title: t("run"),
                width: "150px",
                from: "md",
                cell: (run) => <IdText id={run.id} short />,
            },
        ];
        return all.filter((column) => !hidden.includes(column.id as OptionalColumn));
    }, [t, hidden, narrow]);
}
