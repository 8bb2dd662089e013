import "@xyflow/react/dist/style.css";
import { useComputedColorScheme } from "@mantine/core";
import {
    Background,
    Controls,
    type Edge,
    MarkerType,
    type Node,
    ReactFlow,
    ReactFlowProvider,
} from "@xyflow/react";
import { useMemo } from "react";
import { graphWords, useGraphLabels } from "@/components/graphLabels";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import type { Log } from "../model";
import { momentAt } from "../states";
import classes from "./GraphView.module.css";
import { layout, wayOf } from "./layout";
import { RoutedEdge } from "./RoutedEdge";
import { Scrubber } from "./Scrubber";
import { StepNode, type StepNodeData } from "./StepNode";

interface Props {
    log: Log;
    /** The event after which the graph is shown; undefined: the last one. */
    at: string | undefined;
    travel: (at: string | undefined) => void;
    chosen: string | undefined;
    choose: (step: string) => void;
}

const nodeTypes = { step: StepNode };
const edgeTypes = { routed: RoutedEdge };

/** The graph of the version that the run uses, with its state after an event of the log. */
export function GraphView({ log, at, travel, chosen, choose }: Props) {
    const t = useWords(graphWords);
    const labels = useGraphLabels();
    const status = useSaid("status");
    const handle = useSaid("handle");
    const scheme = useComputedColorScheme("light");
    const last = log.events.at(-1)?.seq ?? 0;
    const seq = at === undefined ? last : Math.min(last, Math.max(0, Number(at) || 0));
    const places = useMemo(() => layout(log.graph), [log.graph]);
    const moment = useMemo(() => momentAt(log.events, log.graph, seq), [log, seq]);
    const current = log.events.find((event) => event.seq === seq)?.step;
    const attempts = useMemo(() => {
        const counts = new Map<string, number>();
        for (const event of log.events) {
            if (event.seq <= seq && event.step && event.attempt)
                counts.set(event.step, event.attempt);
        }
        return counts;
    }, [log.events, seq]);
    const nodes: Node<StepNodeData>[] = log.graph.nodes.map((node) => ({
        id: node.id,
        type: "step",
        position: places.get(node.id) ?? { x: 0, y: 0 },
        data: {
            name: node.id,
            type: node.type,
            state: moment.nodes.get(node.id) ?? "pending",
            attempts: attempts.get(node.id) ?? 0,
            current: current === node.id,
        },
        selected: chosen === node.id,
        draggable: false,
        connectable: false,
        ariaLabel: `${node.id}: ${status(moment.nodes.get(node.id) ?? "pending")}`,
    }));
    const edges: Edge[] = log.graph.edges.map((edge) => {
        const taken = moment.taken.has(`${edge.from}>${edge.to}`);
        return {
            id: `${edge.from}>${edge.to}>${edge.handle ?? ""}`,
            source: edge.from,
            target: edge.to,
            ariaLabel: t("edge", { from: edge.from, to: edge.to }),
            type: "routed",
            data: { way: wayOf(edge, places) },
            ...(edge.handle && edge.handle !== "default" ? { label: handle(edge.handle) } : {}),
            className: (taken ? classes.taken : classes.edge) ?? "",
            markerEnd: {
                type: MarkerType.ArrowClosed,
                width: 14,
                height: 14,
                color: taken ? "#1fa463" : "#9aa1ae",
            },
            focusable: false,
        };
    });
    return (
        <div className={classes.view}>
            <div className={classes.canvas}>
                <ReactFlowProvider>
                    <ReactFlow
                        nodes={nodes}
                        edges={edges}
                        nodeTypes={nodeTypes}
                        edgeTypes={edgeTypes}
                        colorMode={scheme}
                        fitView
                        fitViewOptions={{ maxZoom: 1.1, padding: 0.15 }}
                        minZoom={0.1}
                        nodesDraggable={false}
                        nodesConnectable={false}
                        deleteKeyCode={null}
                        onNodeClick={(_event, node) => choose(node.id)}
                        onKeyDown={({ key, target }) => {
                            const { id } = (target as HTMLElement).dataset;
                            if (id && (key === "Enter" || key === " ")) choose(id);
                        }}
                        proOptions={{ hideAttribution: true }}
                        ariaLabelConfig={labels}
                    >
                        <Background gap={18} size={1} />
                        <Controls showInteractive={false} />
                    </ReactFlow>
                </ReactFlowProvider>
            </div>
            <Scrubber log={log} seq={seq} last={last} travel={travel} />
        </div>
    );
}
