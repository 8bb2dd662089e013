import {
    Document,
    isCollection,
    isMap,
    isNode,
    isScalar,
    isSeq,
    type Node,
    parseDocument,
    type Scalar,
    type YAMLMap,
    type YAMLSeq,
} from "yaml";
import { ExactNumber } from "@/data/json";

const reading = { intAsBigInt: true, uniqueKeys: true, prettyErrors: true } as const;
const writing = { lineWidth: 100, flowCollectionPadding: false } as const;

type Values = Record<string, unknown>;

const isValues = (value: unknown): value is Values =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype;

/** Whole numbers come as bigint: small ones are numbers, big ones stay exact. */
function fromYaml(value: unknown): unknown {
    if (typeof value === "bigint") {
        const number = Number(value);
        return Number.isSafeInteger(number) ? number : new ExactNumber(String(value));
    }
    if (Array.isArray(value)) return value.map(fromYaml);
    if (!isValues(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, fromYaml(v)]));
}

function toYaml(value: unknown): unknown {
    if (value instanceof ExactNumber) {
        return /^-?\d+$/.test(value.text) ? BigInt(value.text) : Number(value.text);
    }
    if (Array.isArray(value)) return value.map(toYaml);
    if (!isValues(value)) return value;
    return Object.fromEntries(
        Object.entries(value)
            .filter(([, v]) => v !== undefined)
            .map(([k, v]) => [k, toYaml(v)]),
    );
}

/** Reads YAML, and JSON as a part of it. Throws what is wrong, with the line. */
export function readYaml(text: string): unknown {
    const document = parseDocument(text, reading);
    const [error] = document.errors;
    if (error) throw new Error(error.message.split("\n")[0]);
    return fromYaml(document.toJS({ maxAliasCount: 100 }));
}

function same(a: unknown, b: unknown): boolean {
    if (a === b) return true;
    if (typeof a === "bigint" || typeof b === "bigint") return String(a) === String(b);
    if (Array.isArray(a) && Array.isArray(b)) {
        return a.length === b.length && a.every((one, i) => same(one, b[i]));
    }
    if (!isValues(a) || !isValues(b)) return false;
    const keys = Object.keys(a);
    return (
        keys.length === Object.keys(b).length &&
        keys.every((key) => key in b && same(a[key], b[key]))
    );
}

/** By what an entry of a list is known when the list changes. */
function nameOf(value: unknown): string | undefined {
    if (!isValues(value)) return undefined;
    if (value.id !== undefined) return `id ${value.id}`;
    if (value.from !== undefined) return `${value.from} ${value.handle ?? "default"} ${value.to}`;
    const name = value.name ?? value.event;
    return name === undefined ? undefined : `name ${name}`;
}

/** Writes values into a document and leaves everything as it is that says the same. */
class Patch {
    private readonly document: Document;

    constructor(document: Document) {
        this.document = document;
    }

    apply(node: Node | null, value: unknown): Node {
        if (node && same(node.toJS(this.document), value)) return node;
        if (isMap(node) && isValues(value)) return this.map(node, value);
        if (isSeq(node) && Array.isArray(value)) return this.list(node, value);
        const made = this.document.createNode(value) as Node;
        if (node) {
            made.comment = node.comment ?? null;
            made.commentBefore = node.commentBefore ?? null;
            // A text keeps its quotes or its block.
            if (isScalar(node) && isScalar(made) && typeof value === "string") {
                made.type = node.type as Scalar.Type;
            }
        }
        return made;
    }

    private map(node: YAMLMap, value: Values): Node {
        const keyOf = (key: unknown) => String(isScalar(key) ? key.value : key);
        node.items = node.items.filter((pair) => keyOf(pair.key) in value);
        for (const [key, one] of Object.entries(value)) {
            const pair = node.items.find((other) => keyOf(other.key) === key);
            if (!pair) node.items.push(this.document.createPair(key, one));
            else pair.value = this.apply(isNode(pair.value) ? pair.value : null, one);
        }
        return node;
    }

    private list(node: YAMLSeq, value: unknown[]): Node {
        const before = node.items.filter(isNode);
        const names = new Map(before.map((one) => [nameOf(one.toJS(this.document)), one]));
        const flow = before.some((one) => isCollection(one) && one.flow === true);
        node.items = value.map((one, i) => {
            const name = nameOf(one);
            const known = name === undefined ? before[i] : names.get(name);
            const made = this.apply(known ?? null, one);
            if (!known && flow && isCollection(made)) made.flow = true;
            return made;
        });
        return node;
    }
}

/** A new document; edges stand in one line each. */
function fresh(value: unknown): Document {
    const document = new Document(value);
    const edges = document.get("edges");
    if (isSeq(edges)) for (const edge of edges.items) if (isCollection(edge)) edge.flow = true;
    return document;
}

/** The value as YAML: with the comments and the order of an earlier text, if there is one. */
export function writeYaml(value: unknown, source?: string): string {
    const wanted = toYaml(value);
    if (source === undefined) return fresh(wanted).toString(writing);
    const document = parseDocument(source, reading);
    if (document.errors.length > 0 || !document.contents) return fresh(wanted).toString(writing);
    if (same(document.toJS(), wanted)) return source;
    document.contents = new Patch(document).apply(document.contents as Node, wanted) as never;
    return document.toString(writing);
}
