import { type Draft, type GraphNode, handleOf } from "./graph";
import { changeNode } from "./ways";

/** Why a step cannot be switched off. */
export type OffProblem = "offLeads" | "offNoDefault";

// As src/model/graph_shapes.cpp has it.
const leads = ["condition", "parallel", "join", "trigger", "exit", "end"];
const usual = ["default", "timeout", "each", "body", "skipped", "failed"];

/** Why a step cannot be switched off, if it cannot: runs go on by its way `default`. */
export function offProblem({ definition }: Draft, node: GraphNode): OffProblem | undefined {
    if (leads.includes(node.type)) return "offLeads";
    const ways = definition.edges.filter((edge) => edge.from === node.id).map(handleOf);
    const chooses = ways.some((way) => !usual.includes(way) && !/^error(\.|$)/.test(way));
    return chooses && !ways.includes("default") ? "offNoDefault" : undefined;
}

export const isOff = (node: GraphNode) => node["disabled"] === true;

export const setOff = (draft: Draft, id: string, off: boolean) =>
    changeNode(draft, id, { disabled: off || undefined });

/** Switches steps off, or on again if all that can be off are; what cannot be stays as it is. */
export function toggleOff(draft: Draft, ids: string[]): { draft: Draft; problem?: OffProblem } {
    const chosen = draft.definition.nodes.filter((node) => ids.includes(node.id));
    const able = chosen.filter((node) => isOff(node) || !offProblem(draft, node));
    const problem = able.length === 0 && chosen[0] ? offProblem(draft, chosen[0]) : undefined;
    const off = !able.every(isOff);
    const next = able.reduce((before, node) => setOff(before, node.id, off), draft);
    return { draft: next, ...(problem ? { problem } : {}) };
}
