import { Skeleton, Stack, Text } from "@mantine/core";
import { Suspense } from "react";
import { lazyPart } from "@/data/parts";
import { useWords } from "@/words";
import { changesOf } from "./diff";
import { inboxWords } from "./words";

const DiffView = lazyPart(async () => (await import("./DiffView")).DiffView);

/** What was changed about the draft, against what was suggested. */
export function Changes({ before, after }: { before: unknown; after: unknown }) {
    const t = useWords(inboxWords);
    const changes = changesOf(before, after);
    if (changes.length === 0) return null;
    return (
        <Stack gap="xs">
            <Text size="xs" c="dimmed">
                {t("changed")}
            </Text>
            {changes.map((change) => (
                <div key={change.name}>
                    {change.name && (
                        <Text size="xs" fw={600}>
                            {change.name}
                        </Text>
                    )}
                    <Suspense fallback={<Skeleton height={40} />}>
                        <DiffView
                            before={change.before}
                            after={change.after}
                            label={`${t("changed")} ${change.name}`}
                        />
                    </Suspense>
                </div>
            ))}
        </Stack>
    );
}
