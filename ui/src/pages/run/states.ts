import { type Graph, part, type RunEvent } from "./model";

/** The state of a node after some event of the log. */
export type NodeState =
    | "pending"
    | "running"
    | "retrying"
    | "waiting"
    | "completed"
    | "failed"
    | "skipped";

export interface Moment {
    nodes: Map<string, NodeState>;
    /** Edges that were taken, as `from>to`. */
    taken: Set<string>;
}

/** What the graph looked like after the event `seq`: time travel over the log. */
export function momentAt(events: readonly RunEvent[], graph: Graph, seq: number): Moment {
    const nodes = new Map<string, NodeState>(graph.nodes.map((node) => [node.id, "pending"]));
    const taken = new Set<string>();
    const enter = (id: string) => {
        if (nodes.get(id) === "pending") nodes.set(id, "running");
    };
    const leave = (from: string, handle: string | undefined) => {
        for (const edge of graph.edges) {
            if (edge.from !== from) continue;
            if (handle !== undefined && (edge.handle ?? "default") !== handle) continue;
            taken.add(`${edge.from}>${edge.to}`);
            enter(edge.to);
        }
    };
    const targets = new Set(graph.edges.map((edge) => edge.to));
    for (const event of events) {
        if (event.seq > seq) break;
        if (event.type === "run_started") {
            for (const node of graph.nodes) if (!targets.has(node.id)) enter(node.id);
        }
        const step = event.step;
        if (!step) continue;
        if (event.type === "wait_started") nodes.set(step, "waiting");
        if (event.type === "step_failed") {
            const again = part(event, "retry_at") !== undefined;
            nodes.set(step, again ? "retrying" : "failed");
            if (!again) leaveFailed(event, step, graph, leave);
        }
        if (
            ["step_completed", "node_passed", "routed", "joined", "step_skipped"].includes(
                event.type,
            )
        ) {
            nodes.set(step, event.type === "step_skipped" ? "skipped" : "completed");
            leave(step, handleOf(event, graph));
        }
    }
    return { nodes, taken };
}

/** A step that failed is left by the edge that catches it, or goes on where it may fail. */
function leaveFailed(
    event: RunEvent,
    step: string,
    graph: Graph,
    leave: (from: string, handle: string | undefined) => void,
): void {
    const caught = part<string>(event, "caught");
    if (caught === "item") return;
    const goesOn = graph.nodes.find((node) => node.id === step)?.on_failure === "continue";
    if (caught) leave(step, caught);
    else if (goesOn) leave(step, "default");
    else leave(step, "failed");
}

/** By which handle a node was left: as the event says, else its only one, else the default. */
function handleOf(event: RunEvent, graph: Graph): string | undefined {
    const said = part<string>(event, "handle");
    if (typeof said === "string") return said;
    if (event.type === "step_skipped") return "default";
    const handles = new Set(
        graph.edges
            .filter((edge) => edge.from === event.step)
            .map((edge) => edge.handle ?? "default"),
    );
    return handles.size > 1 && handles.has("default") ? "default" : undefined;
}
