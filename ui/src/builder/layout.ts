import { Graph, layout } from "@dagrejs/dagre";
import type { Definition, Draft, GraphEdge, Layout, Point } from "./graph";
import { reach } from "./walk";

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

/** Makes room for a step in the middle of an edge: what lies behind it moves down. */
export function makeRoom(draft: Draft, into: GraphEdge): { draft: Draft; at: Point } {
    const from = draft.positions[into.from] ?? { x: 0, y: 0 };
    const to = draft.positions[into.to] ?? from;
    const step = nodeHeight + 72;
    const at = { x: to.y > from.y ? to.x : from.x, y: from.y + step };
    const down = at.y + step - to.y;
    if (to.y <= from.y || down <= 0) return { draft, at };
    const positions = { ...draft.positions };
    for (const id of reach(draft, [into.to], "down")) {
        const place = positions[id];
        if (place && place.y > from.y) positions[id] = { x: place.x, y: place.y + down };
    }
    return { draft: { ...draft, positions }, at };
}

/** Places after a step was added: it goes where it was put, and lower if another one stands there. */
export function tidyNew(draft: Draft, id: string): Record<string, Point> {
    const { [id]: at, ...others } = draft.positions;
    if (!at) return draft.positions;
    const taken = Object.values(others);
    const hits = (x: number, y: number) =>
        taken.some((one) => Math.abs(one.x - x) < nodeWidth && Math.abs(one.y - y) < nodeHeight);
    // Beside the others first, then below: what people have placed stays.
    for (let round = 0; round < 200; ++round) {
        const step = Math.ceil(round / 2) * (round % 2 === 0 ? -1 : 1);
        const x = at.x + (step % 5) * (nodeWidth + 36);
        const y = at.y + Math.floor(round / 10) * (nodeHeight + 36);
        if (!hits(x, y)) return { ...others, [id]: { x, y } };
    }
    return draft.positions;
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
    return { definition: whole, positions: placesOf(whole, known), notes: drawn?.notes ?? [] };
}

/** Known places stay; new nodes go below what leads to them, where nothing stands yet. */
function placesOf(definition: Definition, known: Record<string, Point>): Record<string, Point> {
    const { nodes, edges } = definition;
    const kept = nodes.flatMap(({ id }) => (known[id] ? [[id, known[id]] as const] : []));
    if (kept.length === nodes.length) return Object.fromEntries(kept);
    const fresh = tidy(definition);
    if (kept.length === 0) return fresh;
    let positions = Object.fromEntries(kept);
    for (const { id } of nodes) {
        if (positions[id]) continue;
        const before = edges.find((edge) => edge.to === id && positions[edge.from])?.from;
        const above = before === undefined ? undefined : positions[before];
        const at = above ? { x: above.x, y: above.y + nodeHeight + 72 } : fresh[id];
        positions = { ...positions, [id]: at ?? { x: 0, y: 0 } };
        positions = tidyNew({ definition, positions, notes: [] }, id);
    }
    return positions;
}

export function layoutOf(draft: Draft): Layout {
    return { nodes: draft.positions, ...(draft.notes.length > 0 ? { notes: draft.notes } : {}) };
}
