import { MultiSelect, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "@/components/FormDialog";
import { api, call } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { useRoleNames } from "@/words/roles";
import { type RoleName, roles, scopes } from "./roles";
import { settingsWords } from "./words";

const lives = ["7d", "30d", "90d", "365d"] as const;

/** A new API key. Its text is given to `made` once. */
export function KeyDialog({ close, made }: { close: () => void; made: (key: string) => void }) {
    const t = useWords(settingsWords);
    const named = useRoleNames();
    const [name, setName] = useState("");
    const [role, setRole] = useState<RoleName | null>("operator");
    const [chosen, setChosen] = useState<string[]>([]);
    const [life, setLife] = useState<string | null>("90d");
    const body = {
        name: name.trim(),
        ...(role ? { role } : {}),
        ...(chosen.length > 0 ? { scopes: chosen } : {}),
        ...(life ? { expires_in: life } : {}),
    };
    const act = useAct<void, { key: string }>({
        run: () => call(api.POST("/v1/keys", { body })) as Promise<{ key: string }>,
        changes: [["keys"]],
        onDone: (answer) => made(answer.key),
    });
    const cli = [
        `keys create --name '${body.name.replaceAll("'", "'\\''")}'`,
        role ? `--role ${role}` : "",
        ...chosen.map((scope) => `--scope ${scope}`),
        life ? `--expires ${life}` : "",
    ];
    return (
        <FormDialog
            title={t("newKey")}
            says={t("newKeySays")}
            submit={t("create")}
            ready={body.name !== "" && (role !== null || chosen.length > 0)}
            pending={act.isPending}
            onSubmit={() => act.mutate()}
            close={close}
            copy={{ curl: "/v1/keys", method: "POST", body, cli: cli.filter(Boolean).join(" ") }}
        >
            <TextInput
                data-autofocus
                required
                label={t("keyName")}
                maxLength={200}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
                label={t("role")}
                description={role ? t(`role_${role}`) : t("roleNone")}
                clearable
                value={role}
                data={roles.map((value) => ({ value, label: named(value) }))}
                onChange={(value) => setRole(roles.find((one) => one === value) ?? null)}
            />
            <MultiSelect
                label={t("scopes")}
                description={t("scopesHelp")}
                value={chosen}
                data={[...scopes]}
                onChange={setChosen}
            />
            <Select
                label={t("expiresIn")}
                placeholder={t("never")}
                clearable
                value={life}
                data={lives.map((value) => ({ value, label: t(`life_${value}`) }))}
                onChange={setLife}
            />
        </FormDialog>
    );
}
