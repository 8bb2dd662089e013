import { Table, Title } from "@mantine/core";
import { Time } from "@/components/Time";
import { useWords } from "@/words";
import type { Overview } from "./data";
import classes from "./HomePage.module.css";
import { homeWords } from "./words";

/** Receivers that get nothing now, and why. */
export function Targets({ targets }: { targets: Overview["targets"] }) {
    const t = useWords(homeWords);
    return (
        <section className={classes.panel}>
            <Title order={2}>{t("targets")}</Title>
            <Table>
                <Table.Tbody>
                    {targets.map((target) => (
                        <Table.Tr key={target.id}>
                            <Table.Td>{target.name || `${target.kind} ${target.id}`}</Table.Td>
                            <Table.Td>
                                {target.state === "disabled"
                                    ? `${t("targetDisabled")}${target.reason ? `: ${target.reason}` : ""}`
                                    : t("targetFailing", { count: target.failures })}
                            </Table.Td>
                            <Table.Td ta="right">
                                {target.until && (
                                    <>
                                        {t("targetUntil")} <Time at={target.until} />
                                    </>
                                )}
                            </Table.Td>
                        </Table.Tr>
                    ))}
                </Table.Tbody>
            </Table>
        </section>
    );
}
