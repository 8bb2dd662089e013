import { Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useWords } from "@/words";
import { deedOf, deedWords } from "./deeds";
import { settingsWords } from "./words";

/** The address holds the filters: those of before, and the one that changes. */
function useFilter() {
    const navigate = useNavigate();
    const { by, action } = useSearch({ from: "/shell/settings" });
    return (next: { by?: string | undefined; action?: string | undefined }) => {
        const search = { by, action, ...next };
        void navigate({
            to: "/settings",
            search: {
                tab: "audit",
                ...(search.by ? { by: search.by } : {}),
                ...(search.action ? { action: search.action } : {}),
            },
            replace: true,
        });
    };
}

/** Only what one caller did. */
export function ByFilter({ value }: { value: string | undefined }) {
    const t = useWords(settingsWords);
    const filter = useFilter();
    const [text, setText] = useState(value ?? "");
    const apply = useDebouncedCallback((next: string) => filter({ by: next.trim() }), 300);
    return (
        <TextInput
            aria-label={t("by")}
            placeholder={t("by")}
            w={130}
            value={text}
            onChange={(event) => {
                setText(event.currentTarget.value);
                apply(event.currentTarget.value);
            }}
        />
    );
}

/** Only one kind of deed, chosen by its words or by the name of the operation. */
export function DeedFilter({ value }: { value: string | undefined }) {
    const t = useWords(settingsWords);
    const deeds = useWords(deedWords);
    const filter = useFilter();
    const strange = value && !deedWords.keys.includes(value as (typeof deedWords.keys)[number]);
    const names = strange ? [value, ...deedWords.keys] : deedWords.keys;
    const data = names
        .map((name) => ({ value: name as string, label: deedOf(deeds, name) }))
        .sort((a, b) => a.label.localeCompare(b.label));
    return (
        <Select
            aria-label={t("what")}
            placeholder={t("what")}
            w={190}
            searchable
            clearable
            data={data}
            value={value ?? null}
            filter={({ options, search }) => {
                const wanted = search.trim().toLowerCase();
                return options.filter(
                    (one) =>
                        "value" in one &&
                        `${one.label} ${one.value}`.toLowerCase().includes(wanted),
                );
            }}
            onChange={(next) => filter({ action: next ?? undefined })}
        />
    );
}
