import { Select, Stack, Text } from "@mantine/core";
import { useWords } from "@/words";
import type { Definition } from "../graph";
import { builderWords } from "../words";
import { type Fate, type Standing, successors, toStep } from "./impact";

interface Props {
    before: { version: number; definition: Definition };
    after: Definition;
    /** Steps that go, or become other steps. */
    gone: string[];
    standing: Standing;
    fates: Record<string, Fate>;
    onChange: (id: string, fate: Fate) => void;
}

/** For each step that goes: how many people stand there, and what becomes of them. */
export function FateList({ before, after, gone, standing, fates, onChange }: Props) {
    const t = useWords(builderWords);
    const affected = gone.filter((id) => (standing.at[id] ?? 0) > 0);
    return (
        <Stack gap="xs">
            {affected.map((id) => (
                <div key={id} data-fate={id}>
                    <Text size="sm" fw={600}>
                        {t("publishStand", { count: standing.at[id] ?? 0, id })}
                    </Text>
                    <Select
                        aria-label={t("publishFate", { id })}
                        allowDeselect={false}
                        data={[
                            {
                                value: "finish",
                                label: t("fateFinish", { version: before.version }),
                            },
                            ...successors(before.definition, after, id).map((to) => ({
                                value: toStep(to),
                                label: t("fateMove", { id: to }),
                            })),
                            { value: "exit", label: t("fateExit") },
                        ]}
                        value={fates[id] ?? "finish"}
                        onChange={(fate) => fate && onChange(id, fate)}
                    />
                </div>
            ))}
        </Stack>
    );
}
