import { useMemo } from "react";
import type { GraphNode } from "../graph";
import { useDraft } from "../store";
import type { SampleValues } from "../trial/useTrial";
import { usePersonNames } from "./person";
import { namesFor, type Sampled } from "./sample";

/** What can be said in a form of this step; none: of an edge. */
export function useSampled(values: SampleValues, node?: GraphNode): Sampled {
    const { definition } = useDraft();
    const person = usePersonNames(node?.type);
    const id = node?.id;
    return useMemo(() => {
        const steps = definition.nodes
            .filter((one) => one.id !== id && one.type !== "trigger")
            .map((one) => one.id);
        return { values, names: namesFor(values, steps, person) };
    }, [values, definition, id, person]);
}
