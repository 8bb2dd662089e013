import { useMemo, useState } from "react";
import { api, call, type Schemas } from "@/data/api";
import { showError } from "@/data/queries";
import { type Draft, edgeId } from "../graph";
import type { Marks } from "../marks";

export type Simulation = Schemas["Simulation"];

/** What would have happened with the events of the last days, had the draft been published. */
export function useSimulation(current: () => Draft) {
    const [since, setSince] = useState("7d");
    const [result, setResult] = useState<Simulation>();
    const [of, setOf] = useState<Draft["definition"]>();
    const [busy, setBusy] = useState(false);
    const start = async () => {
        setBusy(true);
        try {
            const { definition } = current();
            const body = { since, definition: definition as never };
            const params = { path: { name: definition.name || "draft" } };
            const answer = api.POST("/v1/workflows/{name}/simulate", { params, body });
            setResult((await call(answer)) as Simulation);
            setOf(definition);
        } catch (error) {
            showError(error);
        } finally {
            setBusy(false);
        }
    };
    const marks: Marks | undefined = useMemo(() => {
        if (!result) return undefined;
        const edges = result.edges.map((edge) => [edgeId(edge), edge.count] as const);
        const nodes = result.nodes.map((node) => [node.node, node.entered] as const);
        return { taken: Object.fromEntries(edges), here: Object.fromEntries(nodes) };
    }, [result]);
    const clear = () => setResult(undefined);
    return { current, since, setSince, result, of, busy, start, marks, clear };
}

export type SimulationState = ReturnType<typeof useSimulation>;
