import { Badge } from "@mantine/core";
import { useStore } from "zustand";
import { useWords } from "@/words";
import type { BuilderStore } from "../store";
import type { SaveState } from "../useAutosave";
import { builderWords } from "../words";
import type { Taken } from "./useTaken";
import { guardWords } from "./words";

interface Props {
    store: BuilderStore;
    state: SaveState;
    taken: Taken | undefined;
    /** There was a saved one when the page was opened. */
    was: boolean;
}

/** Whether what is shown is kept. */
export function SaveBadge({ store, state, taken, was }: Props) {
    const t = useWords(builderWords);
    const guard = useWords(guardWords);
    const unread = useStore(store, (one) => one.unread);
    const failed = state === "failed" || taken !== undefined || unread !== undefined;
    const text = () => {
        if (taken || unread) return guard("unsaved");
        if (state === "saving") return t("saving");
        if (state === "failed") return t("saveFailed");
        return state === "saved" || was ? t("saved") : t("draftOf");
    };
    return (
        <Badge variant="dot" color={failed ? "red" : "gray"}>
            {text()}
        </Badge>
    );
}
