import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";

interface Props {
    /** Whether something was typed that is kept nowhere; asked at the moment of leaving. */
    unsaved: () => boolean;
    /** What of the address names the thing that is written, beside the path. */
    names: readonly string[];
    /** What is left behind, where it is not what was typed. */
    title?: string;
    help?: string;
}

/** Asks before what was typed is left behind. */
export function Unsaved({ unsaved, names, title, help }: Props) {
    const t = useWords(commonWords);
    const blocker = useBlocker({
        shouldBlockFn: ({ current, next }) => {
            const [from, to] = [current, next].map(({ pathname, search }) =>
                [pathname, ...names.map((name) => search[name as never])].join("\n"),
            );
            return from !== to && unsaved();
        },
        enableBeforeUnload: unsaved,
        withResolver: true,
    });
    if (blocker.status !== "blocked") return null;
    return (
        <Modal opened onClose={blocker.reset} title={title ?? t("unsaved")}>
            <Stack gap="sm">
                <Text>{help ?? t("unsavedHelp")}</Text>
                <Group justify="flex-end" gap="xs">
                    <Button color="red" variant="outline" onClick={blocker.proceed}>
                        {t("leave")}
                    </Button>
                    <Button data-autofocus onClick={blocker.reset}>
                        {t("stay")}
                    </Button>
                </Group>
            </Stack>
        </Modal>
    );
}
