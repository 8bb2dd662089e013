import type { Definition, Draft, Layout } from "../graph";
import { draftOf, layoutOf } from "../layout";
import { readYaml, writeYaml } from "./yaml";

/** What was read, if every step says what it is; undefined: it is written in short. Throws what is no workflow. */
export function readDefinition(read: unknown): Definition | undefined {
    if (typeof read !== "object" || read === null || Array.isArray(read)) {
        throw new Error("name: …\nnodes: […]");
    }
    const definition = read as Definition;
    if (!Array.isArray(definition.nodes)) return undefined;
    const short = definition.nodes.some(
        (node) => typeof node?.id !== "string" || typeof node.type !== "string",
    );
    const edges = Array.isArray(definition.edges) ? definition.edges : [];
    return short ? undefined : { ...definition, edges };
}

/**
 * The draft as it is saved: YAML with what people wrote around it, where it is drawn, and the
 * version that it began with.
 */
export function textOf(draft: Draft, base?: number): string {
    const layout = { ...layoutOf(draft), ...(base === undefined ? {} : { version: base }) };
    return writeYaml({ ...draft.definition, layout }, draft.source);
}

/** A saved draft; null: it cannot be read here. */
export function readDraft(text: string): Draft | null {
    try {
        const read = readDefinition(readYaml(text)) as
            | (Definition & { layout?: Layout })
            | undefined;
        if (!read) return null;
        const { layout, ...definition } = read;
        const draft = draftOf(definition as Definition, layout);
        return { ...draft, source: writeYaml(draft.definition, text) };
    } catch {
        return null;
    }
}
