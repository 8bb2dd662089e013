import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { ApiError, errorText } from "@/data/error";
import { duration } from "@/data/time";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Question } from "./importPeople";
import { LeftOutList } from "./LeftOutList";
import type { Sending } from "./useImport";
import { importWords } from "./words";

interface Props {
    sending: Sending;
    answer: (goOn: boolean) => void;
    stop: () => void;
}

/** Sooner, a guess says nothing. */
const guessAfter = 2_000;

function timeLeft({ rows, total, began }: Sending): number | undefined {
    const took = performance.now() - began;
    if (took < guessAfter || rows === 0 || rows >= total) return undefined;
    return Math.ceil((took * (total - rows)) / rows / 1000) * 1000;
}

/** How far an import is, and what the viewer has to decide. */
export function ImportRunning({ sending, answer, stop }: Props) {
    const t = useWords(importWords);
    const { rows, total, people, leftOut, waiting, question } = sending;
    const left = timeLeft(sending);
    const parts = [
        t("rowsDone", { rows: rows.toLocaleString(), total: total.toLocaleString() }),
        t("peopleSaved", { count: people }),
        ...(leftOut > 0 ? [t("rowsLeftOut", { count: leftOut })] : []),
        ...(left !== undefined && !question ? [t("timeLeft", { time: duration(left) })] : []),
    ];
    return (
        <Stack gap="sm">
            <Progress
                aria-label={t("progress")}
                value={(100 * rows) / Math.max(1, total)}
                animated={!question}
            />
            <Text className="numbers">{parts.join(" · ")}</Text>
            {question ? (
                <Asked question={question} answer={answer} />
            ) : (
                <>
                    {waiting ? (
                        <Alert color="orange" variant="light" role="status">
                            {t("waiting", { time: duration(waiting * 1000) })}
                        </Alert>
                    ) : null}
                    <Group justify="flex-end">
                        <Button variant="default" onClick={stop}>
                            {t("stop")}
                        </Button>
                    </Group>
                </>
            )}
        </Stack>
    );
}

interface AskedProps {
    question: Question;
    answer: (goOn: boolean) => void;
}

function Asked({ question: { refused, error }, answer }: AskedProps) {
    const t = useWords(importWords);
    const common = useWords(commonWords);
    return (
        <Alert
            color={refused ? "orange" : "red"}
            variant="light"
            role="alert"
            title={refused ? t("refusedTitle", { count: refused.length }) : t("failedTitle")}
        >
            <Stack gap="sm">
                {refused ? (
                    <LeftOutList rows={refused} count={refused.length} />
                ) : (
                    <Text>
                        {errorText(error)}
                        {error instanceof ApiError && error.requestId
                            ? ` (${common("requestId")} ${error.requestId})`
                            : ""}
                    </Text>
                )}
                <Text>{t(refused ? "refusedHelp" : "failedHelp")}</Text>
                <Group gap="xs" justify="flex-end">
                    <Button variant="default" onClick={() => answer(false)}>
                        {t("stop")}
                    </Button>
                    <Button onClick={() => answer(true)}>
                        {refused ? t("goOn") : common("retry")}
                    </Button>
                </Group>
            </Stack>
        </Alert>
    );
}
