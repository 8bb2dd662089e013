import {
    getSmoothStepPath,
    type InternalNode,
    Position,
    type ReactFlowState,
    useStoreApi,
    ViewportPortal,
} from "@xyflow/react";
import { useLayoutEffect, useRef } from "react";
import classes from "./FarEdges.module.css";
import { cornersOf, pathOf } from "./route";
import type { StepFlowEdge } from "./StepEdge";

type Nodes = ReactFlowState["nodeLookup"];
type End = { x: number; y: number };

/** Where an edge begins or ends; nothing: the step was not drawn yet. */
function endOf(node: InternalNode | undefined, type: "source" | "target", handle: string | null) {
    const places = node?.internals.handleBounds?.[type];
    const place = places?.find((one) => one.id === handle) ?? places?.[0];
    if (!node || !place) return undefined;
    const { x, y } = node.internals.positionAbsolute;
    const down = type === "source" ? place.height : 0;
    return { x: x + place.x + place.width / 2, y: y + place.y + down };
}

function lineOf(from: End, to: End, edge: StepFlowEdge): string {
    if (edge.data?.way) return pathOf(cornersOf(from, to, edge.data.way));
    return getSmoothStepPath({
        sourceX: from.x,
        sourceY: from.y,
        sourcePosition: Position.Bottom,
        targetX: to.x,
        targetY: to.y,
        targetPosition: Position.Top,
        borderRadius: 8,
    })[0];
}

function linesOf(edges: StepFlowEdge[], nodes: Nodes): string {
    let lines = "";
    for (const edge of edges) {
        const from = endOf(nodes.get(edge.source), "source", edge.sourceHandle ?? null);
        const to = endOf(nodes.get(edge.target), "target", null);
        if (from && to) lines += lineOf(from, to, edge);
    }
    return lines;
}

const kinds = ["still", "moved", "lit", "chosen"] as const;
type Kind = (typeof kinds)[number];

function kindOf(edge: StepFlowEdge, dragged: ReadonlySet<string>): Kind {
    if (edge.selected) return "chosen";
    if (edge.data?.lit) return "lit";
    return dragged.has(edge.source) || dragged.has(edge.target) ? "moved" : "still";
}

/** Draws the lines, again only those that have changed. */
function painter(paths: Record<Kind, SVGPathElement | null>, edges: StepFlowEdge[]) {
    let nodes: ReactFlowState["nodes"] | undefined;
    let dragging = "";
    let groups: Record<Kind, StepFlowEdge[]>;
    const draw = (kind: Kind, lookup: Nodes) =>
        paths[kind]?.setAttribute("d", linesOf(groups[kind], lookup));
    return (state: ReactFlowState) => {
        if (state.nodes === nodes) return;
        nodes = state.nodes;
        const dragged = nodes.filter((one) => one.dragging).map((one) => one.id);
        const now = dragged.join("\n");
        // While a step is dragged, all others stay where they are.
        const same = now !== "" && now === dragging;
        if (!same) {
            dragging = now;
            const set = new Set(dragged);
            groups = { still: [], moved: [], lit: [], chosen: [] };
            for (const edge of edges) groups[kindOf(edge, set)].push(edge);
        }
        for (const kind of kinds) {
            if (!same || kind !== "still") draw(kind, state.nodeLookup);
        }
    };
}

/**
 * The edges of a large graph from far away: four lines in all. An element for each takes longer to
 * draw than there is time for a frame, and each looks at every move whether it has changed.
 */
export function FarEdges({ edges }: { edges: StepFlowEdge[] }) {
    const store = useStoreApi();
    const paths = useRef<Record<Kind, SVGPathElement | null>>({
        still: null,
        moved: null,
        lit: null,
        chosen: null,
    });
    useLayoutEffect(() => {
        const paint = painter(paths.current, edges);
        paint(store.getState());
        return store.subscribe(paint);
    }, [edges, store]);
    return (
        <ViewportPortal>
            <svg className={classes.edges} aria-hidden data-far-edges>
                {kinds.map((kind) => (
                    <path
                        key={kind}
                        className={classes[kind]}
                        ref={(path) => {
                            paths.current[kind] = path;
                        }}
                    />
                ))}
            </svg>
        </ViewportPortal>
    );
}
