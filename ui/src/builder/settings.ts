/** A JSON Schema, or a part of one. */
interface Shape {
    description?: unknown;
    enum?: unknown;
    properties?: Record<string, Shape>;
    items?: Shape;
    anyOf?: Shape[];
}

interface Said {
    /** Names of settings. */
    names: Set<string>;
    sentences: Set<string>;
    choices: Set<string>;
}

function gather(shape: Shape, into: Said): void {
    if (typeof shape.description === "string") into.sentences.add(shape.description);
    for (const word of Array.isArray(shape.enum) ? shape.enum : []) into.choices.add(String(word));
    for (const [name, one] of Object.entries(shape.properties ?? {})) {
        into.names.add(name);
        gather(one, into);
    }
    if (shape.items) gather(shape.items, into);
    for (const one of shape.anyOf ?? []) gather(one, into);
}

/** Everything that types of steps say to people. */
export function saidBy(types: { description: string; schema: unknown }[]): Said {
    const said: Said = { names: new Set(), sentences: new Set(), choices: new Set() };
    for (const type of types) {
        said.sentences.add(type.description);
        const { type: _, ...properties } = (type.schema as Shape).properties ?? {};
        gather({ properties }, said);
    }
    return said;
}
