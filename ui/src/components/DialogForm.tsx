import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type CopyAs, CopyMenu } from "./CopyMenu";

export interface DialogFormProps {
    /** What it does, in a sentence. */
    says?: string;
    submit: string;
    ready: boolean;
    pending?: boolean;
    /** What it does cannot be undone, or says no. */
    grave?: boolean;
    onSubmit: () => void;
    close: () => void;
    copy?: CopyAs;
    children: ReactNode;
}

/** The fields of a dialog, with its buttons: Enter submits when it is ready. */
export function DialogForm(props: DialogFormProps) {
    const t = useWords(commonWords);
    return (
        <form
            onSubmit={(event) => {
                event.preventDefault();
                event.stopPropagation();
                if (props.ready) props.onSubmit();
            }}
        >
            <Stack gap="sm">
                {props.says ? <Text c="dimmed">{props.says}</Text> : null}
                {props.children}
                <Group justify="space-between" mt="xs">
                    {props.copy ? <CopyMenu {...props.copy} /> : <span />}
                    <Group gap="xs">
                        <Button variant="default" onClick={props.close}>
                            {t("cancel")}
                        </Button>
                        <Button
                            type="submit"
                            {...(props.grave ? { color: "red" } : {})}
                            disabled={!props.ready}
                            loading={props.pending ?? false}
                        >
                            {props.submit}
                        </Button>
                    </Group>
                </Group>
            </Stack>
        </form>
    );
}
