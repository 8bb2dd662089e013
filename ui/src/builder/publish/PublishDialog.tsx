import { Alert, Button, Checkbox, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { publishCopies } from "../copies";
import { NewerVersion } from "../guard/NewerVersion";
import { readHead, useHead } from "../guard/useHead";
import { guardWords } from "../guard/words";
import { layoutOf } from "../layout";
import type { BuilderStore } from "../store";
import { builderWords } from "../words";
import { FateList } from "./FateList";
import { changesOf, type Fate, migrationOf } from "./impact";
import { MoveProgress } from "./MoveProgress";
import { useStanding } from "./useStanding";

interface Props {
    store: BuilderStore;
    /** The version that the draft began with; 0: there was none. */
    base: number;
    /** There is no workflow of that name yet. */
    isNew: boolean;
    /** It is active now, and people may still have to move. */
    onMade: (version: number) => void;
    onClose: () => void;
    onPublished: (version: number) => void;
}

interface Published {
    version: number;
    job?: string;
}

/** What publishing means for the people in the workflow, before it is done; then it is done. */
export function PublishDialog({ store, base, isNew, onMade, onClose, onPublished }: Props) {
    const t = useWords(builderWords);
    const guard = useWords(guardWords);
    const common = useWords(commonWords);
    const [people, setPeople] = useState<"finish" | "move">("finish");
    const [fates, setFates] = useState<Record<string, Fate>>({});
    const [made, setMade] = useState<Published>();
    const [looking, setLooking] = useState(false);
    const [confirmed, setConfirmed] = useState<number>();
    const { draft } = store.getState();
    const { definition } = draft;
    const head = useHead(definition.name, !isNew && !made);
    // The version that is active now; null: the workflow is new.
    const before = isNew ? null : (head.data ?? null);
    const isKnown = isNew || head.data !== undefined;
    const newer = before && before.version !== base ? before : undefined;
    const standing = useStanding(definition.name, before !== null && !made);
    const diff = before ? changesOf(before.definition, definition) : undefined;
    const gone = diff ? [...diff.removed, ...diff.replaced] : [];
    const same = diff && diff.added.length + diff.removed.length + diff.changed.length === 0;
    const stranded = gone.reduce((sum, id) => sum + (standing?.at[id] ?? 0), 0);
    const publish = useAct({
        run: async (): Promise<Published> => {
            const now = await readHead(definition.name);
            if (now?.version !== before?.version) {
                void head.refetch();
                throw new Error(guard("newerNow"));
            }
            const body = { ...definition, layout: layoutOf(draft) };
            const { version } = await request<Published>("POST", "/v1/workflows", body);
            onMade(version);
            if (people !== "move" || !before || version === before.version) return { version };
            const path = `/v1/workflows/${encodeURIComponent(definition.name)}/migrate`;
            const job = await request<{ id: string }>("POST", path, migrationOf(version, fates));
            return { version, job: job.id };
        },
        done: (one) => t("published", { name: definition.name, version: one.version }),
        changes: [["workflows"], ["runs"], ["funnel"]],
        onDone: (one) => (one.job ? setMade(one) : onPublished(one.version)),
    });
    const finish = () => (made ? onPublished(made.version) : onClose());
    return (
        <Modal
            opened
            onClose={finish}
            closeOnEscape={!looking}
            title={t("publishTitle", { name: definition.name })}
            size="lg"
        >
            {made?.job ? (
                <MoveProgress id={made.job} onClose={finish} />
            ) : (
                <Stack gap="sm">
                    {newer && (
                        <NewerVersion
                            name={definition.name}
                            base={base}
                            head={newer}
                            draft={store}
                            onShow={setLooking}
                        >
                            <Checkbox
                                label={guard("newerConfirm", { version: newer.version })}
                                checked={confirmed === newer.version}
                                onChange={(event) =>
                                    setConfirmed(
                                        event.currentTarget.checked ? newer.version : undefined,
                                    )
                                }
                            />
                        </NewerVersion>
                    )}
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
                    {isKnown && !before && <Text size="sm">{t("publishNew")}</Text>}
                    {before && standing && (
                        <Text size="sm">
                            {t("publishInside", {
                                count: standing.inside,
                                version: before.version,
                            })}
                        </Text>
                    )}
                    {before && !same && (standing?.inside ?? 0) > 0 && (
                        <Radio.Group
                            label={t("publishPeople")}
                            value={people}
                            onChange={(value) => setPeople(value as "finish" | "move")}
                        >
                            <Stack gap={6} mt={4}>
                                <Radio
                                    value="finish"
                                    label={t("publishFinish", { version: before.version })}
                                />
                                <Radio value="move" label={t("publishMove")} />
                            </Stack>
                        </Radio.Group>
                    )}
                    {stranded > 0 && people === "finish" && (
                        <Alert color="yellow" variant="light">
                            {t("publishStranded", { count: stranded })}
                        </Alert>
                    )}
                    {before && standing && people === "move" && (
                        <FateList
                            before={before}
                            after={definition}
                            gone={gone}
                            standing={standing}
                            fates={fates}
                            onChange={(id, fate) => setFates({ ...fates, [id]: fate })}
                        />
                    )}
                    <Group justify="space-between">
                        <CopyMenu {...publishCopies(() => draft)} />
                        <Group gap="xs">
                            <Button variant="default" onClick={onClose}>
                                {common("cancel")}
                            </Button>
                            <Button
                                data-autofocus
                                loading={publish.isPending || !isKnown}
                                disabled={newer !== undefined && confirmed !== newer.version}
                                onClick={() => publish.mutate()}
                            >
                                {t("publish")}
                            </Button>
                        </Group>
                    </Group>
                </Stack>
            )}
        </Modal>
    );
}
