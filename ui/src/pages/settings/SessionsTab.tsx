import { Badge } from "@mantine/core";
import { IconDeviceLaptop, IconLogout } from "@tabler/icons-react";
import { CopyMenu } from "@/components/CopyMenu";
import { Deed } from "@/components/Deed";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { FactList, SidePanel } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { sessionEnded } from "@/data/session";
import { useWords } from "@/words";
import { settingsWords } from "./words";

type Info = Schemas["SessionInfo"];

/** Where one is signed in, with the way out of all of them. */
export function SessionsTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(settingsWords);
    const sessions = usePages<Info>({
        key: ["sessions"],
        fetch: (_, signal) => call(api.GET("/v1/sessions", { signal })),
    });
    const columns: Column<Info>[] = [
        {
            id: "agent",
            title: t("browser"),
            width: "minmax(140px, 2fr)",
            cell: (row) => (
                <span className="truncate">
                    {row.current && <Badge variant="light">{t("thisOne")}</Badge>}{" "}
                    {row.agent ?? "–"}
                </span>
            ),
        },
        {
            id: "peer",
            title: t("peer"),
            width: "130px",
            from: "sm",
            cell: (row) => <span className="truncate mono">{row.peer ?? "–"}</span>,
        },
        {
            id: "used",
            title: t("lastUsed"),
            width: "110px",
            cell: (row) => <Time at={row.used_at} form="ago" />,
        },
        {
            id: "ends",
            title: t("ends"),
            width: "110px",
            from: "sm",
            cell: (row) => <Time at={row.expires_at} form="ago" />,
        },
    ];
    const chosen = sessions.rows.find((row) => row.id === item);
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={
                <>
                    <Deed
                        label={t("signOutEverywhere")}
                        icon={<IconLogout size={14} />}
                        danger
                        says={t("signOutEverywhereSays")}
                        copy={{ curl: "/v1/sessions", method: "DELETE" }}
                        run={() => call(api.DELETE("/v1/sessions"))}
                        onDone={sessionEnded}
                    />
                    <CopyMenu curl="/v1/sessions" />
                </>
            }
        >
            <DataTable
                label={t("sessions")}
                columns={columns}
                rows={sessions.rows}
                rowKey={(row) => row.id}
                state={sessions}
                current={item}
                onOpen={(row) => show(row.id)}
                empty={<EmptyState icon={IconDeviceLaptop} title={t("noSessions")} />}
            />
            {chosen && (
                <SidePanel
                    title={chosen.agent ?? chosen.id}
                    close={() => show(undefined)}
                    actions={
                        <Deed
                            label={t("endSession")}
                            icon={<IconLogout size={14} />}
                            says={t(chosen.current ? "endThisSays" : "endSessionSays")}
                            copy={{ curl: `/v1/sessions/${chosen.id}`, method: "DELETE" }}
                            run={() =>
                                call(
                                    api.DELETE("/v1/sessions/{id}", {
                                        params: { path: { id: chosen.id } },
                                    }),
                                )
                            }
                            done={t("sessionEnded")}
                            changes={[["sessions"]]}
                            onDone={() => (chosen.current ? sessionEnded() : show(undefined))}
                        />
                    }
                >
                    <FactList
                        facts={[
                            [t("tenant"), chosen.tenant],
                            [t("begun"), <Time key="begun" at={chosen.created_at} />],
                            [t("lastUsed"), <Time key="used" at={chosen.used_at} form="ago" />],
                            [t("ends"), <Time key="ends" at={chosen.expires_at} />],
                            [t("peer"), chosen.peer ?? "–"],
                        ]}
                    />
                </SidePanel>
            )}
        </Page>
    );
}
