import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { RunLink } from "@/components/RunLink";
import { Duration, Time } from "@/components/Time";
import { useWords } from "@/words";
import { Said } from "@/words/said";
import type { Run } from "./model";
import classes from "./RunPage.module.css";
import { TraceLink } from "./TraceLink";
import { runWords } from "./words";

function Fact({ name, children }: { name: string; children: ReactNode }) {
    return (
        <div className={classes.fact}>
            <dt>{name}</dt>
            <dd className="truncate">{children}</dd>
        </div>
    );
}

/** What is known of a run besides its steps. */
export function Facts({ run, trace }: { run: Run; trace: string | null }) {
    const t = useWords(runWords);
    return (
        <dl className={classes.facts}>
            <Fact name={t("started")}>
                <Time at={run.created_at} />
            </Fact>
            <Fact name={t("took")}>
                <Duration from={run.created_at} to={run.closed_at} />
            </Fact>
            {run.closed_at && (
                <Fact name={t("ended")}>
                    <Time at={run.closed_at} />
                </Fact>
            )}
            {run.due_at && !run.closed_at && (
                <Fact name={t("continues")}>
                    <Time at={run.due_at} form="ago" />
                </Fact>
            )}
            <Fact name={t("version")}>
                <span className="numbers">{run.version}</span>
            </Fact>
            {run.subject && (
                <Fact name={t("subject")}>
                    <Link to="/runs" search={{ subject: run.subject }} title={run.subject}>
                        {run.subject}
                    </Link>
                </Fact>
            )}
            {run.correlation_id && (
                <Fact name={t("correlation")}>
                    <span className="mono" title={run.correlation_id}>
                        {run.correlation_id}
                    </span>
                </Fact>
            )}
            {run.triggered_by && (
                <Fact name={t("triggeredBy")}>
                    <Said kind="startedBy" word={run.triggered_by} />
                </Fact>
            )}
            {run.parent && (
                <Fact name={run.triggered_by === "call" ? t("calledBy") : t("parentRun")}>
                    <RunLink id={run.parent} />
                </Fact>
            )}
            {run.retried_as && (
                <Fact name={t("retriedAs")}>
                    <RunLink id={run.retried_as} />
                </Fact>
            )}
            {trace && (
                <Fact name={t("trace")}>
                    <TraceLink url={trace} />
                </Fact>
            )}
            {run.priority !== undefined && run.priority !== 0 && (
                <Fact name={t("priority")}>
                    <span className="numbers">{run.priority}</span>
                </Fact>
            )}
        </dl>
    );
}
