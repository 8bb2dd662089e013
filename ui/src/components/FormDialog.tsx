import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type CopyAs, CopyMenu } from "./CopyMenu";

interface Props {
    title: string;
    /** What it does, in a sentence. */
    says: string;
    submit: string;
    ready: boolean;
    pending: boolean;
    onSubmit: () => void;
    close: () => void;
    copy?: CopyAs;
    children: ReactNode;
}

/** Fields of something that is made or changed. */
export function FormDialog(props: Props) {
    const t = useWords(commonWords);
    return (
        <Modal opened onClose={props.close} title={props.title} size="lg">
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    event.stopPropagation();
                    if (props.ready) props.onSubmit();
                }}
            >
                <Stack gap="sm">
                    <Text c="dimmed">{props.says}</Text>
                    {props.children}
                    <Group justify="space-between" mt="xs">
                        {props.copy ? <CopyMenu {...props.copy} /> : <span />}
                        <Group gap="xs">
                            <Button variant="default" onClick={props.close}>
                                {t("cancel")}
                            </Button>
                            <Button type="submit" disabled={!props.ready} loading={props.pending}>
                                {props.submit}
                            </Button>
                        </Group>
                    </Group>
                </Stack>
            </form>
        </Modal>
    );
}
