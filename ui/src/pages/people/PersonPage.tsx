import { Badge, Button, Title } from "@mantine/core";
import { IconUserOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { shellWord, sqlText } from "@/components/command";
import { EmptyState } from "@/components/EmptyState";
import { ErrorView } from "@/components/ErrorView";
import { JsonViewer } from "@/components/json/JsonViewer";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { request } from "@/data/api";
import { ApiError } from "@/data/error";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { Addresses, Consent } from "./Consent";
import { nameOf, type Person } from "./data";
import { EraseDialog } from "./EraseDialog";
import { ExitDialog } from "./ExitDialog";
import classes from "./People.module.css";
import { PersonTimeline } from "./PersonTimeline";
import { peopleWords } from "./words";

/** One person: what is known, what they want, what happened, and why they did not get a message. */
export function PersonPage() {
    const t = useWords(peopleWords);
    const navigate = useNavigate();
    const { key } = useParams({ from: "/shell/people/$key" });
    const path = `/v1/people/${encodeURIComponent(key)}`;
    const mayWrite = useMay("runs:write");
    const mayErase = useMay("admin");
    const [asking, setAsking] = useState<"erase" | "exit">();
    const query = useQuery({
        queryKey: ["people", key],
        retry: false,
        queryFn: () => request<Person>("GET", path),
    });
    const person = query.data;
    const parents = [{ title: t("title"), to: "/people" }];
    const unknown = query.error instanceof ApiError && query.error.status === 404;
    if (query.isError) {
        return (
            <Page title={key} parents={parents}>
                {unknown ? (
                    <EmptyState
                        icon={IconUserOff}
                        title={t("unknown")}
                        text={t("unknownText")}
                        command={`pawl people get ${key.slice(0, 100)}`}
                    />
                ) : (
                    <ErrorView error={query.error} retry={query.refetch} />
                )}
                {unknown && (
                    <div className={classes.side}>
                        <Title order={2}>{t("timeline")}</Title>
                        <PersonTimeline path={path} name={key} />
                    </div>
                )}
            </Page>
        );
    }
    if (!person) return <Loading />;
    const left = (person.unsubscribed ?? []).length > 0;
    return (
        <Page
            title={nameOf(person) || person.key}
            parents={parents}
            aside={
                left && (
                    <Badge variant="dot" color="orange">
                        {t("unsubscribed")}
                    </Badge>
                )
            }
            actions={
                <>
                    <Button
                        variant="default"
                        onClick={() => navigate({ to: "/messages", search: { person: key } })}
                    >
                        {t("messages")}
                    </Button>
                    {mayWrite && (
                        <Button variant="default" onClick={() => setAsking("exit")}>
                            {t("exit")}
                        </Button>
                    )}
                    {mayErase && (
                        <Button variant="outline" color="red" onClick={() => setAsking("erase")}>
                            {t("erase")}
                        </Button>
                    )}
                    <CopyMenu
                        curl={path}
                        cli={`people get ${shellWord(key)}`}
                        sql={`select *\nfrom pawl.people_inside\nwhere person = ${sqlText(key)};`}
                    />
                </>
            }
        >
            <div className={classes.page}>
                <div className={classes.side}>
                    <Title order={2}>{t("known")}</Title>
                    <JsonViewer
                        name={`${key}.json`}
                        value={{
                            key: person.key,
                            ...person.attributes,
                            locale: person.locale,
                            timezone: person.timezone,
                            ...(person.source ? { source: person.source } : {}),
                        }}
                    />
                    <Title order={2}>{t("addresses")}</Title>
                    <Addresses person={person} />
                    <Title order={2}>{t("consent")}</Title>
                    <Consent person={person} />
                </div>
                <div className={classes.side}>
                    <Title order={2}>{t("timeline")}</Title>
                    <PersonTimeline path={path} name={key} />
                </div>
            </div>
            {asking === "erase" && (
                <EraseDialog
                    name={key}
                    called={nameOf(person).trim()}
                    path={path}
                    onClose={() => setAsking(undefined)}
                    onErased={() => {
                        setAsking(undefined);
                        void navigate({ to: "/people", search: {} });
                    }}
                />
            )}
            {asking === "exit" && <ExitDialog name={key} onClose={() => setAsking(undefined)} />}
        </Page>
    );
}
