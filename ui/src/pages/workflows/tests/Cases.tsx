import { Group, Text } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import type { Schemas } from "@/data/api";
import { useWords } from "@/words";
import classes from "./Tests.module.css";
import { testsWords } from "./words";

/** What came of each case; a failed one says what was seen instead. */
export function Cases({ tested }: { tested: Schemas["TestedWorkflow"] }) {
    const t = useWords(testsWords);
    return (
        <>
            <Text role="status" fw={600} c={tested.failed > 0 ? "red" : "teal"}>
                {t("result", { passed: tested.passed, failed: tested.failed })}
            </Text>
            {tested.tests.map((test) => (
                <div
                    key={`${test.line} ${test.name}`}
                    className={classes.case}
                    data-passed={test.passed}
                >
                    <Group gap={6} wrap="nowrap">
                        {test.passed ? (
                            <IconCheck size={14} aria-label={t("passedCase")} />
                        ) : (
                            <IconX size={14} aria-label={t("failedCase")} />
                        )}
                        <b>{test.name}</b>
                        <span className={classes.quiet}>
                            {t("took", {
                                time: test.took,
                                steps: t("steps", { count: test.path.length }),
                            })}
                        </span>
                    </Group>
                    {test.mismatches.map((one) => (
                        <div key={`${one.what} ${one.message}`}>
                            <Text size="sm">
                                <b>{one.what}</b> {one.message}
                            </Text>
                            {one.diff.length > 0 && (
                                <pre className={classes.diff}>{one.diff.join("\n")}</pre>
                            )}
                        </div>
                    ))}
                </div>
            ))}
        </>
    );
}
