import { useLingui } from "@lingui/react";
import { Link } from "@tanstack/react-router";
import { Time } from "@/components/Time";
import type { Column } from "@/components/table/column";
import { cronInWords } from "@/pages/operations/cron";
import { useWords } from "@/words";
import { startsBy, type Workflow } from "../data";
import { workflowsWords } from "../words";
import { Sparkline } from "./Sparkline";
import { SwitchCell } from "./SwitchCell";
import { failureShare, percent } from "./spark";
import type { Rates } from "./useRates";
import classes from "./WorkflowsPage.module.css";

/** The columns of the list; figures come a moment later than names. */
export function useWorkflowColumns(rates: Map<string, Rates> | undefined): Column<Workflow>[] {
    const t = useWords(workflowsWords);
    const { i18n } = useLingui();
    const of = (w: Workflow) => rates?.get(w.name);
    return [
        {
            id: "name",
            title: t("name"),
            width: "minmax(120px, 2fr)",
            cell: (w) => (
                <span className={classes.name}>
                    <Link
                        to="/workflows/$name"
                        params={{ name: w.name }}
                        search={{}}
                        className="truncate"
                        title={w.name}
                    >
                        {w.name}
                    </Link>
                </span>
            ),
        },
        {
            id: "starts",
            title: t("starts"),
            width: "minmax(110px, 1.4fr)",
            from: "md",
            cell: (w) => (
                <span title={startsBy(w.definition).join(", ")}>
                    {startsBy(w.definition, (cron) => cronInWords(cron, i18n.locale)).join(", ") ||
                        t("byHand")}
                </span>
            ),
        },
        {
            id: "day",
            title: t("day"),
            width: "116px",
            from: "sm",
            cell: (w) => {
                const one = of(w);
                if (!one) return null;
                const label = t("dayLabel", { started: one.started, failed: one.failed });
                return (
                    <Sparkline
                        label={label}
                        values={one.started_over_time}
                        bad={one.failed_over_time}
                    />
                );
            },
        },
        {
            id: "open",
            title: t("open"),
            width: "64px",
            align: "right",
            cell: (w) => <span className="numbers">{of(w)?.open.toLocaleString() ?? ""}</span>,
        },
        {
            id: "failed",
            title: t("failures"),
            width: "72px",
            align: "right",
            from: "sm",
            cell: (w) => {
                const one = of(w);
                const share = one && failureShare(one);
                if (share === undefined) return <span className={classes.quiet}>–</span>;
                return (
                    <span
                        className={`numbers ${share > 0 ? classes.bad : classes.quiet}`}
                        title={t("failuresHelp")}
                    >
                        {percent(share)}
                    </span>
                );
            },
        },
        {
            id: "version",
            title: t("version"),
            width: "72px",
            align: "right",
            from: "md",
            cell: (w) => <span className="numbers">{w.label ?? w.version}</span>,
        },
        {
            id: "changed",
            title: t("changed"),
            width: "minmax(110px, 1fr)",
            from: "md",
            cell: (w) => (
                <span className="truncate" title={w.changed_by ?? ""}>
                    <Time at={w.changed_at ?? w.created_at} form="ago" />
                    {w.changed_by && <span className={classes.quiet}> · {w.changed_by}</span>}
                </span>
            ),
        },
        {
            id: "owner",
            title: t("owner"),
            width: "minmax(80px, 0.8fr)",
            from: "md",
            cell: (w) => (
                <span className="truncate" title={w.owner ?? ""}>
                    {w.owner}
                </span>
            ),
        },
        {
            id: "state",
            title: t("state"),
            width: "56px",
            cell: (w) => <SwitchCell workflow={w} />,
        },
    ];
}
