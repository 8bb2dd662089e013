import { type Definition, edgeId, type GraphEdge, handleOf } from "@/builder/graph";

/** How nodes and edges are drawn: by the id of the node, or that of the edge. */
export type Mark = "added" | "removed" | "changed" | "reached" | "missed";
export type Marks = Record<string, Mark>;

interface Diff {
    settings: unknown[];
    nodes: { added: { id: string }[]; removed: { id: string }[]; changed: { id: string }[] };
    edges: { added: GraphEdge[]; removed: GraphEdge[] };
}

export type { Diff };

/** Both versions in one graph: what is gone stays, marked as such. */
export function unionOf(
    before: Definition,
    after: Definition,
    diff: Diff,
): { definition: Definition; marks: Marks } {
    const marks: Marks = {};
    for (const node of diff.nodes.added) marks[node.id] = "added";
    for (const node of diff.nodes.removed) marks[node.id] = "removed";
    for (const node of diff.nodes.changed) marks[node.id] = "changed";
    for (const edge of diff.edges.added) marks[edgeId(edge)] = "added";
    for (const edge of diff.edges.removed) marks[edgeId(edge)] = "removed";
    const gone = before.nodes.filter((node) => marks[node.id] === "removed");
    const known = new Set(after.edges.map(edgeId));
    const lost = before.edges.filter((edge) => !known.has(edgeId(edge)));
    return {
        definition: {
            ...after,
            nodes: [...after.nodes, ...gone],
            edges: [...after.edges, ...lost],
        },
        marks,
    };
}

interface Coverage {
    nodes: { id: string; visits: number }[];
    edges: { from: string; to: string; handle: string; taken: number }[];
}

/** What test cases came to, and what they never did. */
export function coverageMarks(coverage: Coverage): Marks {
    const marks: Marks = {};
    for (const node of coverage.nodes) marks[node.id] = node.visits > 0 ? "reached" : "missed";
    for (const edge of coverage.edges) marks[edgeId(edge)] = edge.taken > 0 ? "reached" : "missed";
    return marks;
}

/** The ways out of a node, with where each leads. */
export function waysOut(definition: Definition, node: string): { handle: string; to: string }[] {
    return definition.edges
        .filter((edge) => edge.from === node)
        .map((edge) => ({ handle: handleOf(edge), to: edge.to }));
}
