import dagre from "@dagrejs/dagre";
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
