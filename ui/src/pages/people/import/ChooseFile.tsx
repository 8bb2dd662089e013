import { Alert, Button, FileButton, Stack, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconFileUpload } from "@tabler/icons-react";
import { useWords } from "@/words";
import classes from "./Import.module.css";
import type { FileProblem } from "./problem";
import { importWords } from "./words";

interface Props {
    problem: FileProblem | undefined;
    choose: (file: File) => Promise<void>;
}

/** A file by a button, dropped anywhere on the page, or as rows that are pasted. */
export function ChooseFile({ problem, choose }: Props) {
    const t = useWords(importWords);
    // A browser leaves the page for a file that is dropped beside a place for it.
    useWindowEvent("dragover", (event) => event.preventDefault());
    useWindowEvent("drop", (event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file) void choose(file);
    });
    useWindowEvent("paste", ({ clipboardData }) => {
        const text = clipboardData?.getData("text/plain");
        const file = clipboardData?.files[0];
        if (file) void choose(file);
        else if (text) void choose(new File([text], t("pasted")));
    });
    return (
        <Stack gap="sm">
            <Text c="dimmed">{t("says")}</Text>
            {problem && (
                <Alert color="red" variant="light" role="alert">
                    {t(`file_${problem.code}`, { line: problem.line })}
                </Alert>
            )}
            <div className={classes.drop}>
                <IconFileUpload size={28} stroke={1.5} aria-hidden />
                <FileButton
                    accept=".csv,.tsv,.txt,text/csv,text/plain"
                    onChange={(file) => file && void choose(file)}
                >
                    {(button) => (
                        <Button {...button} data-autofocus>
                            {t("choose")}
                        </Button>
                    )}
                </FileButton>
                <Text c="dimmed" ta="center">
                    {t("dropOrPaste")}
                </Text>
            </div>
        </Stack>
    );
}
