import { Select, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { shellWord } from "@/components/command";
import { FormDialog } from "@/components/FormDialog";
import { api, call } from "@/data/api";
import { useAct } from "@/data/queries";
import { languages, useWords } from "@/words";
import { commonWords } from "@/words/common";
import { noteSource } from "./source";
import { peopleWords } from "./words";

const channels = ["email", "sms", "line"] as const;

/** Writes down a person by hand; many come by a file or stand in a table. */
export function AddPersonDialog({ close }: { close: () => void }) {
    const t = useWords(peopleWords);
    const common = useWords(commonWords);
    const navigate = useNavigate();
    const [key, setKey] = useState("");
    const [name, setName] = useState("");
    const [locale, setLocale] = useState<string | null>(null);
    const [addresses, setAddresses] = useState<Record<string, string>>({});
    const known = Object.entries(addresses).flatMap(([channel, typed]) =>
        typed.trim() ? [[channel, typed.trim()]] : [],
    );
    const body = {
        attributes: name.trim() ? { first_name: name.trim() } : {},
        addresses: Object.fromEntries(known) as Record<string, string>,
        ...(locale ? { locale } : {}),
    };
    const path = `/v1/people/${encodeURIComponent(key.trim())}`;
    const add = useAct<void>({
        run: () =>
            noteSource(
                call(api.PUT("/v1/people/{key}", { params: { path: { key: key.trim() } }, body })),
            ),
        done: t("added", { key: key.trim() }),
        changes: [["people"]],
        onDone: () => {
            close();
            void navigate({ to: "/people/$key", params: { key: key.trim() }, search: {} });
        },
    });
    return (
        <FormDialog
            title={t("add")}
            says={t("addSays")}
            submit={common("save")}
            ready={key.trim() !== ""}
            pending={add.isPending}
            onSubmit={() => add.mutate()}
            close={close}
            copy={{
                curl: path,
                method: "PUT",
                body,
                cli: `people put ${shellWord(key.trim())} --data ${shellWord(JSON.stringify(body))}`,
            }}
        >
            <TextInput
                data-autofocus
                required
                label={t("key")}
                description={t("keyHelp")}
                value={key}
                maxLength={400}
                onChange={(event) => setKey(event.currentTarget.value)}
            />
            <TextInput
                label={t("firstName")}
                value={name}
                maxLength={200}
                onChange={(event) => setName(event.currentTarget.value)}
            />
            {channels.map((channel) => (
                <TextInput
                    key={channel}
                    label={t(`to_${channel}`)}
                    value={addresses[channel] ?? ""}
                    maxLength={400}
                    onChange={(event) => {
                        const typed = event.currentTarget.value;
                        setAddresses((old) => ({ ...old, [channel]: typed }));
                    }}
                />
            ))}
            <Select
                label={t("language")}
                clearable
                value={locale}
                onChange={setLocale}
                data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
            />
        </FormDialog>
    );
}
