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
    ArrowLeft: "←",
    ArrowRight: "→",
    Backspace: "⌫",
    Delete: "Del",
    Escape: "Esc",
};

/** What is pressed together: `mod+Z` is a capital letter, which takes Shift. */
export const pressesOf = (chord: string): string[] =>
    chord
        .split(/\+(?=.)/)
        .flatMap((key) => (/^[A-Z]$/.test(key) ? ["shift", key] : [key]))
        .map((key) => named[key] ?? (key.length === 1 ? key.toUpperCase() : key));

export function Keys({ keys }: { keys: string }) {
    return (
        <Group gap={4} wrap="nowrap">
            {keys.split(" ").map((chord) =>
                pressesOf(chord).map((key) => (
                    <Kbd key={chord + key} size="xs">
                        {key}
                    </Kbd>
                )),
            )}
        </Group>
    );
}

type Groups = ReturnType<typeof useKeys.getState>["groups"];

/** What the sheet shows: each name and each of its keys once, nothing that is empty. */
export function sheetOf(groups: Groups): Groups {
    const byName = new Map<string, Map<string, Groups[number]["shortcuts"][number]>>();
    for (const { name, shortcuts } of groups) {
        const keys = byName.get(name) ?? new Map();
        // What is on top was registered last, and is what hears the key.
        for (const one of shortcuts) keys.set(one.keys, one);
        if (keys.size > 0) byName.set(name, keys);
    }
    return [...byName].map(([name, keys]) => ({ name, shortcuts: [...keys.values()] }));
}

/** Every key that does something on this page. */
export function KeySheet({ opened, close }: { opened: boolean; close: () => void }) {
    const t = useWords(shellWords);
    const groups = useKeys((state) => state.groups);
    return (
        <Modal opened={opened} onClose={close} title={t("keys")} size="lg">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
                {sheetOf(groups).map((group) => (
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
