import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { request } from "@/data/api";
import { useWords } from "@/words";
import { useSettingWords } from "../settingWords";
import { builderWords } from "../words";
import type { Action } from "./action";

const none: Action[] = [];

/** What is registered for this tenant, once it is known. */
export function useActions(): { actions: Action[]; known: boolean } {
    const query = useQuery({
        queryKey: ["actions"],
        retry: false,
        queryFn: () => request<{ data: Action[] }>("GET", "/v1/actions"),
    });
    return { actions: query.data?.data ?? none, known: query.isSuccess };
}

interface Props {
    name: string;
    onChange: (name: string) => void;
}

/** One of the actions that are registered; one that was and is no more is said to be unknown. */
export function ActionSelect({ name, onChange }: Props) {
    const words = useSettingWords();
    const t = useWords(builderWords);
    const { actions, known } = useActions();
    const names = actions.map((one) => one.name);
    const foreign = name !== "" && !names.includes(name);
    return (
        <Select
            label={words.label("action")}
            description={t("actionHelp")}
            withAsterisk
            searchable
            nothingFoundMessage={t("actionNone")}
            data={foreign ? [...names, name] : names}
            value={name || null}
            error={known && foreign ? t("actionUnknown", { name }) : undefined}
            allowDeselect={false}
            onChange={(next) => onChange(next ?? "")}
        />
    );
}
