import { type Draft, type GraphEdge, type GraphNode, handleOf, withGraph } from "./graph";

/** The names of ways out that a step lists itself, in its order. */
function listed(node: GraphNode): unknown[] {
    const config = node.config ?? {};
    const rows = (list: unknown, name: (row: Record<string, unknown>) => unknown) =>
        Array.isArray(list) ? list.map((row) => name(row ?? {})) : [];
    switch (node.type) {
        case "split":
            return rows(config.variants, (row) => row.name);
        case "switch":
            return rows(config.cases, (row) => row.handle);
        case "agent":
            return Array.isArray(config.decide) ? config.decide : [];
        case "wait":
            return rows(config.events, (row) => row.handle ?? "default");
        default:
            return [];
    }
}

/** The edges, where a way out of a step got another name: what left by it still does. */
export function followWays(edges: GraphEdge[], before: GraphNode, after: GraphNode): GraphEdge[] {
    const [was, is] = [listed(before), listed(after)];
    const at = was.findIndex((name, i) => name !== is[i]);
    const [old, now] = [was[at], is[at]];
    const others = is.filter((name, i) => i !== at && name === was[i]);
    const renamed = was.length === is.length && others.length === is.length - 1;
    // Two cases may share a way: what leaves by it stays with the other.
    if (!renamed || others.includes(old) || typeof old !== "string" || typeof now !== "string")
        return edges;
    const key = (edge: GraphEdge) => `${handleOf(edge)}\n${edge.to}`;
    const mine = edges.filter((edge) => edge.from === after.id);
    const there = new Set(mine.filter((edge) => handleOf(edge) === now).map(key));
    return edges.flatMap((edge) => {
        if (edge.from !== after.id || handleOf(edge) !== old) return [edge];
        const next = { ...edge, handle: now };
        return there.has(key(next)) ? [] : [next];
    });
}

/** A step with other settings. */
export function changeNode(draft: Draft, id: string, change: Partial<GraphNode>): Draft {
    let { edges } = draft.definition;
    const nodes = draft.definition.nodes.map((node) => {
        if (node.id !== id) return node;
        const changed: GraphNode = { ...node, ...change };
        for (const key of Object.keys(change)) if (change[key] === undefined) delete changed[key];
        edges = followWays(edges, node, changed);
        return changed;
    });
    return withGraph(draft, nodes, edges);
}
