import { createContext, useContext } from "react";
import { temporal } from "zundo";
import { createStore, type StoreApi, useStore } from "zustand";
import type { Draft } from "./graph";

/** A text that cannot be read: the graph still shows what was there before. */
export interface Unread {
    text: string;
    form: "yaml" | "json";
    /** What is wrong; empty: it is being read. */
    why: string;
}

interface BuilderState {
    draft: Draft;
    unread?: Unread | undefined;
    /** One gesture of a person: one step of undo. Words that are typed at a stretch are one. */
    change: (make: (draft: Draft) => Draft) => void;
}

type Temporal = StoreApi<{
    pastStates: Partial<BuilderState>[];
    futureStates: Partial<BuilderState>[];
    undo: (steps?: number) => void;
    redo: (steps?: number) => void;
    clear: () => void;
    pause: () => void;
    resume: () => void;
}>;

export type BuilderStore = StoreApi<BuilderState> & { temporal: Temporal };

/** So long after a letter the next one still belongs to the same gesture. */
const stretch = 1000;

/** The field that someone is typing in. */
function typedField(): Element | null {
    const at = typeof document === "undefined" ? null : document.activeElement;
    return at?.matches("input, textarea, [contenteditable]") ? at : null;
}

const sameSteps = (a: Draft, b: Draft) =>
    a.definition.nodes.length === b.definition.nodes.length &&
    a.definition.edges === b.definition.edges;

/** Whether a change goes on with what was typed just before, in the same field. */
export function createTyping(field = typedField, clock = Date.now) {
    let last: { field: Element; at: number; made: Draft } | undefined;
    return (before: Draft, next: Draft): boolean => {
        const now = clock();
        const at = field();
        const goesOn =
            last !== undefined &&
            at === last.field &&
            before === last.made &&
            now - last.at < stretch &&
            sameSteps(before, next);
        last = at ? { field: at, at: now, made: next } : undefined;
        return goesOn;
    };
}

export function createBuilder(draft: Draft, isTyping = createTyping()): BuilderStore {
    const store = createStore<BuilderState>()(
        temporal(
            (set, get) => ({
                draft,
                change: (make) => {
                    const old = get().draft;
                    const next = make(old);
                    if (next === old) return;
                    const history = store.temporal.getState();
                    const goesOn = isTyping(old, next);
                    if (goesOn) history.pause();
                    set({ draft: next });
                    if (goesOn) history.resume();
                },
            }),
            {
                limit: 200,
                partialize: ({ draft: one }) => ({ draft: one }) as BuilderState,
                equality: (a, b) => a.draft === b.draft,
            },
        ),
    ) as unknown as BuilderStore;
    return store;
}

export const BuilderContext = createContext<BuilderStore | null>(null);

export function useBuilder(): BuilderStore {
    const store = useContext(BuilderContext);
    if (!store) throw new Error("there is no builder around this");
    return store;
}

export const useDraft = () => useStore(useBuilder(), (state) => state.draft);
export const useUnread = () => useStore(useBuilder(), (state) => state.unread);
export const useChange = () => useStore(useBuilder(), (state) => state.change);

export function useHistory() {
    const { temporal: history } = useBuilder();
    const past = useStore(history, (state) => state.pastStates.length);
    const future = useStore(history, (state) => state.futureStates.length);
    const { undo, redo } = history.getState();
    return { past, future, undo: () => undo(), redo: () => redo() };
}
