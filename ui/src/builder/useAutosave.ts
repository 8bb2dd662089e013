import { useCallback, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { ApiError, request } from "@/data/api";
import { formatJson } from "@/data/json";
import type { Draft } from "./graph";
import { layoutOf } from "./layout";
import type { BuilderStore } from "./store";

export interface SavedDraft {
    name: string;
    text: string;
    etag: string;
    updated_at: string;
    updated_by: string;
}

export type SaveState = "clean" | "saving" | "saved" | "conflict" | "failed";

export const textOf = (draft: Draft) =>
    formatJson({ ...draft.definition, layout: layoutOf(draft) });

/** Saves the draft by itself a second after the last change, and sees when another editor has. */
export function useAutosave(store: BuilderStore, from: SavedDraft | null) {
    const draft = useStore(store, (state) => state.draft);
    const etag = useRef(from?.etag);
    const first = useRef(draft);
    const [state, setState] = useState<SaveState>("clean");
    const [theirs, setTheirs] = useState<SavedDraft>();

    const save = useCallback(async (wanted: Draft) => {
        setState("saving");
        const path = `/v1/workflows/${encodeURIComponent(wanted.definition.name)}/draft`;
        try {
            const headers = etag.current ? { "If-Match": `"${etag.current}"` } : undefined;
            const saved = await request<SavedDraft>("PUT", path, { text: textOf(wanted) }, headers);
            etag.current = saved.etag;
            setState("saved");
        } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 412) return setState("failed");
            setTheirs(await request<SavedDraft>("GET", path));
            setState("conflict");
        }
    }, []);
    // biome-ignore lint/correctness/useExhaustiveDependencies: a save is no reason to save
    useEffect(() => {
        if (draft === first.current || state === "conflict") return;
        if (draft.definition.name === "") return;
        const timer = setTimeout(() => void save(draft), 1000);
        return () => clearTimeout(timer);
    }, [draft, save]);

    const keepMine = () => {
        etag.current = theirs?.etag;
        setTheirs(undefined);
        void save(store.getState().draft);
    };
    const forget = () => {
        etag.current = undefined;
        first.current = store.getState().draft;
        setState("clean");
    };
    return { state, theirs, keepMine, forget, etag };
}
