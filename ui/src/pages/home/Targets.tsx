import { Table, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Time } from "@/components/Time";
import { useWords } from "@/words";
import type { Overview, Target } from "./data";
import classes from "./HomePage.module.css";
import { homeWords } from "./words";

interface Props {
    /** Receivers of webhooks. */
    targets: Overview["targets"];
    /** Servers that steps call. */
    alone: Target[];
}

interface RowProps {
    tab: "webhooks" | "targets";
    item: string;
    name: string;
    why: string;
    until: string | null | undefined;
}

function Row({ tab, item, name, why, until }: RowProps): ReactNode {
    const t = useWords(homeWords);
    return (
        <Table.Tr>
            <Table.Td className={classes.host ?? ""}>
                <Link to={"/operations" as "/"} search={{ tab, item } as object}>
                    {name}
                </Link>
            </Table.Td>
            <Table.Td className={classes.host ?? ""}>{why}</Table.Td>
            <Table.Td ta="right">
                {until && (
                    <>
                        {t("targetUntil")} <Time at={until} />
                    </>
                )}
            </Table.Td>
        </Table.Tr>
    );
}

/** Who is not called now, and why. */
export function Targets({ targets, alone }: Props) {
    const t = useWords(homeWords);
    return (
        <section className={classes.panel}>
            <Title order={2}>{t("targets")}</Title>
            <Table>
                <Table.Tbody>
                    {alone.map((one) => (
                        <Row
                            key={one.target}
                            tab="targets"
                            item={one.target}
                            name={one.target}
                            why={one.error ?? ""}
                            until={one.until}
                        />
                    ))}
                    {targets.map((one) => (
                        <Row
                            key={one.id}
                            tab="webhooks"
                            item={String(one.id)}
                            name={one.name || `${one.kind} ${one.id}`}
                            why={
                                one.state === "disabled"
                                    ? `${t("targetDisabled")}${one.reason ? `: ${one.reason}` : ""}`
                                    : t("targetFailing", { count: one.failures })
                            }
                            until={one.until}
                        />
                    ))}
                </Table.Tbody>
            </Table>
        </section>
    );
}
