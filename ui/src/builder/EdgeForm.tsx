import { Stack, Text } from "@mantine/core";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { WhenField } from "./fields/ConditionForm";
import { SampleContext } from "./fields/sample";
import { useSampled } from "./fields/useSampled";
import { changeEdge, edgeId, type GraphEdge, handleOf } from "./graph";
import { useChange } from "./store";
import type { SampleValues } from "./trial/useTrial";
import { builderWords } from "./words";

/** From where to where an edge leads, and when. */
export function EdgeForm({ edge, values }: { edge: GraphEdge; values: SampleValues }) {
    const t = useWords(builderWords);
    const say = useSaid("handle");
    const change = useChange();
    const sampled = useSampled(values);
    return (
        <SampleContext.Provider value={sampled}>
            <Stack gap="sm" data-edge-form>
                <div>
                    <Text fw={600}>{t("edge")}</Text>
                    <Text size="xs" c="dimmed">
                        <bdi>{edge.from}</bdi> · {say(handleOf(edge))} → <bdi>{edge.to}</bdi>
                    </Text>
                </div>
                <WhenField
                    label={t("edgeWhen")}
                    description={t("edgeWhenHelp")}
                    value={edge.when}
                    onChange={(when) => change((old) => changeEdge(old, edgeId(edge), { when }))}
                />
            </Stack>
        </SampleContext.Provider>
    );
}
