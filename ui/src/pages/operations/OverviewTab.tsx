import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconRefresh, IconStethoscope } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CodeLine } from "@/components/CodeLine";
import { CopyMenu } from "@/components/CopyMenu";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { StatusBadge } from "@/components/StatusBadge";
import type { TabProps } from "@/components/tab";
import { api, call, type Schemas } from "@/data/api";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import classes from "./OverviewTab.module.css";
import { operationsWords } from "./words";

const order = { fail: 0, warn: 1, ok: 2 };

/** What `pawl doctor` says about the database, the worst first, each with what to do. */
export function OverviewTab({ title, tabs }: TabProps) {
    const t = useWords(operationsWords);
    const c = useWords(commonWords);
    const { data, error, refetch, isFetching } = useQuery({
        queryKey: ["doctor"],
        queryFn: ({ signal }) => call(api.GET("/v1/doctor", { signal })),
        refetchInterval: 30_000,
    });
    const findings = [...((data?.data ?? []) as Schemas["Finding"][])].sort(
        (a, b) => order[a.verdict] - order[b.verdict],
    );
    const wrong = findings.filter((one) => one.verdict !== "ok").length;
    return (
        <Page
            title={title}
            bar={tabs}
            actions={
                <>
                    <Button
                        variant="default"
                        leftSection={<IconRefresh size={14} />}
                        loading={isFetching}
                        onClick={() => void refetch()}
                    >
                        {c("refresh")}
                    </Button>
                    <CopyMenu curl="/v1/doctor" cli="doctor" />
                </>
            }
        >
            {error && <ErrorView error={error} retry={() => void refetch()} />}
            {!data && !error && <Loading />}
            {data && (
                <Stack gap="md" maw={900}>
                    <Alert
                        role="status"
                        variant="light"
                        color={wrong > 0 ? "yellow" : "teal"}
                        icon={<IconStethoscope size={18} />}
                        title={wrong > 0 ? t("wrong", { count: wrong }) : t("allFine")}
                    >
                        {t("overviewText")}
                    </Alert>
                    <ul className={classes.findings} aria-label={t("findings")}>
                        {findings.map((one) => (
                            <li
                                key={`${one.check} ${one.detail}`}
                                className={classes.finding}
                                data-verdict={one.verdict}
                            >
                                <div className={classes.head}>
                                    <StatusBadge status={one.verdict} />
                                    <b>{one.check}</b>
                                </div>
                                <Text className={classes.detail ?? ""}>{one.detail}</Text>
                                {one.next && <CodeLine label={t("whatToDo")} text={one.next} />}
                            </li>
                        ))}
                    </ul>
                </Stack>
            )}
        </Page>
    );
}
