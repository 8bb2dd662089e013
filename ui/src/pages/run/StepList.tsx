import { useMemo } from "react";
import { StatusBadge } from "@/components/StatusBadge";
import { StepIcon } from "@/components/StepIcon";
import { Time } from "@/components/Time";
import { useWords } from "@/words";
import { endsOf, type RunEvent, type Step } from "./model";
import classes from "./StepList.module.css";
import { runWords } from "./words";

interface Props {
    steps: Step[];
    events: RunEvent[];
    chosen: string | undefined;
    choose: (step: string) => void;
}

/** Every step of the definition in a compact list. */
export function StepList({ steps, events, chosen, choose }: Props) {
    const t = useWords(runWords);
    const ends = useMemo(() => endsOf(events), [events]);
    const ended = (step: Step) => step.attempts.at(-1)?.at ?? ends.get(step.step);
    return (
        <div className={classes.list}>
            <table className={classes.table}>
                <thead>
                    <tr>
                        <th>{t("step")}</th>
                        <th>{t("status")}</th>
                        <th className={classes.number}>{t("attempts")}</th>
                        <th>{t("ended")}</th>
                        <th>{t("error")}</th>
                    </tr>
                </thead>
                <tbody>
                    {steps.map((step) => (
                        <tr key={step.step} data-chosen={chosen === step.step || undefined}>
                            <td>
                                <button
                                    type="button"
                                    className={classes.step}
                                    onClick={() => choose(step.step)}
                                    aria-pressed={chosen === step.step}
                                >
                                    <StepIcon type={step.type} status={step.status} />
                                    <span className="truncate">{step.step}</span>
                                    <span className={classes.type}>{step.type}</span>
                                </button>
                            </td>
                            <td>
                                <StatusBadge status={step.status} quiet />
                                {step.disabled && (
                                    <div className={classes.type}>{t("stepOff")}</div>
                                )}
                            </td>
                            <td className={classes.number}>{step.attempts.length || ""}</td>
                            <td>{ended(step) && <Time at={ended(step)} />}</td>
                            <td
                                className={classes.error}
                                title={step.error?.message.slice(0, 1000)}
                            >
                                {step.error?.message.slice(0, 1000)}
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}
