import { ActionIcon, Button, Text, Title } from "@mantine/core";
import { IconGavel, IconPlayerSkipForward, IconRotateClockwise, IconX } from "@tabler/icons-react";
import { actor } from "@/components/actor";
import { Clamped } from "@/components/Clamped";
import { JsonViewer } from "@/components/json/JsonViewer";
import { RunLink } from "@/components/RunLink";
import { StatusBadge } from "@/components/StatusBadge";
import { StepIcon } from "@/components/StepIcon";
import { Time } from "@/components/Time";
import { useEscape } from "@/data/keys";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { Said } from "@/words/said";
import type { Ask } from "./actions/Dialogs";
import { childrenOf, isOpen, type Run, type RunEvent, type Step } from "./model";
import classes from "./StepPanel.module.css";
import { TraceLink } from "./TraceLink";
import { runWords } from "./words";

interface Props {
    run: Run;
    step: Step;
    events: RunEvent[];
    ask: (ask: Ask) => void;
    close: () => void;
}

/** One step: its attempts with their errors, its result, and what can be done about it. */
export function StepPanel({ run, step, events, ask, close }: Props) {
    const t = useWords(runWords);
    const may = useMay("runs:write");
    useEscape(step.step, t("closePanel"), close);
    const here = ["running", "retrying", "waiting"].includes(step.status);
    return (
        <aside className={classes.panel} aria-label={step.step}>
            <div className={classes.head}>
                <StepIcon type={step.type} status={step.status} />
                <Title order={2} className="truncate">
                    {step.step}
                </Title>
                <StatusBadge status={step.status} quiet />
                <ActionIcon
                    aria-label={t("closePanel")}
                    onClick={close}
                    className={classes.close ?? ""}
                >
                    <IconX size={15} />
                </ActionIcon>
            </div>
            {may && (
                <div className={classes.actions}>
                    {isOpen(run) && here && (
                        <Button
                            variant="default"
                            leftSection={<IconPlayerSkipForward size={14} />}
                            onClick={() => ask({ kind: "skip", step: step.step })}
                        >
                            {t("skip")}
                        </Button>
                    )}
                    {isOpen(run) &&
                        step.status === "waiting" &&
                        ["http", "function"].includes(step.type) && (
                            <Button
                                variant="default"
                                leftSection={<IconGavel size={14} />}
                                onClick={() => ask({ kind: "settle", step: step.step })}
                            >
                                {t("settle")}
                            </Button>
                        )}
                    {step.status !== "pending" && !isOpen(run) && (
                        <Button
                            variant="default"
                            leftSection={<IconRotateClockwise size={14} />}
                            onClick={() => ask({ kind: "rerun", from: step.step })}
                        >
                            {t("rerunFrom", { step: step.step })}
                        </Button>
                    )}
                </div>
            )}
            {step.skipped && (
                <Text c="dimmed">
                    {t("skippedBy", { by: actor(step.skipped.by, step.skipped.by_name) })}:{" "}
                    {step.skipped.reason}
                </Text>
            )}
            <ChildRuns events={events} step={step.step} />
            {step.disabled && <Text c="dimmed">{t("stepOff")}</Text>}
            {step.next_attempt_at && here && (
                <Text c="dimmed">
                    {step.status === "retrying" ? t("nextAttempt") : t("continues")}{" "}
                    <Time at={step.next_attempt_at} form="ago" />
                </Text>
            )}
            <section>
                <Title order={3}>{t("attempts")}</Title>
                {step.attempts.length === 0 && (
                    <Text c="dimmed" size="xs">
                        {t("noAttempts")}
                    </Text>
                )}
                <ol className={classes.attempts}>
                    {step.attempts.slice(-50).map((attempt) => (
                        <li
                            key={`${attempt.branch}-${attempt.visit}-${attempt.item}-${attempt.attempt}`}
                        >
                            <div className={classes.attempt}>
                                <span className="numbers">#{attempt.attempt}</span>
                                <StatusBadge status={attempt.outcome} quiet />
                                {attempt.item && (
                                    <span>{t("item", { index: attempt.item.join(".") })}</span>
                                )}
                                <span className={classes.when}>
                                    <TraceLink url={attempt.trace_url} />
                                    <Time at={attempt.at} />
                                </span>
                            </div>
                            {attempt.worker && (
                                <Text c="dimmed" size="xs">
                                    {t("triedBy")} <span className="mono">{attempt.worker}</span>
                                </Text>
                            )}
                            {attempt.error && <AttemptError error={attempt.error} />}
                        </li>
                    ))}
                </ol>
            </section>
            {step.result !== undefined && step.result !== null && (
                <section>
                    <Title order={3}>{t("output")}</Title>
                    <JsonViewer value={step.result} name={step.step} height={300} />
                </section>
            )}
        </aside>
    );
}

/** Why an attempt failed: the beginning of it, and all of it when asked for. */
function AttemptError({ error }: { error: NonNullable<Step["attempts"][number]["error"]> }) {
    return (
        <div className={`mono ${classes.error}`} data-error>
            <Clamped>
                {error.code}
                {error.class && (
                    <>
                        {error.code && " · "}
                        <Said kind="errorClass" word={error.class} />
                    </>
                )}
                {"\n"}
                {error.message}
            </Clamped>
        </div>
    );
}

/** The runs that the step started, of a list only the first. */
function ChildRuns({ events, step }: { events: RunEvent[]; step: string }) {
    const t = useWords(runWords);
    const runs = childrenOf(events, step);
    if (runs.length === 0) return null;
    return (
        <Text c="dimmed" data-children={runs.length}>
            {t("childRun", { count: runs.length })}{" "}
            {runs.slice(0, 20).map((id) => (
                <span key={id}>
                    <RunLink id={id} />{" "}
                </span>
            ))}
            {runs.length > 20 && "…"}
        </Text>
    );
}
