import { formatJson } from "@/data/json";
import type { Definition } from "../graph";

export interface Changes {
    added: string[];
    removed: string[];
    changed: string[];
    /** Steps that are another kind of step now: who waits there cannot go on there. */
    replaced: string[];
}

export function changesOf(before: Definition, after: Definition): Changes {
    const old = new Map(before.nodes.map((node) => [node.id, node]));
    const now = new Map(after.nodes.map((node) => [node.id, node]));
    const both = after.nodes.filter((node) => old.has(node.id));
    return {
        added: after.nodes.filter((node) => !old.has(node.id)).map((node) => node.id),
        removed: before.nodes.filter((node) => !now.has(node.id)).map((node) => node.id),
        changed: both
            .filter((node) => formatJson(old.get(node.id)) !== formatJson(node))
            .map((node) => node.id),
        replaced: both.filter((node) => old.get(node.id)?.type !== node.type).map((n) => n.id),
    };
}

/** What becomes of people on a step that goes: `finish`, `exit`, or the step where they go on. */
export type Fate = string;
export const toStep = (id: string): Fate => `to:${id}`;

/** Steps of the new version where people of this one can go on: only of the same kind. */
export function successors(before: Definition, after: Definition, id: string): string[] {
    const type = before.nodes.find((node) => node.id === id)?.type;
    return after.nodes.filter((node) => node.type === type).map((node) => node.id);
}

/** The body of a migration that does what was chosen. */
export function migrationOf(version: number, fates: Record<string, Fate>) {
    const entries = Object.entries(fates);
    const moved = entries.filter(([, fate]) => fate.startsWith("to:"));
    const exit = entries.filter(([, fate]) => fate === "exit").map(([id]) => id);
    return {
        to: version,
        ...(moved.length > 0
            ? { map: Object.fromEntries(moved.map(([id, fate]) => [id, fate.slice(3)])) }
            : {}),
        ...(exit.length > 0 ? { exit } : {}),
    };
}

export interface Standing {
    /** All who are in the workflow. */
    inside: number;
    /** How many wait at each step. */
    at: Record<string, number>;
}
