import { Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Hint } from "@/components/Hint";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { useNow } from "@/components/useNow";
import { duration } from "@/data/time";
import { useWords } from "@/words";
import type { Overview } from "./data";
import classes from "./HomePage.module.css";
import { bytes } from "./numbers";
import { homeWords } from "./words";

type Service = NonNullable<Overview["service"]>;
type Database = NonNullable<Service["database"]>;

function Row({ name, help, bad, children }: RowProps) {
    return (
        <Table.Tr>
            <Table.Th w={190}>
                {help ? (
                    <Hint label={help}>
                        <span>{name}</span>
                    </Hint>
                ) : (
                    name
                )}
            </Table.Th>
            <Table.Td className={classes.figure ?? ""} data-bad={bad || undefined}>
                {children}
            </Table.Td>
        </Table.Tr>
    );
}

interface RowProps {
    name: string;
    help?: string;
    bad?: boolean;
    children: ReactNode;
}

function Figures({ database }: { database: Database }) {
    const t = useWords(homeWords);
    const number = (value: number | null | undefined) => Number(value ?? 0);
    const horizon = number(database.horizon_age_seconds);
    const weeks = number(database.partition_weeks_ahead);
    const seats = number(database.connections_max);
    const used = number(database.connections);
    const age = number(database.transaction_id_age);
    return (
        <Table>
            <Table.Tbody className="numbers">
                <Row name={t("horizon")} help={t("horizonHelp")} bad={horizon > 3600}>
                    {horizon === 0 ? t("none") : duration(horizon * 1000)}
                </Row>
                <Row name={t("partitions")} help={t("partitionsHelp")} bad={weeks < 2}>
                    {t("partitionsWeeks", { count: weeks })}
                </Row>
                <Row
                    name={t("wal")}
                    help={t("walHelp")}
                    bad={number(database.wal_kept_bytes) > 10e9}
                >
                    {bytes(number(database.wal_kept_bytes))}
                </Row>
                <Row name={t("lagBytes")} bad={number(database.replication_lag_bytes) > 1e9}>
                    {bytes(number(database.replication_lag_bytes))}
                </Row>
                <Row name={t("connections")} bad={used > seats * 0.9}>
                    {used.toLocaleString()} / {seats.toLocaleString()}
                </Row>
                <Row name={t("size")}>{bytes(number(database.size_bytes))}</Row>
                <Row name={t("xids")} help={t("xidsHelp")} bad={age > 1e9}>
                    {age.toLocaleString()}
                </Row>
                <Row name={t("taken")}>
                    <Time at={database.taken_at} form="ago" />
                </Row>
            </Table.Tbody>
        </Table>
    );
}

/** The service itself: its workers and its database. */
export function Health({ service }: { service: Service }) {
    const t = useWords(homeWords);
    const now = useNow(5_000);
    return (
        <div className={classes.halves}>
            <section className={classes.panel}>
                <Title order={2}>{t("database")}</Title>
                {service.database ? (
                    <Figures database={service.database} />
                ) : (
                    <Text c="dimmed">{t("databaseNone")}</Text>
                )}
                <Link to={"/operations" as "/"}>{t("operations")}</Link>
            </section>
            <section className={classes.panel}>
                <Title order={2}>{t("workers")}</Title>
                {service.workers.length === 0 && <Text c="dimmed">{t("workersNoneHelp")}</Text>}
                <Table>
                    <Table.Tbody>
                        {service.workers.map((worker) => {
                            const late = now - Date.parse(worker.beat_at) > 30_000;
                            return (
                                <Table.Tr key={worker.id}>
                                    <Table.Td>
                                        <StatusBadge status={late ? "expired" : "working"} />
                                    </Table.Td>
                                    <Table.Td className={classes.host ?? ""}>
                                        {worker.host}{" "}
                                        <span className={classes.help}>· {worker.pid}</span>
                                    </Table.Td>
                                    <Table.Td className="numbers">{worker.version}</Table.Td>
                                    <Table.Td ta="right">
                                        <Time at={worker.beat_at} form="ago" />
                                    </Table.Td>
                                </Table.Tr>
                            );
                        })}
                    </Table.Tbody>
                </Table>
            </section>
        </div>
    );
}
