import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Time } from "@/components/Time";
import { now } from "@/data/clock";
import { useWords } from "@/words";
import type { Overview } from "./data";
import classes from "./HomePage.module.css";
import { homeWords } from "./words";

interface TileProps {
    to: string;
    search?: Record<string, string>;
    title: string;
    value: ReactNode;
    help: ReactNode;
    tone?: "bad" | "warn" | undefined;
}

/** One number; it leads to the list behind it. */
function Tile({ to, search = {}, title, value, help, tone }: TileProps) {
    return (
        <Link to={to as "/runs"} search={search} className={classes.tile ?? ""} data-tone={tone}>
            <span className={classes.tileTitle}>{title}</span>
            <span className={`${classes.value} numbers`}>{value}</span>
            <span className={classes.help}>{help}</span>
        </Link>
    );
}

const many = (count: number, most: number) =>
    count >= most ? `${most.toLocaleString()}+` : count.toLocaleString();

interface Props {
    overview: Overview;
    /** How many servers of steps are left alone. */
    alone: number;
}

export function Tiles({ overview, alone }: Props) {
    const t = useWords(homeWords);
    const { work, tasks, failures, targets, service } = overview;
    const left = targets.length + alone;
    const late = work.oldest_at !== null && now() - Date.parse(work.oldest_at ?? "") > 60_000;
    return (
        <div className={classes.tiles}>
            <Tile
                to={work.oldest_run_id ? `/runs/${work.oldest_run_id}` : "/runs"}
                title={t("oldest")}
                value={work.oldest_at ? <Time at={work.oldest_at} form="ago" /> : t("none")}
                help={work.due > 0 ? t("due", { count: many(work.due, 10_000) }) : t("oldestNone")}
                tone={late ? "warn" : undefined}
            />
            <Tile
                to="/inbox"
                search={tasks.overdue > 0 ? { view: "overdue" } : {}}
                title={t("tasks")}
                value={many(tasks.open, 10_000)}
                help={
                    tasks.overdue > 0
                        ? t("tasksOverdue", { count: tasks.overdue })
                        : tasks.due_soon > 0
                          ? t("tasksSoon", { count: tasks.due_soon })
                          : t("tasksNone")
                }
                tone={tasks.overdue > 0 ? "warn" : undefined}
            />
            <Tile
                to="/failures"
                title={t("failing")}
                value={many(failures.groups, 100)}
                help={
                    failures.groups > 0
                        ? t("failingRuns", { count: failures.runs })
                        : t("failingNone")
                }
                tone={failures.groups > 0 ? "bad" : undefined}
            />
            <Tile
                to="/operations"
                search={{ tab: targets.length > 0 && alone === 0 ? "webhooks" : "targets" }}
                title={t("targets")}
                value={left.toLocaleString()}
                help={left > 0 ? t("targetsHelp") : t("targetsNone")}
                tone={left > 0 ? "warn" : undefined}
            />
            {service && (
                <Tile
                    to="/operations"
                    search={{ tab: "workers" }}
                    title={t("workers")}
                    value={service.workers.length.toLocaleString()}
                    help={service.workers.length > 0 ? t("workersHelp") : t("workersNoneHelp")}
                    tone={service.workers.length === 0 ? "bad" : undefined}
                />
            )}
        </div>
    );
}
