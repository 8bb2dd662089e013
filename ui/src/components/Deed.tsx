import { Alert, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type CopyAs, CopyMenu } from "./CopyMenu";

interface Props {
    label: string;
    icon?: ReactNode;
    /** What it does, in a sentence; with what cannot be taken back. */
    says: string;
    /** It cannot be undone. */
    danger?: boolean;
    /** What has to be typed before it is done: the name of what goes. */
    typed?: string;
    /** The same for a terminal, a script or the database. */
    copy?: CopyAs;
    /** Fields that it needs beside the sentence. */
    children?: ReactNode;
    ready?: boolean;
    run: () => Promise<unknown>;
    done?: string;
    changes?: QueryKey[];
    onDone?: (result: unknown) => void;
    variant?: "default" | "light" | "filled" | "subtle";
    disabled?: boolean;
}

/** A button for something that changes the world: says what, asks, does it, says that it is done. */
export function Deed(props: Props) {
    const [asked, setAsked] = useState(false);
    return (
        <>
            <Button
                variant={props.variant ?? "default"}
                {...(props.danger ? { color: "red" } : {})}
                {...(props.danger && !props.variant ? { c: "var(--mantine-color-red-text)" } : {})}
                leftSection={props.icon}
                disabled={props.disabled ?? false}
                onClick={() => setAsked(true)}
            >
                {props.label}
            </Button>
            {asked && <DeedDialog {...props} close={() => setAsked(false)} />}
        </>
    );
}

export function DeedDialog(props: Props & { close: () => void }) {
    const t = useWords(commonWords);
    const client = useQueryClient();
    const [text, setText] = useState("");
    const act = useAct<void, unknown>({
        run: props.run,
        ...(props.done ? { done: props.done } : {}),
        onDone: (result) => {
            props.close();
            props.onDone?.(result);
            for (const queryKey of props.changes ?? []) {
                void client.invalidateQueries({ queryKey });
            }
        },
    });
    const sure = props.typed === undefined || text === props.typed;
    const ready = sure && (props.ready ?? true);
    return (
        <Modal opened onClose={props.close} title={props.label} centered>
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    event.stopPropagation();
                    if (ready) act.mutate();
                }}
            >
                <Stack gap="sm">
                    {props.danger ? (
                        <Alert color="red" variant="light">
                            {props.says}
                        </Alert>
                    ) : (
                        <Text>{props.says}</Text>
                    )}
                    {props.children}
                    {props.typed !== undefined && (
                        <TextInput
                            data-autofocus
                            label={t("typeToConfirm", { name: props.typed })}
                            value={text}
                            autoComplete="off"
                            onChange={(event) => setText(event.currentTarget.value)}
                        />
                    )}
                    <Group justify="space-between">
                        {props.copy ? <CopyMenu {...props.copy} /> : <span />}
                        <Group gap="xs">
                            <Button variant="default" onClick={props.close}>
                                {t("cancel")}
                            </Button>
                            <Button
                                type="submit"
                                {...(props.danger ? { color: "red" } : {})}
                                disabled={!ready}
                                loading={act.isPending}
                            >
                                {props.label}
                            </Button>
                        </Group>
                    </Group>
                </Stack>
            </form>
        </Modal>
    );
}
