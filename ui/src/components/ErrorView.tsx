import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ApiError, errorText } from "@/data/error";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { placeText, useRefusals } from "@/words/refusal";
import { CopyButton } from "./CopyButton";

interface Props {
    error: unknown;
    retry?: () => void;
}

/** What to do about it. What was asked for wrongly is refused again and again. */
function helpFor(status: number | undefined) {
    if (status === 0) return "whatToDoGone";
    if (status === 403) return "whatToDoForbidden";
    if (status === 400 || status === 404 || status === 422) return "whatToDoWrong";
    return "whatToDoRetry";
}

/** What happened, what to do about it, and the id under which the server logged it. */
export function ErrorView({ error, retry }: Props) {
    const t = useWords(commonWords);
    useRefusals();
    const known = error instanceof ApiError ? error : undefined;
    const help = helpFor(known?.status);
    return (
        <Alert
            color="red"
            variant="light"
            m="md"
            icon={<IconAlertTriangle size={18} />}
            title={errorText(error)}
            role="alert"
        >
            <Stack gap="xs">
                {known?.errors.map((one) => (
                    <Text key={`${one.pointer ?? one.parameter} ${one.detail}`}>
                        {(one.pointer ?? one.parameter) && (
                            <Code>{one.pointer ?? one.parameter}</Code>
                        )}{" "}
                        {placeText(one)}
                    </Text>
                ))}
                <Text c="dimmed">{t(help)}</Text>
                <Group gap="sm">
                    {retry && help !== "whatToDoForbidden" && help !== "whatToDoWrong" && (
                        <Button size="compact-xs" variant="light" color="red" onClick={retry}>
                            {t("retry")}
                        </Button>
                    )}
                    {known?.requestId && (
                        <Text size="xs" c="dimmed" component="span">
                            {t("requestId")} <span className="mono">{known.requestId}</span>
                            <CopyButton text={known.requestId} size="xs" />
                        </Text>
                    )}
                </Group>
            </Stack>
        </Alert>
    );
}
