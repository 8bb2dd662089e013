import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { Suspense } from "react";
import { actor } from "@/components/actor";
import { Loading } from "@/components/Loading";
import { Time } from "@/components/Time";
import { lazyPart } from "@/data/parts";
import { useWords } from "@/words";
import type { SavedDraft } from "./useAutosave";
import { builderWords } from "./words";

const Diff = lazyPart(async () => (await import("./text/Diff")).Diff);

interface Props {
    theirs: SavedDraft;
    mine: string;
    onMine: () => void;
    onTheirs: () => void;
    onClose: () => void;
}

/** Two people have written the same draft: both texts side by side, and nothing is lost. */
export function ConflictDialog({ theirs, mine, onMine, onTheirs, onClose }: Props) {
    const t = useWords(builderWords);
    return (
        <Modal opened onClose={onClose} size="90%" title={t("conflict")}>
            <Stack gap="sm">
                <Text size="sm">
                    {t("conflictHelp", {
                        by: actor(theirs.updated_by, theirs.updated_by_name),
                    })}{" "}
                    <Time at={theirs.updated_at} form="ago" />
                </Text>
                <Suspense fallback={<Loading />}>
                    <Diff
                        before={theirs.text}
                        after={mine}
                        names={[t("conflictTheirText"), t("conflictMyText")]}
                    />
                </Suspense>
                <Group justify="flex-end">
                    <Button variant="subtle" onClick={onClose}>
                        {t("conflictLater")}
                    </Button>
                    <Button variant="default" onClick={onTheirs}>
                        {t("conflictTheirs")}
                    </Button>
                    <Button onClick={onMine}>{t("conflictMine")}</Button>
                </Group>
            </Stack>
        </Modal>
    );
}
