import { Button, Group, Select, Stack, Table, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { CopyMenu } from "@/components/CopyMenu";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { Said, useSaid } from "@/words/said";
import { simulateCopies } from "../copies";
import { useDraft } from "../store";
import { builderWords } from "../words";
import classes from "./Simulate.module.css";
import type { SimulationState } from "./useSimulation";

interface Props {
    simulation: SimulationState;
    problems: number;
}

/** The last days once more with this draft: counts on the canvas, and what people would have got. */
export function SimulatePanel({ simulation, problems }: Props) {
    const t = useWords(builderWords);
    const named = useChannelNames();
    const reason = useSaid("reason");
    const { definition } = useDraft();
    const { result, since } = simulation;
    const days = (value: string) => ({
        value,
        label: t("simulateDays", { count: Number.parseInt(value, 10) }),
    });
    return (
        <section className={classes.panel} aria-label={t("simulate")}>
            <Stack gap="xs" className={classes.ask ?? ""}>
                <Select
                    label={t("simulateSince")}
                    data={["1d", "7d", "30d", "90d"].map(days)}
                    value={since}
                    allowDeselect={false}
                    onChange={(value) => value && simulation.setSince(value)}
                />
                <Button
                    leftSection={<IconHistory size={14} />}
                    loading={simulation.busy}
                    disabled={problems > 0}
                    onClick={() => void simulation.start()}
                >
                    {t("simulateStart")}
                </Button>
                <CopyMenu {...simulateCopies(definition.name, since, simulation.current)} />
                <Text size="xs" c="dimmed">
                    {t("simulateHelp")}
                </Text>
            </Stack>
            {result && (
                <div className={classes.result} role="status">
                    <Text fw={600} size="sm">
                        {t("simulated", {
                            people: result.people,
                            runs: result.entered,
                            events: result.events,
                        })}
                    </Text>
                    <Group gap="lg" my={4}>
                        {Object.entries(result.statuses).map(([status, count]) => (
                            <Text key={status} size="xs">
                                <Said kind="status" word={status} />{" "}
                                <b className="numbers">{count.toLocaleString()}</b>
                            </Text>
                        ))}
                        {result.inside_before > 0 && (
                            <Text size="xs">
                                {t("simulatedInside", { count: result.inside_before })}
                            </Text>
                        )}
                    </Group>
                    {result.messages.length > 0 && (
                        <Table fz="xs" verticalSpacing={2} className={classes.table ?? ""}>
                            <Table.Thead>
                                <Table.Tr>
                                    <Table.Th>{t("step")}</Table.Th>
                                    <Table.Th>{t("simulatedSent")}</Table.Th>
                                    <Table.Th>{t("simulatedNight")}</Table.Th>
                                    <Table.Th>{t("simulatedSkipped")}</Table.Th>
                                </Table.Tr>
                            </Table.Thead>
                            <Table.Tbody>
                                {result.messages.map((one) => (
                                    <Table.Tr key={one.node}>
                                        <Table.Td>
                                            {one.node} · {named(one.channel)}
                                        </Table.Td>
                                        <Table.Td className="numbers">
                                            {one.sent.toLocaleString()}
                                        </Table.Td>
                                        <Table.Td className="numbers">
                                            {one.at_night.toLocaleString()}
                                        </Table.Td>
                                        <Table.Td>
                                            {Object.entries(one.skipped_by)
                                                .map(
                                                    ([why, count]) =>
                                                        `${reason(why)} ${count.toLocaleString()}`,
                                                )
                                                .join(", ")}
                                        </Table.Td>
                                    </Table.Tr>
                                ))}
                            </Table.Tbody>
                        </Table>
                    )}
                    {[
                        simulation.of !== definition && t("simulatedOld"),
                        result.assumed_false.length > 0 &&
                            t("simulatedAssumed", { nodes: result.assumed_false.join(", ") }),
                        result.by_clock && t("simulatedClock"),
                        result.truncated && t("simulatedMore"),
                        result.events === 0 && t("simulatedNone"),
                    ]
                        .filter((one) => one !== false)
                        .map((one) => (
                            <Text key={one} size="xs" c="dimmed">
                                {one}
                            </Text>
                        ))}
                </div>
            )}
        </section>
    );
}
