import { Graph, layout } from "@dagrejs/dagre";
import type { Definition, Draft, Layout, Point } from "./graph";

export const nodeWidth = 220;
export const nodeHeight = 84;

/** Places for all nodes, from top to bottom. */
export function tidy(definition: Definition): Record<string, Point> {
    const graph = new Graph();
    graph.setGraph({ rankdir: "TB", nodesep: 56, ranksep: 72 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const node of definition.nodes) {
        graph.setNode(node.id, { width: nodeWidth, height: nodeHeight });
    }
    for (const edge of definition.edges) {
        if (graph.hasNode(edge.from) && graph.hasNode(edge.to)) graph.setEdge(edge.from, edge.to);
    }
    layout(graph);
    const snap = (value: number) => Math.round(value / 8) * 8;
    return Object.fromEntries(
        definition.nodes.map((node) => {
            const at = graph.node(node.id) as Point;
            return [node.id, { x: snap(at.x - nodeWidth / 2), y: snap(at.y - nodeHeight / 2) }];
        }),
    );
}

/** A definition as it is edited; nodes without a place get one, the others keep theirs. */
export function draftOf(definition: Definition, drawn: Layout | null | undefined): Draft {
    const known = drawn?.nodes ?? {};
    const { layout: _, ...rest } = definition;
    const whole: Definition = {
        ...rest,
        name: definition.name,
        nodes: definition.nodes ?? [],
        edges: definition.edges ?? [],
    };
    const missing = whole.nodes.some((node) => !known[node.id]);
    const places = missing ? tidy(whole) : {};
    return {
        definition: whole,
        positions: Object.fromEntries(
            whole.nodes.map((n) => [n.id, known[n.id] ?? places[n.id] ?? { x: 0, y: 0 }]),
        ),
        notes: drawn?.notes ?? [],
    };
}

export function layoutOf(draft: Draft): Layout {
    return { nodes: draft.positions, ...(draft.notes.length > 0 ? { notes: draft.notes } : {}) };
}
