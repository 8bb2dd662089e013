import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { JsonViewer } from "@/components/json/JsonViewer";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { useSaid } from "@/words/said";
import { useDraft } from "../store";
import { builderWords } from "../words";
import { AnswerFields, AnswerForm } from "./AnswerForm";
import { dataSchemaOf } from "./answerSchema";
import classes from "./Trial.module.css";
import type { RehearsedStep, Trial } from "./useTrial";

/** Answers that a person can choose for a step, as the mocks of a test case. */
function answersFor(step: RehearsedStep): { name: string; said: Record<string, unknown> }[] {
    if (step.disabled) return [];
    const waits = (step.waits_for ?? {}) as { events?: { event?: string }[] };
    if (step.type === "human") {
        return [
            { name: "approved", said: { decision: "approved" } },
            { name: "rejected", said: { decision: "rejected" } },
        ];
    }
    if (step.type === "condition") {
        return [
            { name: "true", said: { result: { result: true } } },
            { name: "false", said: { result: { result: false } } },
        ];
    }
    if (step.type === "message") {
        return [
            { name: "sent", said: { result: { state: "sent" } } },
            { name: "skipped", said: { result: { state: "skipped", reason: "no_address" } } },
            { name: "failed", said: { error: { code: "refused", class: "permanent" } } },
        ];
    }
    if (Array.isArray(waits.events)) {
        return waits.events.flatMap((one) =>
            one.event ? [{ name: one.event, said: { event: one.event } }] : [],
        );
    }
    return [];
}

/** What one step of a test run got and what came of it, and what it should answer instead. */
export function StepDetails({ trial, step }: { trial: Trial; step: RehearsedStep }) {
    const t = useWords(builderWords);
    const common = useWords(commonWords);
    const { definition } = useDraft();
    const mock = trial.mocks[step.node] as { result?: unknown; data?: unknown } | undefined;
    const status = useSaid("status");
    const yesNo: Record<string, string> = { true: common("yes"), false: common("no") };
    // The name of an event is one of the workflow's own.
    const answer = (name: string) => (step.type === "wait" ? name : (yesNo[name] ?? status(name)));
    // What an event or a person brings along.
    const [data, setData] = useState<unknown>(mock?.data ?? {});
    const node = definition.nodes.find((one) => one.id === step.node);
    const brings = step.type === "human" || step.type === "wait";
    const asked = brings && node ? dataSchemaOf(definition, node) : undefined;
    const answers = answersFor(step).map((one) =>
        asked ? { ...one, said: { ...one.said, data } } : one,
    );
    // What can only be made up can be said instead.
    const free = step.attempts > 0 && !["condition", "message", "human"].includes(step.type);
    const part = (name: string, value: unknown) => (
        <div className={classes.part}>
            <Text size="xs" fw={600}>
                {name}
            </Text>
            {value === null || value === undefined ? (
                <Text size="xs" c="dimmed">
                    –
                </Text>
            ) : (
                <JsonViewer value={value} name={name} height={150} />
            )}
        </div>
    );
    return (
        <div className={classes.details} data-rehearsed={step.node}>
            <Group gap="xs" mb={4}>
                <Text fw={600} size="sm">
                    {step.node}
                </Text>
                {step.disabled && (
                    <Text size="xs" c="dimmed">
                        {t("switchedOff")}
                    </Text>
                )}
                {(answers.length > 0 || free) && (
                    <Text size="xs" c="dimmed">
                        {t("testAnswer")}
                    </Text>
                )}
                {answers.map(({ name, said }) => (
                    <Button
                        key={name}
                        size="compact-xs"
                        variant={
                            JSON.stringify(mock) === JSON.stringify(said) ? "filled" : "default"
                        }
                        onClick={() => trial.answer(step.node, said)}
                    >
                        {answer(name)}
                    </Button>
                ))}
                {mock !== undefined && (
                    <Button
                        size="compact-xs"
                        variant="subtle"
                        onClick={() => trial.answer(step.node, undefined)}
                    >
                        {t("testForget")}
                    </Button>
                )}
            </Group>
            {asked && answers.length > 0 && (
                <div className={classes.answer}>
                    <AnswerFields
                        label={t("testBrings")}
                        schema={asked}
                        value={data}
                        onChange={(next) => setData(next ?? {})}
                    />
                </div>
            )}
            {free && <AnswerForm trial={trial} step={step} said={mock?.result} />}
            <div className={classes.parts}>
                {part(t("testInput"), step.input ?? step.waits_for)}
                {part(t("testOutput"), step.error ?? step.result)}
            </div>
        </div>
    );
}
