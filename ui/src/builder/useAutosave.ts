import { useCallback, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { ApiError, request } from "@/data/api";
import type { Draft } from "./graph";
import type { BuilderStore } from "./store";
import { readDraft, textOf } from "./text/definition";

export interface SavedDraft {
    name: string;
    text: string;
    etag: string;
    updated_at: string;
    updated_by: string;
}

export type SaveState = "clean" | "saving" | "saved" | "conflict" | "failed";

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
    /** Takes the other text as a gesture: one step of undo brings one's own back. */
    const takeTheirs = () => {
        const read = theirs ? readDraft(theirs.text) : null;
        if (!theirs || !read) return false;
        etag.current = theirs.etag;
        first.current = read;
        setTheirs(undefined);
        setState("saved");
        store.getState().change(() => read);
        return true;
    };
    const forget = () => {
        etag.current = undefined;
        first.current = store.getState().draft;
        setState("clean");
    };
    const saveNow = () => {
        if (draft.definition.name !== "" && state !== "conflict") void save(store.getState().draft);
    };
    return { state, theirs, keepMine, takeTheirs, forget, saveNow, etag };
}
