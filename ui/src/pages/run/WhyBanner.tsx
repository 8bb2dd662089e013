import { useLingui } from "@lingui/react";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Clamped } from "@/components/Clamped";
import { Time } from "@/components/Time";
import { api, call, type Schemas } from "@/data/api";
import { useMay } from "@/data/session";
import { CallAgain } from "@/pages/operations/CallAgain";
import { useWords } from "@/words";
import type { Ask } from "./actions/Dialogs";
import { useRunActs } from "./actions/useRunActs";
import { isOpen, type Log, type OpenWait, openWaits, pauseOf, type Run } from "./model";
import classes from "./RunPage.module.css";
import { whyText } from "./whyText";
import { runWords } from "./words";

interface Props {
    run: Run;
    why: Schemas["Why"] | undefined;
    log: Log;
    ask: (ask: Ask) => void;
}

/** One sentence: why the run does not move; and the button that moves it. */
export function WhyBanner({ run, why, log, ask }: Props) {
    const { i18n } = useLingui();
    if (run.status === "completed") return <Passed log={log} />;
    if (!why) return null;
    const { sentence, help, places } = whyText(why, i18n.locale);
    const paused = pauseOf(log.events);
    const tone = run.status === "failed" ? "red" : paused && isOpen(run) ? "violet" : "amber";
    return (
        <section
            className={classes.why}
            data-tone={run.status === "running" ? "blue" : tone}
            aria-live="polite"
        >
            <div className={classes.sentence}>
                <Clamped>
                    <Sentence text={sentence} />
                    {places.length > 1 && (
                        <ul>
                            {places.map((place) => (
                                <li key={place}>
                                    <Sentence text={place} />
                                </li>
                            ))}
                        </ul>
                    )}
                </Clamped>
                {help && (
                    <span className={classes.helps}>
                        <Help text={help} target={targetOf(why)} />
                    </span>
                )}
            </div>
            <div className={classes.whyActions}>
                <Remedies run={run} log={log} ask={ask} />
            </div>
        </section>
    );
}

/** It came to its end although steps failed: their failures were passed, or caught. */
function Passed({ log }: { log: Log }) {
    const t = useWords(runWords);
    const failed = log.steps.filter((step) => step.status === "failed");
    if (failed.length === 0) return null;
    const names = failed.map((step) => step.step);
    const shown = names.slice(0, 5).join(", ") + (names.length > 5 ? "…" : "");
    return (
        <section className={classes.why} data-tone="amber" data-passed={failed.length}>
            <div className={classes.sentence}>
                <Clamped>{t("passedFailures", { count: failed.length, steps: shown })}</Clamped>
            </div>
        </section>
    );
}

/** The target that the run is held back for, if a look at it helps. */
function targetOf(why: Schemas["Why"]): string | undefined {
    const { target } = why.help.values as { target?: unknown };
    const about = why.help.code === "look_at_target";
    return about && typeof target === "string" && target !== "" ? target : undefined;
}

/** What helps; a target leads to what is known of it, where it can be called again. */
function Help({ text, target }: { text: string; target: string | undefined }) {
    const at = target === undefined ? -1 : text.indexOf(target);
    if (target === undefined || at < 0) return text;
    return (
        <>
            {text.slice(0, at)}
            <Link to="/operations" search={{ tab: "targets", item: target }}>
                {target}
            </Link>
            {text.slice(at + target.length)}
        </>
    );
}

const moment = /(\d{4}-\d{2}-\d{2}T[\d:.]+Z)/;

/** The words of the server, with its times in the viewer's zone. */
function Sentence({ text }: { text: string }) {
    return text
        .split(moment)
        .map((one, index) => (index % 2 === 1 ? <Time key={index} at={one} /> : one));
}

function Remedies({ run, log, ask }: Omit<Props, "why">) {
    const t = useWords(runWords);
    const may = useMay("runs:write");
    const acts = useRunActs(run);
    if (!may) return null;
    if (run.status === "failed" || run.status === "cancelled") {
        if (run.retried_as) return null;
        return (
            <Button onClick={() => acts.retry.mutate()} loading={acts.retry.isPending}>
                {t("retry")}
            </Button>
        );
    }
    if (pauseOf(log.events)) {
        return (
            <Button onClick={() => acts.resume.mutate()} loading={acts.resume.isPending}>
                {t("resume")}
            </Button>
        );
    }
    return openWaits(log.events)
        .slice(0, 3)
        .map((wait) => <Remedy key={wait.step} run={run} wait={wait} ask={ask} />);
}

function Remedy({ run, wait, ask }: { run: Run; wait: OpenWait; ask: (ask: Ask) => void }) {
    const t = useWords(runWords);
    if (wait.for === "signal") {
        return (
            <Button onClick={() => ask({ kind: "signal", name: wait.name ?? "" })}>
                {t("sendSignal", { name: wait.name ?? "" })}
            </Button>
        );
    }
    if (wait.for === "task") return <DecideButton run={run} step={wait.step} />;
    if (wait.for === "child" && wait.child) {
        return (
            <Link to="/runs/$id" params={{ id: wait.child }}>
                {t("openChild")}
            </Link>
        );
    }
    if (wait.for === "callback" && wait.unknown) {
        return (
            <Button onClick={() => ask({ kind: "settle", step: wait.step })}>{t("settle")}</Button>
        );
    }
    return (
        <>
            {wait.for === "target" && wait.target && <CallAgain target={wait.target} />}
            <Button variant="light" onClick={() => ask({ kind: "skip", step: wait.step })}>
                {wait.for === "time" ? t("skipWait") : t("skip")}
            </Button>
        </>
    );
}

function DecideButton({ run, step }: { run: Run; step: string }) {
    const t = useWords(runWords);
    const { data } = useQuery({
        queryKey: ["tasks", "of", run.id],
        queryFn: ({ signal }) =>
            call(
                api.GET("/v1/tasks", { params: { query: { run: run.id, state: "open" } }, signal }),
            ),
    });
    const tasks = (data?.data ?? []) as Schemas["Task"][];
    const task = tasks.find((one) => one.step === step) ?? tasks[0];
    if (!task) return null;
    return (
        <Button component={Link} to={`/inbox?task=${task.id}` as "/inbox"}>
            {t("decide")}
        </Button>
    );
}
