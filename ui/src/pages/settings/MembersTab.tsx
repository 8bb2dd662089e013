import { Button } from "@mantine/core";
import { IconPencil, IconUserMinus, IconUsersGroup } from "@tabler/icons-react";
import { useState } from "react";
import { actor } from "@/components/actor";
import { Deed } from "@/components/Deed";
import { ListPage } from "@/components/ListPage";
import { FactList, SidePanel } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { useRoleNames } from "@/words/roles";
import { Said } from "@/words/said";
import { MemberDialog, memberPath } from "./MemberDialog";
import { settingsWords } from "./words";

type Member = Schemas["Member"];

/** People who sign in by the identity provider, with their roles. */
export function MembersTab({ title, tabs, item, show }: TabProps) {
    const t = useWords(settingsWords);
    const admin = useMay("admin");
    const [editing, setEditing] = useState<Member | "new">();
    const members = usePages<Member>({
        key: ["members"],
        fetch: (cursor, signal) =>
            call(
                api.GET("/v1/members", {
                    params: { query: { limit: 100, ...(cursor ? { cursor } : {}) } },
                    signal,
                }),
            ),
    });
    const columns: Column<Member>[] = [
        {
            id: "subject",
            title: t("member"),
            width: "minmax(150px, 2fr)",
            cell: (row) => <span className="truncate">{row.subject}</span>,
        },
        {
            id: "role",
            title: t("role"),
            width: "110px",
            cell: (row) => <Said kind="role" word={row.role} />,
        },
        {
            id: "since",
            title: t("since"),
            width: "120px",
            from: "sm",
            cell: (row) => <Time at={row.created_at} form="ago" />,
        },
        {
            id: "by",
            title: t("addedBy"),
            width: "minmax(100px, 1fr)",
            from: "md",
            cell: (row) => (
                <span className="truncate">
                    {row.created_by ? actor(row.created_by, row.created_by_name) : "–"}
                </span>
            ),
        },
    ];
    const chosen = members.rows.find((row) => row.subject === item);
    return (
        <ListPage
            title={title}
            tabs={tabs}
            list={members}
            create={admin && { label: t("newMember"), open: () => setEditing("new") }}
            copy={{ curl: "/v1/members" }}
            label={t("members")}
            columns={columns}
            rowKey={(row) => row.subject}
            current={item}
            onOpen={(row) => show(row.subject)}
            teach={{
                icon: IconUsersGroup,
                title: t("noMembers"),
                text: t("noMembersText"),
                command: "pawl serve --oidc-issuer https://login.example.com --oidc-client-id pawl",
                curl: {
                    curl: "/v1/members/ann@example.com",
                    method: "PUT",
                    body: { role: "viewer" },
                },
            }}
        >
            {chosen && (
                <MemberPanel
                    member={chosen}
                    close={() => show(undefined)}
                    edit={() => setEditing(chosen)}
                />
            )}
            {editing && <MemberDialog member={editing} close={() => setEditing(undefined)} />}
        </ListPage>
    );
}

interface PanelProps {
    member: Member;
    close: () => void;
    edit: () => void;
}

function MemberPanel({ member, close, edit }: PanelProps) {
    const t = useWords(settingsWords);
    const named = useRoleNames();
    const admin = useMay("admin");
    const { subject } = member;
    return (
        <SidePanel
            title={subject}
            close={close}
            actions={
                admin && (
                    <>
                        <Button
                            variant="default"
                            leftSection={<IconPencil size={14} />}
                            onClick={edit}
                        >
                            {t("changeRole")}
                        </Button>
                        <Deed
                            label={t("removeMember")}
                            icon={<IconUserMinus size={14} />}
                            danger
                            says={t("removeMemberSays", { name: subject })}
                            copy={{ curl: memberPath(subject), method: "DELETE" }}
                            run={() =>
                                call(
                                    api.DELETE("/v1/members/{subject}", {
                                        params: { path: { subject } },
                                    }),
                                )
                            }
                            done={t("memberRemoved")}
                            changes={[["members"]]}
                            onDone={close}
                        />
                    </>
                )
            }
        >
            <FactList
                facts={[
                    [t("role"), `${named(member.role)}: ${t(`role_${member.role}`)}`],
                    [t("since"), <Time key="since" at={member.created_at} />],
                    [
                        t("addedBy"),
                        member.created_by ? actor(member.created_by, member.created_by_name) : "–",
                    ],
                ]}
            />
        </SidePanel>
    );
}
