import { useLingui } from "@lingui/react";
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
import { sayFinding } from "./finding";
import classes from "./OverviewTab.module.css";
import { operationsWords } from "./words";

type Finding = Schemas["Finding"];

const order = { fail: 0, warn: 1, ok: 2 };

function FindingLine({ finding }: { finding: Finding }) {
    const t = useWords(operationsWords);
    const { i18n } = useLingui();
    const { check, detail, next } = sayFinding(finding, i18n.locale);
    return (
        <li className={classes.finding} data-verdict={finding.verdict}>
            <div className={classes.head}>
                <StatusBadge status={finding.verdict} />
                <b title={finding.check}>{check}</b>
            </div>
            <Text className={classes.detail ?? ""}>{detail}</Text>
            {next && <CodeLine label={t("whatToDo")} text={next} />}
        </li>
    );
}

/** What `pawl doctor` says about the database, the worst first, each with what to do. */
export function OverviewTab({ title, tabs }: TabProps) {
    const t = useWords(operationsWords);
    const c = useWords(commonWords);
    const { data, error, refetch, isFetching } = useQuery({
        queryKey: ["doctor"],
        queryFn: ({ signal }) => call(api.GET("/v1/doctor", { signal })),
        refetchInterval: 30_000,
    });
    const findings = [...((data?.data ?? []) as Finding[])].sort(
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
                            <FindingLine key={`${one.check} ${one.detail}`} finding={one} />
                        ))}
                    </ul>
                </Stack>
            )}
        </Page>
    );
}
