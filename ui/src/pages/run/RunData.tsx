import { Text, Title } from "@mantine/core";
import { useMemo } from "react";
import { JsonViewer } from "@/components/json/JsonViewer";
import { useWords } from "@/words";
import type { Run, Step } from "./model";
import classes from "./RunData.module.css";
import { runWords } from "./words";

/** What went in, what came out, and what the steps gave to each other. */
export function RunData({ run, steps }: { run: Run; steps: Step[] }) {
    const t = useWords(runWords);
    const results = useMemo(
        () =>
            Object.fromEntries(
                steps
                    .filter((step) => step.result !== undefined)
                    .map((step) => [step.step, step.result]),
            ),
        [steps],
    );
    return (
        <div className={classes.data}>
            <section>
                <Title order={2}>{t("input")}</Title>
                <JsonViewer value={run.input ?? null} name="input" />
            </section>
            <section>
                <Title order={2}>{run.error ? t("error") : t("output")}</Title>
                {run.error || run.output !== null ? (
                    <JsonViewer
                        value={run.error ?? run.output}
                        name={run.error ? "error" : "output"}
                    />
                ) : (
                    <Text c="dimmed">{t("noOutput")}</Text>
                )}
            </section>
            <section className={classes.wide}>
                <Title order={2}>{t("context")}</Title>
                <JsonViewer value={results} name="results" depth={2} />
            </section>
        </div>
    );
}
