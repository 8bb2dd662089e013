import { Text, UnstyledButton } from "@mantine/core";
import { useWords } from "@/words";
import classes from "./Builder.module.css";
import type { Problem } from "./useProblems";
import { builderWords } from "./words";

interface Props {
    problems: Problem[];
    checking: boolean;
    onPick: (node: string | undefined) => void;
}

/** What the server finds wrong; a click selects the step. */
export function ProblemList({ problems, checking, onPick }: Props) {
    const t = useWords(builderWords);
    return (
        <section className={classes.problems} aria-live="polite" data-checking={checking}>
            <Text size="xs" fw={600} c={problems.length > 0 ? "red" : "dimmed"}>
                {checking ? t("checking") : t("problems", { count: problems.length })}
            </Text>
            {problems.map((problem) => (
                <UnstyledButton
                    key={problem.text}
                    className={classes.problem ?? ""}
                    onClick={() => onPick(problem.node)}
                >
                    {problem.node ? `${problem.node}: ` : ""}
                    {problem.text
                        .replace(/^nodes\[\d+\]\.?[\w.[\]]*: /, "")
                        .replace(/ \(in '[^']*'\)$/, "")}
                </UnstyledButton>
            ))}
        </section>
    );
}
