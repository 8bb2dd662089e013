import { i18n } from "@lingui/core";
import { MarkerType } from "@xyflow/react";
import { graphWords } from "@/components/graphLabels";
import { say } from "@/words";
import { type Draft, edgeId, type GraphEdge, type GraphNode, handleOf, type Point } from "./graph";
import { handlesOf, summaryOf } from "./handles";
import { nodeHeight, nodeWidth } from "./layout";
import type { Marks } from "./marks";
import { isOff } from "./off";
import type { Problem } from "./problems";
import { type Box, type Way, wayAround } from "./route";
import type { StepFlowEdge } from "./StepEdge";
import type { StepData, StepFlowNode } from "./step";
import type { Types } from "./types";

export interface Shown extends Marks {
    types: Types;
    problems?: Problem[];
    readOnly?: boolean;
}

// What is the same as before is the same object, so that only what has changed is drawn anew.
const nodeCache = new WeakMap<GraphNode, { key: string; data: StepData }>();
const edgeCache = new WeakMap<GraphEdge, { key: string; edge: StepFlowEdge }>();

function usedHandles(draft: Draft): Map<string, string[]> {
    const used = new Map<string, string[]>();
    for (const edge of draft.definition.edges) {
        const list = used.get(edge.from);
        if (list) list.push(handleOf(edge));
        else used.set(edge.from, [handleOf(edge)]);
    }
    return used;
}

/** The ways out of a step that are drawn. */
function waysOf(node: GraphNode, used: string[], { types, readOnly = false }: Shown): string[] {
    const handles = [...new Set([...handlesOf(node, types[node.type]), ...used])];
    // Few steps have all of their ways out in use: those without an edge are left out where no one adds one.
    return handles.filter(
        (h) => used.includes(h) || h === "default" || h === "true" || h === "false" || !readOnly,
    );
}

function dataOf(node: GraphNode, used: string[], problem: string, shown: Shown): StepData {
    const { types, readOnly = false, here = {}, steps = {} } = shown;
    const title = types[node.type]?.title ?? node.type;
    const key = JSON.stringify([
        ...[used, problem, readOnly, here[node.id], steps[node.id], title],
        i18n.locale,
    ]);
    const known = nodeCache.get(node);
    if (known?.key === key) return known.data;
    const drawn = waysOf(node, used, shown);
    const mark = steps[node.id];
    const data: StepData = {
        id: node.id,
        type: node.type,
        title,
        summary: summaryOf(node),
        handles: drawn,
        open: drawn.filter((h) => !used.includes(h)),
        problem,
        off: isOff(node),
        ...(here[node.id] !== undefined ? { here: here[node.id] as number } : {}),
        ...(mark ? { mark } : {}),
        readOnly,
    };
    nodeCache.set(node, { key, data });
    return data;
}

const origin: Point = { x: 0, y: 0 };

/** The draft as the canvas draws it. */
export function flowNodes(draft: Draft, shown: Shown): StepFlowNode[] {
    const used = usedHandles(draft);
    const problems = new Map<string, string>();
    for (const problem of shown.problems ?? []) {
        if (problem.node && !problems.has(problem.node)) problems.set(problem.node, problem.text);
    }
    return draft.definition.nodes.map((node) => {
        const problem = problems.get(node.id) ?? "";
        const data = dataOf(node, used.get(node.id) ?? [], problem, shown);
        return {
            id: node.id,
            type: "step" as const,
            position: draft.positions[node.id] ?? origin,
            ariaLabel: `${data.title} ${node.id}`,
            // A name needs a role, also where steps cannot have the focus.
            ariaRole: "group" as const,
            data,
        };
    });
}

// As high as a step gets that has a summary and several ways out.
const tallest = nodeHeight + 16;

/** The ways around steps that lie between the ends of an edge. */
function waysAround(draft: Draft, shown: Shown): (edge: GraphEdge) => Way | undefined {
    const used = usedHandles(draft);
    const nodes = new Map(draft.definition.nodes.map((node) => [node.id, node]));
    const boxes = Object.entries(draft.positions).flatMap(([id, at]) =>
        nodes.has(id) ? [{ id, ...at, width: nodeWidth, height: tallest }] : [],
    );
    return (edge) => {
        const node = nodes.get(edge.from);
        const from = draft.positions[edge.from];
        const to = draft.positions[edge.to];
        // Between steps of which one stands right below the other is none.
        if (!node || !from || !to || to.y - from.y < 2 * tallest) return undefined;
        const ways = waysOf(node, used.get(edge.from) ?? [], shown);
        const place = (ways.indexOf(handleOf(edge)) + 0.5) / ways.length;
        const others: Box[] = boxes.filter(({ id }) => id !== edge.from && id !== edge.to);
        return wayAround(
            { x: from.x + place * nodeWidth, y: from.y + tallest },
            { x: to.x + nodeWidth / 2, y: to.y },
            others,
        );
    };
}

export function flowEdges(draft: Draft, shown: Shown): StepFlowEdge[] {
    const around = waysAround(draft, shown);
    return draft.definition.edges.map((edge) => {
        const id = edgeId(edge);
        const count = shown.taken?.[id];
        const lit = shown.lit?.has(id) ?? false;
        const way = around(edge);
        const key = JSON.stringify([id, count, lit, shown.readOnly, way, i18n.locale]);
        const known = edgeCache.get(edge);
        if (known?.key === key) return known.edge;
        const made: StepFlowEdge = {
            id,
            type: "step" as const,
            source: edge.from,
            sourceHandle: handleOf(edge),
            target: edge.to,
            ariaLabel: say(graphWords, "edge", { from: edge.from, to: edge.to }),
            markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
            data: {
                edge,
                readOnly: shown.readOnly ?? false,
                ...(count !== undefined ? { count } : {}),
                ...(lit ? { lit } : {}),
                ...(way ? { way } : {}),
            },
        };
        edgeCache.set(edge, { key, edge: made });
        return made;
    });
}
