import { isObject } from "@/pages/inbox/members";
import { asFields } from "@/pages/workflows/input/schema";
import type { Definition, GraphNode } from "../graph";
import type { JsonSchema } from "../handles";

/** Every text in a value, however deep: templates, and paths of conditions. */
function textsOf(value: unknown): string[] {
    if (typeof value === "string") return [value];
    if (Array.isArray(value)) return value.flatMap(textsOf);
    return isObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

const name = String.raw`[\w$\-\u0080-\uffff]+`;

/** The ways into the result of a step that others go, such as `customer.id`. */
function usesOf(definition: Definition, id: string): string[][] {
    const use = new RegExp(String.raw`\bsteps\.${id}\.result((?:\.${name})+)`, "g");
    const texts = [
        ...definition.nodes.flatMap((node) => textsOf(node.config)),
        // Edges may have conditions, too.
        ...textsOf(definition.edges),
    ];
    return texts.flatMap((text) =>
        [...text.matchAll(use)].map(([, path = ""]) => path.slice(1).split(".")),
    );
}

function put(schema: JsonSchema, [first, ...rest]: string[]): void {
    if (first === undefined) return;
    schema.type = "object";
    schema.properties ??= {};
    if (!Object.hasOwn(schema.properties, first)) schema.properties[first] = {};
    put(schema.properties[first]!, rest);
}

/**
 * What a step may answer, as a schema: its own where it has one, as an agent, else what other steps
 * read of it. None: nothing is known.
 */
export function answerSchemaOf(definition: Definition, id: string): JsonSchema | undefined {
    const own = definition.nodes.find((node) => node.id === id)?.config?.schema;
    const schema: JsonSchema = isObject(own) ? asFields(own) : {};
    for (const path of usesOf(definition, id)) put(schema, path);
    return schema.properties ? schema : undefined;
}

/** What an event or a person brings, which is under `data` of the result. */
export function dataSchemaOf(definition: Definition, node: GraphNode): JsonSchema | undefined {
    const form = node.config?.form;
    const schema: JsonSchema = isObject(form) ? asFields(form) : {};
    for (const [first, ...rest] of usesOf(definition, node.id)) {
        if (first === "data") put(schema, rest);
    }
    return schema.properties ? schema : undefined;
}
