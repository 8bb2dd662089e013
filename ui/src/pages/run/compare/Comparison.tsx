import { Alert, Checkbox, Group, Text, Title } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { StatusBadge } from "@/components/StatusBadge";
import { Duration, Time } from "@/components/Time";
import { useNow } from "@/components/useNow";
import { shortId } from "@/data/ids";
import { useWords } from "@/words";
import { statusWords } from "@/words/statuses";
import { isOpen, type Run } from "../model";
import classes from "./Compare.module.css";
import { differences, type First, firstOf, inWords, rowsOf, type Side } from "./compare";
import { Members } from "./Members";
import { StepRows } from "./StepRows";
import { Wide } from "./Wide";
import { compareWords } from "./words";

interface Sides {
    left: Side;
    right: Side;
}

/** One sentence: where they part. */
function FirstDifference({ first }: { first: First | undefined }) {
    const t = useWords(compareWords);
    const s = useWords(statusWords);
    const status = (word: string) => {
        const known = statusWords.keys.find((one) => one === word);
        return known ? s(known) : word;
    };
    const place = (path: string) => path || t("whole");
    const said = (): string => {
        if (!first) return t("noDifference");
        if (first.kind === "input") {
            const { path, left, right } = first.at;
            const values = { left: inWords(left, 80), right: inWords(right, 80) };
            return t("firstInput", { path: place(path), ...values });
        }
        const { step, left, right } = first.row;
        if (first.kind === "only") {
            return t(first.side === "left" ? "firstOnlyLeft" : "firstOnlyRight", { step });
        }
        if (first.kind === "result") {
            const values = { left: inWords(first.at.left, 80), right: inWords(first.at.right, 80) };
            return t("firstResult", { step, path: place(first.at.path), ...values });
        }
        if (first.kind === "error") {
            return t("firstError", { step, left: left?.error ?? "–", right: right?.error ?? "–" });
        }
        const states = { left: status(left?.status ?? ""), right: status(right?.status ?? "") };
        return t("firstStatus", { step, ...states });
    };
    return (
        <Alert color={first ? "yellow" : "teal"} role="status" title={t("first")}>
            <span className={classes.words}>{said()}</span>
        </Alert>
    );
}

const name = (run: Run) => (
    <Link to="/runs/$id" params={{ id: run.id }}>
        {run.workflow} <span className="mono">{shortId(run.id)}</span>
    </Link>
);

/** What is known of both besides their steps. */
function FactRows({ left, right }: Sides) {
    const t = useWords(compareWords);
    const facts: [string, (run: Run) => ReactNode, (run: Run) => unknown][] = [
        [t("status"), (run) => <StatusBadge status={run.status} />, (run) => run.status],
        [t("version"), (run) => run.version, (run) => `${run.workflow} ${run.version}`],
        [t("started"), (run) => <Time at={run.created_at} />, () => ""],
        [t("took"), (run) => <Duration from={run.created_at} to={run.closed_at} />, () => ""],
        [t("subject"), (run) => run.subject ?? "–", (run) => run.subject],
        [t("triggeredBy"), (run) => run.triggered_by ?? "–", (run) => run.triggered_by],
        [t("error"), (run) => run.error?.message ?? "–", (run) => run.error?.message],
    ];
    return (
        <Wide label={t("fact")}>
            <table className={classes.table} aria-label={t("fact")}>
                <thead>
                    <tr>
                        <td />
                        <th scope="col">{name(left.run)}</th>
                        <th scope="col">{name(right.run)}</th>
                    </tr>
                </thead>
                <tbody>
                    {facts.map(([title, show, is]) => (
                        <tr key={title} data-differs={is(left.run) !== is(right.run) || undefined}>
                            <th scope="row">{title}</th>
                            <td>{show(left.run)}</td>
                            <td>{show(right.run)}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </Wide>
    );
}

/** Two runs: where they part first, what they got, what their steps did, what came out. */
export function Comparison({ left, right }: Sides) {
    const t = useWords(compareWords);
    const navigate = useNavigate();
    const { only } = useSearch({ from: "/shell/runs/$id/compare" });
    const open = isOpen(left.run) || isOpen(right.run);
    const now = useNow(open ? 1000 : 3_600_000);
    const input = useMemo(
        () => differences(left.run.input ?? {}, right.run.input ?? {}),
        [left.run.input, right.run.input],
    );
    const output = useMemo(
        () => differences(left.run.output, right.run.output),
        [left.run.output, right.run.output],
    );
    const rows = useMemo(() => rowsOf(left, right, now), [left, right, now]);
    return (
        <div className={classes.page}>
            <FirstDifference first={firstOf(input, rows)} />
            <FactRows left={left} right={right} />
            <Title order={2}>{t("input")}</Title>
            <Members of={t("input")} all={input} />
            <Group justify="space-between">
                <Title order={2}>{t("steps")}</Title>
                <Checkbox
                    label={t("only")}
                    checked={only !== undefined}
                    onChange={(event) => {
                        const on = event.currentTarget.checked;
                        void navigate({
                            to: ".",
                            search: ({ only: _, ...old }) => ({ ...old, ...(on && { only: "1" }) }),
                            replace: true,
                        });
                    }}
                />
            </Group>
            {rows.length === 0 ? (
                <Text c="dimmed">{t("same")}</Text>
            ) : (
                <StepRows rows={only ? rows.filter((row) => row.differs) : rows} />
            )}
            <Title order={2}>{t("output")}</Title>
            <Members of={t("output")} all={output} />
        </div>
    );
}
