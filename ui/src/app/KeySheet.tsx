import { Group, Kbd, Modal, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useKeys } from "@/data/keys";
import { useWords } from "@/words";
import { shellWords } from "@/words/shell";

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const named: Record<string, string> = {
    mod: mac ? "⌘" : "Ctrl",
    alt: "Alt",
    shift: "Shift",
    Enter: "↵",
    ArrowUp: "↑",
    ArrowDown: "↓",
};

export function Keys({ keys }: { keys: string }) {
    return (
        <Group gap={4} wrap="nowrap">
            {keys.split(" ").map((chord) =>
                chord.split(/\+(?=.)/).map((key) => (
                    <Kbd key={chord + key} size="xs">
                        {named[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
                    </Kbd>
                )),
            )}
        </Group>
    );
}

/** Every key that does something on this page. */
export function KeySheet({ opened, close }: { opened: boolean; close: () => void }) {
    const t = useWords(shellWords);
    const groups = useKeys((state) => state.groups);
    return (
        <Modal opened={opened} onClose={close} title={t("keys")} size="lg">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
                {groups.map((group) => (
                    <Stack key={group.name} gap={6}>
                        <Title order={3} c="dimmed">
                            {group.name}
                        </Title>
                        {group.shortcuts.map((one) => (
                            <Group key={one.keys} justify="space-between" wrap="nowrap">
                                <Text>{one.label}</Text>
                                <Keys keys={one.keys} />
                            </Group>
                        ))}
                    </Stack>
                ))}
            </SimpleGrid>
        </Modal>
    );
}
