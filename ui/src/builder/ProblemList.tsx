import { UnstyledButton } from "@mantine/core";
import classes from "./Builder.module.css";
import type { Problem } from "./problems";
import { useProblemText } from "./problemText";

interface Props {
    problems: Problem[];
    onPick: (problem: Problem) => void;
}

/** What the server finds wrong; a click selects the step. */
export function ProblemList({ problems, onPick }: Props) {
    const say = useProblemText();
    if (problems.length === 0) return null;
    return (
        <section className={classes.problems} aria-live="polite">
            {problems.map((problem) => (
                <UnstyledButton
                    key={problem.text}
                    className={classes.problem ?? ""}
                    onClick={() => onPick(problem)}
                >
                    {/* A name may hold a sign that turns what follows around. */}
                    {problem.node && (
                        <>
                            <bdi>{problem.node}</bdi>:{" "}
                        </>
                    )}
                    <bdi>{say(problem)}</bdi>
                </UnstyledButton>
            ))}
        </section>
    );
}
