import { Checkbox, PasswordInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { shellWord } from "@/components/command";
import { FormDialog } from "@/components/FormDialog";
import { api, call, type Schemas } from "@/data/api";
import { parseExact } from "@/data/json";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Account, Connector } from "./connectors";
import { settingsWords } from "./words";

type Field = Schemas["AccountField"];
type Texts = Record<string, string>;

interface Props {
    connector: Connector;
    /** Undefined: a new one. */
    account: Account | undefined;
    close: () => void;
}

const asText = (value: unknown) =>
    value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** What was typed, without what was left empty; JSON where the connector wants it. */
export function filled(fields: readonly Field[], texts: Texts): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const field of fields) {
        const text = (texts[field.name] ?? "").trim();
        if (text === "") continue;
        try {
            out[field.name] = field.json ? parseExact(text) : text;
        } catch {
            out[field.name] = text;
        }
    }
    return out;
}

/** A login at a provider: the fields are those that its connector asks for. */
export function AccountDialog({ connector, account, close }: Props) {
    const t = useWords(settingsWords);
    const c = useWords(commonWords);
    const [name, setName] = useState(account?.account ?? "default");
    const [secrets, setSecrets] = useState<Texts>({});
    const own = account?.settings ?? {};
    const [settings, setSettings] = useState<Texts>(
        Object.fromEntries(connector.settings.map((one) => [one.name, asText(own[one.name])])),
    );
    const [base, setBase] = useState(asText(own["base_url"]));
    const [usual, setUsual] = useState(own["default"] === true);
    const credentials = filled(connector.credentials, secrets);
    const body = {
        ...(Object.keys(credentials).length > 0 ? { credentials } : {}),
        settings: {
            ...own,
            ...filled(connector.settings, settings),
            ...(base.trim() ? { base_url: base.trim() } : {}),
            ...(usual ? { default: true } : {}),
        } as Record<string, unknown>,
    };
    if (!usual) delete body.settings["default"];
    if (!base.trim()) delete body.settings["base_url"];
    const path = { connector: connector.account_of, account: name.trim() };
    const act = useAct<void>({
        run: () =>
            call(
                api.PUT("/v1/connectors/{connector}/accounts/{account}", {
                    params: { path },
                    body,
                }),
            ),
        done: t("accountSaved"),
        changes: [["accounts"]],
        onDone: close,
    });
    const ready =
        name.trim() !== "" &&
        (account !== undefined ||
            connector.credentials.every((one) => !one.required || secrets[one.name]?.trim()));
    return (
        <FormDialog
            title={account ? t("changeAccount") : t("newAccount")}
            says={t(account ? "changeAccountSays" : "newAccountSays", { title: connector.title })}
            submit={c("save")}
            ready={ready}
            pending={act.isPending}
            onSubmit={() => act.mutate()}
            close={close}
            // Not with the secrets: what is copied stays in clipboards and histories.
            copy={{
                curl: `/v1/connectors/${path.connector}/accounts/${encodeURIComponent(path.account)}`,
                method: "PUT",
                cli: `connectors accounts put ${shellWord(path.connector)} ${shellWord(path.account)} -f FILE`,
                body: {
                    ...body,
                    ...(body.credentials
                        ? {
                              credentials: Object.fromEntries(
                                  Object.keys(body.credentials).map((key) => [key, "..."]),
                              ),
                          }
                        : {}),
                },
            }}
        >
            <TextInput
                required
                disabled={account !== undefined}
                label={t("accountName")}
                description={t("accountNameHelp")}
                maxLength={60}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
            />
            {connector.credentials.map((field) => (
                <SecretField
                    key={field.name}
                    field={field}
                    keeps={account !== undefined}
                    value={secrets[field.name] ?? ""}
                    onChange={(value) => setSecrets({ ...secrets, [field.name]: value })}
                />
            ))}
            {connector.settings
                .filter((field) => field.name !== "base_url")
                .map((field) => (
                    <TextInput
                        key={field.name}
                        required={field.required}
                        label={field.name}
                        description={field.help}
                        value={settings[field.name] ?? ""}
                        onChange={(event) =>
                            setSettings({ ...settings, [field.name]: event.currentTarget.value })
                        }
                    />
                ))}
            <TextInput
                label="base_url"
                description={t("baseUrlHelp")}
                value={base}
                onChange={(event) => setBase(event.currentTarget.value)}
            />
            <Checkbox
                label={t("usualAccount")}
                checked={usual}
                onChange={(event) => setUsual(event.currentTarget.checked)}
            />
        </FormDialog>
    );
}

interface FieldProps {
    field: Field;
    keeps: boolean;
    value: string;
    onChange: (value: string) => void;
}

function SecretField({ field, keeps, value, onChange }: FieldProps) {
    const t = useWords(settingsWords);
    const shared = {
        required: field.required && !keeps,
        label: field.name,
        description: [field.help, keeps ? t("emptyKeeps") : ""].filter(Boolean).join(" "),
        autoComplete: "off",
        value,
    };
    if (field.json) {
        return (
            <Textarea
                {...shared}
                autosize
                minRows={3}
                maxRows={10}
                onChange={(event) => onChange(event.currentTarget.value)}
            />
        );
    }
    return <PasswordInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />;
}
