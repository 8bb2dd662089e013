import type { JsonSchema } from "@/builder/handles";
import { isObject } from "@/pages/inbox/members";
import { asFields } from "./schema";

type Row = Record<string, unknown>;

interface Node {
    id: string;
    type?: string;
    config?: unknown;
}

/** A way into the input, such as customer.email; `list` at its end: [0] follows. */
interface Use {
    path: string[];
    list: boolean;
    needed: boolean;
    by?: string;
}

/** The name of a member in which a schema lists the steps that use it. */
export const usedBy = "x-used-by";

const rows = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Every text in a value, however deep. */
function textsOf(value: unknown): string[] {
    if (typeof value === "string") return [value];
    if (Array.isArray(value)) return value.flatMap(textsOf);
    return isObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

const key = String.raw`[\w$\-\u0080-\uffff]+`;
const placeholder = new RegExp(String.raw`\{\{\s*(${key}(?:\.${key})*)(\[)?[^}|]*(\|)?`, "g");

/** A draft does not say it yet: these steps are about a person. */
const isAboutPeople = (nodes: Node[]) =>
    nodes.some(
        ({ type, config }) =>
            type === "message" ||
            type === "goal" ||
            (type === "wait" && isObject(config) && config.local_time !== undefined),
    );

/** First words of a path that are filled while a run goes on, not by its input. */
function ownWords(definition: Row, nodes: Node[]): Set<string> {
    const has = (type: string) => nodes.some((node) => node.type === type);
    const config = (node: Node) => (isObject(node.config) ? node.config : {});
    const catches =
        rows(definition.edges).some((edge) => String(edge.handle ?? "").startsWith("error")) ||
        nodes.some((node) => (node as unknown as Row).on_failure === "continue") ||
        nodes.some((node) => config(node).on_failure === "continue");
    return new Set([
        ...["steps", "run", "credentials"],
        ...(has("foreach") ? ["item", "index", "outer"] : []),
        ...(has("loop") ? ["index"] : []),
        ...(catches ? ["error"] : []),
        ...(nodes.some((node) => (node as unknown as Row).compensate) ? ["undo"] : []),
        ...(has("message") ? ["unsubscribe_url", "preferences_url"] : []),
        ...(definition.person || isAboutPeople(nodes) ? ["user"] : []),
    ]);
}

/** The path inside the input that a template or a condition speaks of, if it does. */
function inside(path: string[], own: Set<string>): string[] | undefined {
    const [root = "", ...rest] = path;
    if (root === "input" || root === "trigger") return rest.length > 0 ? rest : undefined;
    if (own.has(root) || /^step_\d+_(result|error)$/.test(root)) return undefined;
    return path;
}

function usesOf(value: unknown, own: Set<string>, by?: string): Use[] {
    return textsOf(value).flatMap((text) =>
        [...text.matchAll(placeholder)].flatMap(([, written, bracket, bar]) => {
            const path = inside(written!.split("."), own);
            if (!path) return [];
            const use = { path, list: bracket !== undefined, needed: bar === undefined };
            return [by === undefined ? use : { ...use, by }];
        }),
    );
}

/** Conditions compare parts of the input with values: those are what it may be. */
function comparisons(value: unknown): { path: string[]; value: unknown }[] {
    if (Array.isArray(value)) return value.flatMap(comparisons);
    if (!isObject(value)) return [];
    const written = value.path ?? value.field;
    const [root, ...path] = typeof written === "string" ? written.split(".") : [];
    const own =
        path.length > 0 && (root === "input" || root === "trigger")
            ? [{ path, value: value.value }]
            : [];
    return [...own, ...Object.values(value).flatMap(comparisons)];
}

/** The schema at a path, which is made on the way. */
function at(schema: JsonSchema, path: string[]): JsonSchema {
    let place = schema;
    for (const name of path) {
        place.type = "object";
        place.properties ??= {};
        if (!Object.hasOwn(place.properties, name)) place.properties[name] = {};
        place = place.properties[name]!;
    }
    return place;
}

function need(schema: JsonSchema, path: string[]): void {
    path.forEach((name, depth) => {
        const parent = at(schema, path.slice(0, depth));
        parent.required = [...new Set([...(parent.required ?? []), name])];
    });
}

function note(schema: JsonSchema, use: Use): void {
    const place = at(schema, use.path);
    if (use.list) place.type = "array";
    if (use.needed) need(schema, use.path);
    const by = (place[usedBy] ?? []) as string[];
    if (use.by && !by.includes(use.by)) place[usedBy] = [...by, use.by];
}

function compare(schema: JsonSchema, path: string[], value: unknown): void {
    const place = at(schema, path);
    for (const one of Array.isArray(value) ? value : [value]) {
        if (typeof one === "boolean" && !place.type) place.type = "boolean";
        if (typeof one === "number" || (typeof one === "string" && !one.includes("{{"))) {
            place.examples = [...new Set([...(place.examples ?? []), one])];
        }
    }
}

/** A part that the workflow's own schema has, as far as it says so. */
function find(schema: JsonSchema, path: string[]): JsonSchema | undefined {
    let place: JsonSchema | undefined = schema;
    for (const name of path) {
        const inside: Record<string, JsonSchema> = place.properties ?? {};
        place = Object.hasOwn(inside, name) ? inside[name] : undefined;
        if (!place) return undefined;
    }
    return place;
}

/** What the workflow says of its input, with the steps that use each part. */
function saidSchema(definition: Row, uses: Use[]): JsonSchema | undefined {
    const schema = asFields(definition.input_schema);
    if (Object.keys(schema.properties ?? {}).length === 0) return undefined;
    for (const { path, by } of uses) {
        const place = find(schema, path);
        const before = (place?.[usedBy] ?? []) as string[];
        if (place && by && !before.includes(by)) place[usedBy] = [...before, by];
    }
    return schema;
}

/**
 * What a workflow takes, as a schema: its own if it has one, else what it requires, what its steps
 * and limits say about the input. It is what the server asks for at the start. `ofRun`: of a run
 * that is there, which may have the inputs of several starts.
 */
export function inputSchemaOf(definition: unknown, ofRun = false): JsonSchema | undefined {
    if (!isObject(definition)) return undefined;
    const nodes = rows(definition.nodes) as unknown as Node[];
    const own = ownWords(definition, nodes);
    const uses = nodes.flatMap((node) => usesOf(node.config, own, node.id));
    const fields = Array.isArray(definition.required_fields) ? definition.required_fields : [];
    const schema: JsonSchema = saidSchema(definition, uses) ?? {};
    const isSaid = schema.properties !== undefined;
    // Steps speak of what was gathered into a batch, which no start brings; its schema is of each.
    const isGathered = isObject(definition.flow) && Boolean(definition.flow.batch);
    if (isGathered && (ofRun || !isSaid)) return undefined;
    for (const name of fields) note(schema, { path: [String(name)], list: false, needed: true });
    if (isSaid) return schema;
    for (const use of [...usesOf(definition.flow, own), ...uses]) note(schema, use);
    for (const { path, value } of comparisons(nodes.map((node) => node.config))) {
        compare(schema, path, value);
    }
    for (const edge of rows(definition.edges)) {
        for (const { path, value } of comparisons(edge.when)) compare(schema, path, value);
    }
    return schema.properties ? schema : undefined;
}

/** What templates say of the person, such as `first_name`. */
export function personUsesOf(definition: unknown): string[] {
    const nodes = isObject(definition) ? rows(definition.nodes) : [];
    const named = nodes.flatMap((node) =>
        usesOf(node.config, new Set()).flatMap(({ path: [root, name] }) =>
            root === "user" && name !== undefined ? [name] : [],
        ),
    );
    return [...new Set(named)];
}
