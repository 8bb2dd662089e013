import { Button, Select, TextInput } from "@mantine/core";
import { IconPencil, IconPlus, IconUserMinus, IconUsersGroup } from "@tabler/icons-react";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { Deed } from "@/components/Deed";
import { EmptyState } from "@/components/EmptyState";
import { FormDialog } from "@/components/FormDialog";
import { Page } from "@/components/Page";
import { FactList, SidePanel } from "@/components/SidePanel";
import { Time } from "@/components/Time";
import type { TabProps } from "@/components/tab";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { api, call, type Schemas } from "@/data/api";
import { useAct, usePages } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type RoleName, roles } from "./roles";
import { settingsWords } from "./words";

type Member = Schemas["Member"];

const pathOf = (subject: string) => `/v1/members/${encodeURIComponent(subject)}`;

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
        { id: "role", title: t("role"), width: "110px", cell: (row) => row.role },
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
            cell: (row) => <span className="truncate">{row.created_by ?? "–"}</span>,
        },
    ];
    const chosen = members.rows.find((row) => row.subject === item);
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={
                <>
                    {admin && (
                        <Button
                            leftSection={<IconPlus size={14} />}
                            onClick={() => setEditing("new")}
                        >
                            {t("newMember")}
                        </Button>
                    )}
                    <CopyMenu curl="/v1/members" />
                </>
            }
        >
            <DataTable
                label={t("members")}
                columns={columns}
                rows={members.rows}
                rowKey={(row) => row.subject}
                state={members}
                current={item}
                onOpen={(row) => show(row.subject)}
                empty={
                    <EmptyState
                        icon={IconUsersGroup}
                        title={t("noMembers")}
                        text={t("noMembersText")}
                        command="pawl serve --oidc-issuer https://login.example.com --oidc-client-id pawl"
                        curl={`curl -X PUT -H "Authorization: Bearer $PAWL_API_KEY" --json '{"role": "viewer"}' $PAWL_URL/v1/members/ann@example.com`}
                    />
                }
            />
            {chosen && (
                <MemberPanel
                    member={chosen}
                    close={() => show(undefined)}
                    edit={() => setEditing(chosen)}
                />
            )}
            {editing && <MemberDialog member={editing} close={() => setEditing(undefined)} />}
        </Page>
    );
}

interface PanelProps {
    member: Member;
    close: () => void;
    edit: () => void;
}

function MemberPanel({ member, close, edit }: PanelProps) {
    const t = useWords(settingsWords);
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
                            copy={{ curl: pathOf(subject), method: "DELETE" }}
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
                    [t("role"), `${member.role}: ${t(`role_${member.role}`)}`],
                    [t("since"), <Time key="since" at={member.created_at} />],
                    [t("addedBy"), member.created_by ?? "–"],
                ]}
            />
        </SidePanel>
    );
}

function MemberDialog({ member, close }: { member: Member | "new"; close: () => void }) {
    const t = useWords(settingsWords);
    const c = useWords(commonWords);
    const known = member === "new" ? undefined : member;
    const [name, setName] = useState(known?.subject ?? "");
    const [role, setRole] = useState<RoleName>(known?.role ?? "viewer");
    const subject = name.trim();
    const act = useAct<void>({
        run: () =>
            call(
                api.PUT("/v1/members/{subject}", {
                    params: { path: { subject } },
                    body: { role },
                }),
            ),
        done: t("memberSaved"),
        changes: [["members"]],
        onDone: close,
    });
    return (
        <FormDialog
            title={known ? t("changeRole") : t("newMember")}
            says={t("memberSays")}
            submit={c("save")}
            ready={subject !== ""}
            pending={act.isPending}
            onSubmit={() => act.mutate()}
            close={close}
            copy={{ curl: pathOf(subject), method: "PUT", body: { role } }}
        >
            <TextInput
                required
                data-autofocus={known ? undefined : true}
                disabled={known !== undefined}
                label={t("member")}
                description={t("memberHelp")}
                maxLength={320}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
                label={t("role")}
                description={t(`role_${role}`)}
                allowDeselect={false}
                value={role}
                data={[...roles]}
                onChange={(value) => setRole(roles.find((one) => one === value) ?? "viewer")}
            />
        </FormDialog>
    );
}
