import { Text, UnstyledButton } from "@mantine/core";
import { duration } from "@/data/time";
import { useWords } from "@/words";
import { Said } from "@/words/said";
import { StepIcon } from "../icons";
import { builderWords } from "../words";
import classes from "./Trial.module.css";
import type { Rehearsal } from "./useTrial";

interface Props {
    run: Rehearsal;
    at: number;
    onPick: (at: number) => void;
}

/** The steps of a test run in their order, with the time at which it came to each. */
export function StepTimes({ run, at, onPick }: Props) {
    const t = useWords(builderWords);
    return (
        <ol className={classes.list} aria-label={t("testSteps")}>
            {run.steps.map((step, i) => (
                <li key={i}>
                    <UnstyledButton
                        className={classes.one ?? ""}
                        data-now={i === at || undefined}
                        data-later={i > at || undefined}
                        aria-current={i === at ? "step" : undefined}
                        onClick={() => onPick(i)}
                    >
                        <span className={`${classes.time} numbers`}>
                            +{duration(Date.parse(step.at) - Date.parse(run.started_at))}
                        </span>
                        <StepIcon type={step.type} size={14} />
                        <span className="truncate">{step.node}</span>
                        {step.handle && step.handle !== "default" && (
                            <Text span size="xs" c="dimmed" className="truncate">
                                <Said kind="handle" word={step.handle} />
                            </Text>
                        )}
                        {step.disabled && (
                            <Text span size="xs" c="dimmed" className="truncate">
                                {t("switchedOff")}
                            </Text>
                        )}
                        {step.made_up && (
                            <Text span size="xs" c="dimmed" fs="italic">
                                {t("testMadeUp")}
                            </Text>
                        )}
                    </UnstyledButton>
                </li>
            ))}
            {run.waits_at.length > 0 && (
                <Text component="li" size="xs" c="dimmed" px={6}>
                    {t("testWaits", { nodes: run.waits_at.join(", ") })}
                </Text>
            )}
            {(run.stopped || run.truncated) && (
                <Text component="li" size="xs" c="red" px={6}>
                    {t("testStopped")}
                </Text>
            )}
        </ol>
    );
}
