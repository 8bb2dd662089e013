import { Alert, Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call, request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Definition, Draft } from "./graph";
import { layoutOf } from "./layout";
import { builderWords } from "./words";

interface Props {
    draft: Draft;
    /** The version that is active now; none: the workflow is new. */
    before: { version: number; definition: Definition } | null;
    onClose: () => void;
    onPublished: (version: number) => void;
}

const byId = (definition: Definition) =>
    new Map(definition.nodes.map((n) => [n.id, JSON.stringify(n)]));

export function changesOf(before: Definition, after: Definition) {
    const old = byId(before);
    const now = byId(after);
    return {
        added: [...now.keys()].filter((id) => !old.has(id)),
        removed: [...old.keys()].filter((id) => !now.has(id)),
        changed: [...now]
            .filter(([id, text]) => old.has(id) && old.get(id) !== text)
            .map(([id]) => id),
    };
}

interface Run {
    id: string;
    version: number;
}

/** Open runs of the version before, and those that stand on steps which go. */
function useOpenRuns(name: string, enabled: boolean) {
    return useQuery({
        queryKey: ["runs", "open", name],
        enabled,
        queryFn: async ({ signal }) => {
            const query = { workflow: name, status: ["queued", "running", "waiting"], limit: 200 };
            const page = await call(
                api.GET("/v1/runs", { params: { query: query as never }, signal }),
            );
            return page as unknown as { data: Run[]; has_more: boolean };
        },
    });
}

/** What publishing means for the people in the workflow, before it is done. */
export function PublishDialog({ draft, before, onClose, onPublished }: Props) {
    const t = useWords(builderWords);
    const common = useWords(commonWords);
    const [people, setPeople] = useState<"finish" | "move">("finish");
    const { definition } = draft;
    const open = useOpenRuns(definition.name, before !== null);
    const count = open.data?.data.length ?? 0;
    const diff = before ? changesOf(before.definition, definition) : undefined;
    const same = diff && diff.added.length + diff.removed.length + diff.changed.length === 0;
    const publish = useAct({
        run: async () => {
            const body = { ...definition, layout: layoutOf(draft) };
            const made = await request<{ version: number }>("POST", "/v1/workflows", body);
            if (people === "move" && before && count > 0) {
                const path = `/v1/workflows/${encodeURIComponent(definition.name)}/migrate`;
                await request("POST", path, { to: made.version });
            }
            return made;
        },
        done: (made) => t("published", { name: definition.name, version: made.version }),
        changes: [["workflows"], ["runs"]],
        onDone: (made) => onPublished(made.version),
    });
    return (
        <Modal opened onClose={onClose} title={t("publishTitle", { name: definition.name })}>
            <Stack gap="sm">
                {diff && !same && (
                    <Text size="sm">
                        {t("publishChanges", {
                            added: diff.added.length,
                            removed: diff.removed.length,
                            changed: diff.changed.length,
                        })}
                    </Text>
                )}
                {same && <Text size="sm">{t("publishSame")}</Text>}
                {!before && <Text size="sm">{t("publishNew")}</Text>}
                {before && (
                    <Text size="sm">{t("publishOpen", { count, version: before.version })}</Text>
                )}
                {before && count > 0 && (
                    <Radio.Group
                        value={people}
                        onChange={(value) => setPeople(value as "finish" | "move")}
                    >
                        <Stack gap={6}>
                            <Radio value="finish" label={t("publishFinish")} />
                            <Radio value="move" label={t("publishMove")} />
                        </Stack>
                    </Radio.Group>
                )}
                {diff && diff.removed.length > 0 && count > 0 && (
                    <Alert color="yellow" variant="light">
                        {diff.removed.join(", ")}
                    </Alert>
                )}
                <Group justify="flex-end">
                    <Button variant="default" onClick={onClose}>
                        {common("cancel")}
                    </Button>
                    <Button loading={publish.isPending} onClick={() => publish.mutate()}>
                        {t("publish")}
                    </Button>
                </Group>
            </Stack>
        </Modal>
    );
}
