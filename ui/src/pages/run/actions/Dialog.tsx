import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";

interface Props {
    title: string;
    text?: string;
    button: string;
    color?: string;
    busy: boolean;
    disabled?: boolean;
    submit: () => void;
    close: () => void;
    children: ReactNode;
}

/** A question with its answer: fields, a button that does it, and one that does not. */
export function Dialog(props: Props) {
    const c = useWords(commonWords);
    return (
        <Modal opened onClose={props.close} title={props.title} size="lg">
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    props.submit();
                }}
            >
                <Stack gap="sm">
                    {props.text && <Text c="dimmed">{props.text}</Text>}
                    {props.children}
                    <Group justify="flex-end" mt="xs">
                        <Button variant="default" onClick={props.close}>
                            {c("close")}
                        </Button>
                        <Button
                            type="submit"
                            color={props.color ?? "pawl"}
                            loading={props.busy}
                            disabled={props.disabled ?? false}
                        >
                            {props.button}
                        </Button>
                    </Group>
                </Stack>
            </form>
        </Modal>
    );
}
