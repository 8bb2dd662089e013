import type { Definition } from "./graph";

export interface Problem {
    /** The node that it is about; none: the workflow as a whole. */
    node?: string;
    /** What the server says, with the place. */
    text: string;
    /** The kind of it, and what its sentence names. */
    code: string;
    values: Record<string, string>;
    /** The setting that it is about: the last name of its place. */
    setting?: string;
}

export interface Verdict {
    valid: boolean;
    errors: {
        detail: string;
        code: string;
        values: Record<string, string>;
        node?: string;
        path?: string;
        pointer?: string;
        line?: number;
    }[];
}

/** Which node a place of the document is: `nodes[2].config` or `/nodes/2/config`. */
function nodeAt(definition: Definition, place: string): string | undefined {
    const found = /\bnodes(?:\[|\/)(\d+)/.exec(place);
    if (found) return definition.nodes[Number(found[1])]?.id;
    const edge = /\bedges(?:\[|\/)(\d+)/.exec(place);
    if (edge) return definition.edges[Number(edge[1])]?.from;
    const named = /\b(?:node|step) '?([A-Za-z_][\w-]*)'?/.exec(place)?.[1];
    return definition.nodes.some((node) => node.id === named) ? named : undefined;
}

/** `nodes[2].config.cases[0].handle` is about the setting `handle`; `nodes[2]` about the node. */
function settingAt(path: string | undefined): string | undefined {
    const last = path
        ?.replace(/^(nodes|edges|steps)\[\d+\](\.config$)?/, "")
        .match(/([a-z_]+)[^a-z_]*$/i);
    return last?.[1];
}

export function readProblems(definition: Definition, verdict: Verdict): Problem[] {
    return verdict.errors.map((one) => {
        const text = one.detail.replace(/^line \d+, /, "");
        const place = one.path ?? one.pointer ?? text;
        const node = nodeAt(definition, place) ?? nodeAt(definition, text);
        const setting = settingAt(one.path);
        return {
            text,
            code: one.code,
            values: one.values,
            ...(node === undefined ? {} : { node }),
            ...(setting === undefined ? {} : { setting }),
        };
    });
}
