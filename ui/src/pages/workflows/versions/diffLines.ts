import { formatJson } from "@/data/json";
import type { Diff } from "../canvas/marks";

export interface Line {
    kind: "+" | "-";
    text: string;
}
export interface Part {
    /** The step, or the edge; empty: settings of the workflow. */
    title: string;
    lines: Line[];
}

interface Field {
    path: string;
    before?: unknown;
    after?: unknown;
}

const fieldLines = (fields: Field[]): Line[] =>
    fields.flatMap((field) => [
        ...("before" in field
            ? [{ kind: "-" as const, text: `${field.path}: ${formatJson(field.before)}` }]
            : []),
        ...("after" in field
            ? [{ kind: "+" as const, text: `${field.path}: ${formatJson(field.after)}` }]
            : []),
    ]);

const whole = (kind: "+" | "-", value: unknown): Line[] =>
    formatJson(value)
        .split("\n")
        .map((text) => ({ kind, text }));

const edgeName = (edge: { from: string; to: string; handle?: string }) =>
    `${edge.from} → ${edge.to}${edge.handle && edge.handle !== "default" ? ` [${edge.handle}]` : ""}`;

/** A difference as lines with + and -, by step. */
export function linesOf(diff: Diff): Part[] {
    const parts: Part[] = [];
    const add = (title: string, lines: Line[]) => {
        if (lines.length > 0) parts.push({ title, lines });
    };
    add("", fieldLines(diff.settings as Field[]));
    for (const node of diff.nodes.changed as { id: string; fields?: Field[] }[]) {
        add(node.id, fieldLines(node.fields ?? []));
    }
    for (const node of diff.nodes.added) add(node.id, whole("+", node));
    for (const node of diff.nodes.removed) add(node.id, whole("-", node));
    add("→", [
        ...diff.edges.removed.map((edge) => ({ kind: "-" as const, text: edgeName(edge) })),
        ...diff.edges.added.map((edge) => ({ kind: "+" as const, text: edgeName(edge) })),
    ]);
    return parts;
}
