import { Alert, Stack, Text } from "@mantine/core";
import { IconUserSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CodeLine } from "@/components/CodeLine";
import { CopyMenu } from "@/components/CopyMenu";
import { sqlText } from "@/components/command";
import { EmptyState } from "@/components/EmptyState";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { FactList } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import { api, call, type Schemas } from "@/data/api";
import { useWords } from "@/words";
import { Redacted } from "./Redacted";
import { settingsWords } from "./words";

const example = `select pawl.set_person_source('public.customers', key => 'id',
  address => '{"email": "email", "sms": "phone"}', locale => 'language',
  columns => '{first_name, tier}');`;

/** The statement that says the same again, to be changed. */
export function asStatement(source: Schemas["PersonSource"]): string {
    const parts = [sqlText(source.table), `key => ${sqlText(source.key_column)}`];
    if (source.tenant_column) parts.push(`tenant => ${sqlText(source.tenant_column)}`);
    if (Object.keys(source.addresses).length > 0) {
        parts.push(`address => ${sqlText(JSON.stringify(source.addresses))}`);
    }
    if (source.locale_column) parts.push(`locale => ${sqlText(source.locale_column)}`);
    if (source.timezone_column) parts.push(`timezone => ${sqlText(source.timezone_column)}`);
    if (source.columns) {
        const names = source.columns.map((one) => sqlText(one)).join(", ");
        parts.push(`columns => array[${names}]`);
    }
    return `select pawl.set_person_source(${parts.join(", ")});`;
}

/** In which table people are. */
export function PeopleTab({ title, tabs }: TabProps) {
    const t = useWords(settingsWords);
    const { data, error } = useQuery({
        queryKey: ["person-source"],
        queryFn: ({ signal }) => call(api.GET("/v1/person-source", { signal })),
    });
    const source = data?.source;
    const redacted = data?.redacted ?? [];
    return (
        <Page
            title={title}
            bar={tabs}
            actions={<CopyMenu curl="/v1/person-source" sql="select * from pawl.person_source;" />}
        >
            {error && <ErrorView error={error} />}
            {!data && !error && <Loading />}
            {data && !source && (
                <>
                    <EmptyState
                        icon={IconUserSearch}
                        title={t("keptHere")}
                        text={t("keptHereText")}
                        command={example}
                    />
                    <Redacted names={redacted} />
                </>
            )}
            {source && (
                <Stack maw={820} gap="md">
                    {!source.exists && (
                        <Alert color="red" variant="light" title={t("tableGone")}>
                            {t("tableGoneText")}
                        </Alert>
                    )}
                    <Text>{t("sourceText")}</Text>
                    <FactList
                        facts={[
                            [t("table"), <code key="table">{source.table}</code>],
                            [t("forWhom"), t(source.shared ? "forAll" : "forThis")],
                            [t("keyColumn"), source.key_column],
                            [t("tenantColumn"), source.tenant_column ?? "–"],
                            ...Object.entries(source.addresses).map(
                                ([channel, column]): [string, string] => [channel, column],
                            ),
                            [t("localeColumn"), source.locale_column ?? "–"],
                            [t("zoneColumn"), source.timezone_column ?? "–"],
                            [t("seen"), source.columns?.join(", ") ?? t("allColumns")],
                            [t("changed"), <Time key="at" at={source.updated_at} />],
                        ]}
                    />
                    <CodeLine label={t("changeBySql")} text={asStatement(source)} />
                    <Redacted names={redacted} />
                </Stack>
            )}
        </Page>
    );
}
