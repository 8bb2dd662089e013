import dagre from "@dagrejs/dagre";
import { type Way, wayAround } from "@/builder/route";
import type { Graph } from "../model";

export const nodeWidth = 190;
export const nodeHeight = 46;

/** Where the nodes go: from top to bottom, as the edges lead. */
export function layout(graph: Graph): Map<string, { x: number; y: number }> {
    const plan = new dagre.graphlib.Graph({ multigraph: true });
    plan.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 54 });
    plan.setDefaultEdgeLabel(() => ({}));
    for (const node of graph.nodes) plan.setNode(node.id, { width: nodeWidth, height: nodeHeight });
    for (const edge of graph.edges) {
        plan.setEdge(edge.from, edge.to, {}, edge.handle ?? "default");
    }
    dagre.layout(plan);
    return new Map(
        graph.nodes.map((node) => {
            const place = plan.node(node.id);
            return [node.id, { x: place.x - nodeWidth / 2, y: place.y - nodeHeight / 2 }];
        }),
    );
}

type Places = ReturnType<typeof layout>;

/** Where an edge leads around steps that stand between its ends. */
export function wayOf(edge: Graph["edges"][number], places: Places): Way | undefined {
    const from = places.get(edge.from);
    const to = places.get(edge.to);
    if (!from || !to || to.y - from.y < 3 * nodeHeight) return undefined;
    const others = [...places].flatMap(([id, at]) =>
        id === edge.from || id === edge.to ? [] : [{ ...at, width: nodeWidth, height: nodeHeight }],
    );
    return wayAround(
        { x: from.x + nodeWidth / 2, y: from.y + nodeHeight },
        { x: to.x + nodeWidth / 2, y: to.y },
        others,
    );
}
