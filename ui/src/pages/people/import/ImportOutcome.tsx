import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { download } from "@/components/json/JsonViewer";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Outcome } from "./importPeople";
import { LeftOutList } from "./LeftOutList";
import { importWords } from "./words";

interface Props {
    outcome: Outcome;
    file: string;
    close: () => void;
}

/** What became of the rows of a file. */
export function ImportOutcome({ outcome, file, close }: Props) {
    const t = useWords(importWords);
    const common = useWords(commonWords);
    const { rows, people, leftOut, stopped, left } = outcome;
    const name = `${file.replace(/\.\w+$/, "")}.left-out.csv`;
    return (
        <Stack gap="sm">
            <Alert
                color={stopped ? "orange" : "teal"}
                variant="light"
                role="status"
                title={t(stopped ? "stoppedTitle" : "doneTitle")}
            >
                {[
                    t("rowsIn", { count: rows, file }),
                    t("peopleSaved", { count: people }),
                    t("rowsLeftOut", { count: leftOut }),
                ].join(" · ")}
            </Alert>
            {leftOut > 0 && (
                <>
                    <LeftOutList rows={left.first} count={leftOut} />
                    <Text c="dimmed">{t("leftOutHelp")}</Text>
                </>
            )}
            <Group justify="flex-end" gap="xs">
                {leftOut > 0 && (
                    <Button
                        variant="default"
                        leftSection={<IconDownload size={14} />}
                        onClick={() => download(name, left.file())}
                    >
                        {t("downloadLeftOut")}
                    </Button>
                )}
                <Button onClick={close}>{common("close")}</Button>
            </Group>
        </Stack>
    );
}
