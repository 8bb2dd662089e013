import { MarkerType } from "@xyflow/react";
import { type Draft, edgeId, handleOf } from "./graph";
import { handlesOf, summaryOf } from "./handles";
import type { StepFlowEdge } from "./StepEdge";
import type { StepFlowNode } from "./StepNode";
import type { Types } from "./types";
import type { Problem } from "./useProblems";

export interface Shown {
    types: Types;
    problems?: Problem[];
    readOnly?: boolean;
    /** Runs at each node. */
    here?: Record<string, number>;
    /** How often each edge was taken, by its id. */
    taken?: Record<string, number>;
}

/** The draft as the canvas draws it. */
export function flowNodes(draft: Draft, shown: Shown): StepFlowNode[] {
    const { types, problems = [], readOnly = false, here = {} } = shown;
    return draft.definition.nodes.map((node) => {
        const known = handlesOf(node, types[node.type]);
        const used = draft.definition.edges.filter((e) => e.from === node.id).map(handleOf);
        const handles = [...new Set([...known, ...used])];
        // Few steps have all of their ways out in use: those without an edge stand behind the others.
        const drawn = handles.filter(
            (h) =>
                used.includes(h) || h === "default" || h === "true" || h === "false" || !readOnly,
        );
        return {
            id: node.id,
            type: "step" as const,
            position: draft.positions[node.id] ?? { x: 0, y: 0 },
            ariaLabel: `${types[node.type]?.title ?? node.type} ${node.id}`,
            data: {
                id: node.id,
                type: node.type,
                title: types[node.type]?.title ?? node.type,
                summary: summaryOf(node),
                handles: drawn,
                open: drawn.filter((h) => !used.includes(h)),
                problem: problems.find((p) => p.node === node.id)?.text ?? "",
                ...(here[node.id] !== undefined ? { here: here[node.id] } : {}),
                readOnly,
            },
        };
    });
}

export function flowEdges(draft: Draft, shown: Shown): StepFlowEdge[] {
    return draft.definition.edges.map((edge) => {
        const id = edgeId(edge);
        const count = shown.taken?.[id];
        return {
            id,
            type: "step" as const,
            source: edge.from,
            sourceHandle: handleOf(edge),
            target: edge.to,
            markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
            data: {
                edge,
                readOnly: shown.readOnly ?? false,
                ...(count !== undefined ? { count } : {}),
            },
        };
    });
}
