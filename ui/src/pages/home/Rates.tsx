import { Group, SegmentedControl, Skeleton, Text, Title } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { ErrorView } from "@/components/ErrorView";
import { lazyPart } from "@/data/parts";
import { span } from "@/data/time";
import { useWords } from "@/words";
import { useRates } from "./data";
import classes from "./HomePage.module.css";
import { rangeOf, ranges, totals } from "./numbers";
import { homeWords } from "./words";

const RateChart = lazyPart(async () => (await import("./RateChart")).RateChart);

/** How many runs began and ended, with links to them. */
export function Rates() {
    const t = useWords(homeWords);
    const navigate = useNavigate();
    const range = rangeOf(useSearch({ from: "/shell/" }).range);
    const query = useRates(range);
    const rates = query.data?.data ?? [];
    const sum = totals(rates);
    const counted = (kind: keyof typeof sum, status?: string) => (
        <Link
            to="/runs"
            search={{ ...(status ? { status } : {}), after: range }}
            className={classes.total ?? ""}
            data-kind={kind}
        >
            <span className="numbers">{sum[kind].toLocaleString()}</span> {t(kind)}
        </Link>
    );
    return (
        <section className={classes.panel}>
            <Group justify="space-between">
                <Title order={2}>{t("runs")}</Title>
                <SegmentedControl
                    aria-label={t("range")}
                    value={range}
                    onChange={(value) =>
                        navigate({
                            to: ".",
                            search: value === "24h" ? {} : { range: value },
                            replace: true,
                        })
                    }
                    data={Object.keys(ranges).map((value) => ({ value, label: span(value) }))}
                />
            </Group>
            <div className={classes.totals}>
                {counted("started")}
                {counted("completed", "completed")}
                {counted("failed", "failed")}
                {counted("cancelled", "cancelled")}
            </div>
            {query.isError && <ErrorView error={query.error} retry={query.refetch} />}
            {query.isPending && <Skeleton height={190} />}
            {query.data && (
                <Suspense fallback={<Skeleton height={190} />}>
                    <RateChart
                        rates={rates}
                        label={t("chart", sum)}
                        names={{
                            time: t("time"),
                            started: t("started"),
                            completed: t("completed"),
                            failed: t("failed"),
                        }}
                    />
                </Suspense>
            )}
            <Text size="xs" c="dimmed">
                {t("lag")}
            </Text>
        </section>
    );
}
