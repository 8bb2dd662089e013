import { createContext, useContext } from "react";
import { temporal } from "zundo";
import { createStore, type StoreApi, useStore } from "zustand";
import type { Draft } from "./graph";

interface BuilderState {
    draft: Draft;
    /** One gesture of a person: one step of undo. */
    change: (make: (draft: Draft) => Draft) => void;
}

type Temporal = StoreApi<{
    pastStates: Partial<BuilderState>[];
    futureStates: Partial<BuilderState>[];
    undo: (steps?: number) => void;
    redo: (steps?: number) => void;
    clear: () => void;
}>;

export type BuilderStore = StoreApi<BuilderState> & { temporal: Temporal };

export function createBuilder(draft: Draft): BuilderStore {
    return createStore<BuilderState>()(
        temporal(
            (set) => ({
                draft,
                change: (make) =>
                    set((old) => {
                        const next = make(old.draft);
                        return next === old.draft ? old : { draft: next };
                    }),
            }),
            {
                limit: 200,
                partialize: ({ draft: one }) => ({ draft: one }) as BuilderState,
                equality: (a, b) => a.draft === b.draft,
            },
        ),
    ) as unknown as BuilderStore;
}

export const BuilderContext = createContext<BuilderStore | null>(null);

export function useBuilder(): BuilderStore {
    const store = useContext(BuilderContext);
    if (!store) throw new Error("there is no builder around this");
    return store;
}

export const useDraft = () => useStore(useBuilder(), (state) => state.draft);
export const useChange = () => useStore(useBuilder(), (state) => state.change);

export function useHistory() {
    const { temporal: history } = useBuilder();
    const past = useStore(history, (state) => state.pastStates.length);
    const future = useStore(history, (state) => state.futureStates.length);
    const { undo, redo } = history.getState();
    return { past, future, undo: () => undo(), redo: () => redo() };
}
