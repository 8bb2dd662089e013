import { useStore } from "@xyflow/react";
import { createContext, type ReactNode, useContext, useMemo } from "react";

interface Sight {
    /** So far away that no word can be read: steps and edges are drawn plain. */
    far: boolean;
    /** What lies over the edges: where they put what they say. */
    labels: Element | null;
}

const SightContext = createContext<Sight>({ far: false, labels: null });
export const useSight = () => useContext(SightContext);

/** Below this a name is less than four pixels high. */
const readable = 0.3;

export const useFar = () => useStore((state) => state.transform[2] < readable);

/**
 * How a canvas is looked at, found out once for all of its steps and edges: each of them would ask
 * at every move, and the place of the labels is searched in all of the graph.
 */
export function SightProvider({ children }: { children: ReactNode }) {
    const far = useFar();
    const pane = useStore((state) => state.domNode);
    const sight = useMemo<Sight>(
        () => ({ far, labels: pane?.querySelector(".react-flow__edgelabel-renderer") ?? null }),
        [far, pane],
    );
    return <SightContext.Provider value={sight}>{children}</SightContext.Provider>;
}
