import { ActionIcon, Badge, Button, Group, Text } from "@mantine/core";
import { IconPlayerPlay, IconPlayerSkipBack, IconPlayerTrackNext } from "@tabler/icons-react";
import { useEffect } from "react";
import { Hint } from "@/components/Hint";
import { useShortcuts } from "@/data/keys";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { BrokenFields, useBroken } from "../broken";
import { builderWords } from "../words";
import { SampleForm } from "./SampleForm";
import { StepDetails } from "./StepDetails";
import { StepTimes } from "./StepTimes";
import classes from "./Trial.module.css";
import type { Trial } from "./useTrial";

const tones: Record<string, string> = {
    completed: "teal",
    failed: "red",
    cancelled: "gray",
    waiting: "yellow",
};

interface Props {
    trial: Trial;
    /** The definition cannot be read yet. */
    problems: number;
    onShow: (node: string) => void;
}

/** A test run: who, with which data, and then each step with what it got and what came of it. */
export function TrialPanel({ trial, problems, onShow }: Props) {
    const t = useWords(builderWords);
    const status = useSaid("status");
    const { run, step, at } = trial;
    const { broken, report } = useBroken();
    // biome-ignore lint/correctness/useExhaustiveDependencies: only another step is a reason to look
    useEffect(() => {
        if (step) onShow(step.node);
    }, [step?.node, at]);
    useShortcuts(t("testRun"), [
        { keys: "]", label: t("stepNext"), run: () => trial.go(at + 1) },
        { keys: "[", label: t("stepBack"), run: () => trial.go(at - 1) },
    ]);
    return (
        <section className={classes.panel} aria-label={t("testRun")}>
            <div className={classes.who}>
                <div className={classes.sample}>
                    <BrokenFields value={report}>
                        <SampleForm trial={trial} />
                    </BrokenFields>
                </div>
                <Button
                    leftSection={<IconPlayerPlay size={14} />}
                    loading={trial.busy}
                    disabled={broken || trial.wrong || problems > 0}
                    title={problems > 0 ? t("publishWrong") : ""}
                    onClick={() => void trial.start()}
                >
                    {t("testStart")}
                </Button>
                <Text size="xs" c="dimmed">
                    {t("testHelp")}
                </Text>
            </div>
            {run && (
                <div className={classes.steps}>
                    <Group gap={4} mb={4} wrap="nowrap">
                        <Badge color={tones[run.status] ?? "gray"} variant="default">
                            {t("testEnded", { status: status(run.status), took: run.took })}
                        </Badge>
                        <Hint label={t("stepBack")}>
                            <ActionIcon
                                variant="subtle"
                                aria-label={t("stepBack")}
                                disabled={at === 0}
                                onClick={() => trial.go(at - 1)}
                            >
                                <IconPlayerSkipBack size={14} />
                            </ActionIcon>
                        </Hint>
                        <Hint label={t("stepNext")}>
                            <ActionIcon
                                variant="subtle"
                                aria-label={t("stepNext")}
                                disabled={at >= run.steps.length - 1}
                                onClick={() => trial.go(at + 1)}
                            >
                                <IconPlayerTrackNext size={14} />
                            </ActionIcon>
                        </Hint>
                    </Group>
                    <StepTimes run={run} at={at} onPick={trial.go} />
                </div>
            )}
            {run && step && <StepDetails key={`${step.node} ${at}`} trial={trial} step={step} />}
        </section>
    );
}
