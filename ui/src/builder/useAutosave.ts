import { useCallback, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { request } from "@/data/api";
import { ApiError } from "@/data/error";
import type { Draft } from "./graph";
import { isPublished, lookAgain, useTaken } from "./guard/useTaken";
import type { BuilderStore } from "./store";
import { readDraft, textOf } from "./text/definition";

export interface SavedDraft {
    name: string;
    text: string;
    etag: string;
    updated_at: string;
    updated_by: string;
    updated_by_name?: string | null;
}

const pathOf = (name: string) => `/v1/workflows/${encodeURIComponent(name)}/draft`;

export type SaveState = "clean" | "saving" | "saved" | "conflict" | "failed";

interface Options {
    store: BuilderStore;
    from: SavedDraft | null;
    /** The workflow that is edited: what has another name is new. */
    opened: string | undefined;
    /** The version that the draft began with. */
    base: number;
}

/** Saves the draft by itself a second after the last change, and sees when another editor has. */
export function useAutosave({ store, from, opened, base }: Options) {
    const draft = useStore(store, (state) => state.draft);
    const isUnread = useStore(store, (state) => state.unread !== undefined);
    const kept = useRef({ opened, base });
    kept.current = { opened, base };
    const etag = useRef(from?.etag);
    /** What the server has, or what is on its way there. */
    const sent = useRef<Draft | undefined>(draft);
    /** Of which workflow the saved one is: a new one may get another name. */
    const name = useRef(from?.name);
    const last = useRef<Promise<void>>(Promise.resolve());
    const [state, setState] = useState<SaveState>("clean");
    const [theirs, setTheirs] = useState<SavedDraft>();
    const stopped = useRef(false);
    const called = draft.definition.name;
    const { taken, asking } = useTaken(called, called !== opened, name.current);
    const held = isUnread || taken !== undefined;

    /** The name belongs to something else: it is tried again when it is free. */
    const refuse = useCallback(() => {
        sent.current = undefined;
        setState("clean");
        lookAgain();
    }, []);
    const put = useCallback(
        async (wanted: Draft) => {
            if (stopped.current) return;
            setState("saving");
            const to = wanted.definition.name;
            const path = pathOf(to);
            const isStrange = to !== kept.current.opened && to !== name.current;
            const seen = etag.current ? { "If-Match": `"${etag.current}"` } : undefined;
            const renamed = name.current !== to ? name.current : undefined;
            try {
                if (isStrange && (await isPublished(to))) return refuse();
                const text = textOf(wanted, kept.current.base);
                const saved = await request<SavedDraft>("PUT", path, { text }, renamed ? {} : seen);
                if (renamed)
                    await request("DELETE", pathOf(renamed), undefined, seen).catch(() => 0);
                etag.current = saved.etag;
                name.current = to;
                setState("saved");
            } catch (error) {
                if (!(error instanceof ApiError) || error.status !== 412) {
                    sent.current = undefined;
                    return setState("failed");
                }
                if (isStrange) return refuse();
                stopped.current = true;
                setTheirs(await request<SavedDraft>("GET", path));
                setState("conflict");
            }
        },
        [refuse],
    );
    /** One after the other: each needs the mark that the one before it got. */
    const save = useCallback(
        (wanted: Draft) => {
            sent.current = wanted;
            last.current = last.current.then(() => put(wanted));
            return last.current;
        },
        [put],
    );
    const saveNow = useCallback(() => {
        const now = store.getState().draft;
        if (now !== sent.current && now.definition.name !== "") void save(now);
    }, [store, save]);
    const failed = state === "failed";
    // biome-ignore lint/correctness/useExhaustiveDependencies: each change waits anew
    useEffect(() => {
        if (held) return;
        const timer = setTimeout(saveNow, failed ? 5000 : 1000);
        return () => clearTimeout(timer);
    }, [draft, saveNow, failed, held]);
    // Who leaves the page, or looks elsewhere, leaves nothing unsaved.
    useEffect(() => {
        const hidden = () => document.visibilityState === "hidden" && saveNow();
        document.addEventListener("visibilitychange", hidden);
        return () => {
            document.removeEventListener("visibilitychange", hidden);
            saveNow();
        };
    }, [saveNow]);

    const keepMine = () => {
        etag.current = theirs?.etag;
        stopped.current = false;
        setTheirs(undefined);
        void save(store.getState().draft);
    };
    /** Takes the other text as a gesture: one step of undo brings one's own back. */
    const takeTheirs = () => {
        const read = theirs ? readDraft(theirs.text) : null;
        if (!theirs || !read) return false;
        etag.current = theirs.etag;
        stopped.current = false;
        sent.current = read;
        setTheirs(undefined);
        setState("saved");
        store.getState().change(() => read);
        return true;
    };
    /** Nothing more is saved: what there was is published, or thrown away. */
    const forget = async () => {
        stopped.current = true;
        await last.current;
        etag.current = undefined;
        sent.current = store.getState().draft;
        setState("clean");
    };
    /** What is changed from now on is a new draft. */
    const begin = () => {
        name.current = undefined;
        stopped.current = false;
    };
    const etagNow = useCallback(() => etag.current, []);
    /** Under which name it is saved; none: it is not. */
    const savedAs = () => name.current;
    const shown = { state, theirs, taken, asking };
    return { ...shown, begin, keepMine, takeTheirs, forget, saveNow, etagNow, savedAs };
}
