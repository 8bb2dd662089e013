import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "@/components/FormDialog";
import { api, call, type Schemas } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { useRoleNames } from "@/words/roles";
import { type RoleName, roles } from "./roles";
import { settingsWords } from "./words";

type Member = Schemas["Member"];

export const memberPath = (subject: string) => `/v1/members/${encodeURIComponent(subject)}`;

export function MemberDialog({ member, close }: { member: Member | "new"; close: () => void }) {
    const t = useWords(settingsWords);
    const named = useRoleNames();
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
            copy={{ curl: memberPath(subject), method: "PUT", body: { role } }}
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
                data={roles.map((value) => ({ value, label: named(value) }))}
                onChange={(value) => setRole(roles.find((one) => one === value) ?? "viewer")}
            />
        </FormDialog>
    );
}
