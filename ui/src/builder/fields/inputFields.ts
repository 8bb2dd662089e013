import type { JsonSchema } from "../handles";

/** What a part of an input is, in the words of people who fill it in. */
export const inputKinds = [
    "text",
    "choice",
    "number",
    "integer",
    "boolean",
    "date",
    "date-time",
    "email",
    "uri",
    "texts",
    "object",
    "any",
] as const;
export type InputKind = (typeof inputKinds)[number];

/** One part of an input, with what its schema says besides. */
export interface InputField {
    name: string;
    required: boolean;
    schema: JsonSchema;
}

const formats = new Set<string>(["date", "date-time", "email", "uri"]);

const isRow = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** In a text that is being written, a part of a schema may be anything. */
const isWritten = ({ enum: choices, title, description, items }: JsonSchema) =>
    (choices === undefined || Array.isArray(choices)) &&
    [title, description].every((text) => text === undefined || typeof text === "string") &&
    (items === undefined || isRow(items));

export function kindOfInput(schema: JsonSchema): InputKind {
    if (!isWritten(schema)) return "any";
    if (schema.enum) return "choice";
    const types = [schema.type ?? []].flat();
    const [type] = types;
    if (types.length !== 1) return "any";
    if (type === "string") {
        const format = String(schema.format ?? "");
        if (formats.has(format)) return format as InputKind;
        return format ? "any" : "text";
    }
    if (type === "array") return schema.items?.type === "string" ? "texts" : "any";
    return type === "number" || type === "integer" || type === "boolean" || type === "object"
        ? type
        : "any";
}

const typed: Record<InputKind, JsonSchema> = {
    text: { type: "string" },
    choice: { enum: [] },
    number: { type: "number" },
    integer: { type: "integer" },
    boolean: { type: "boolean" },
    date: { type: "string", format: "date" },
    "date-time": { type: "string", format: "date-time" },
    email: { type: "string", format: "email" },
    uri: { type: "string", format: "uri" },
    texts: { type: "array", items: { type: "string" } },
    object: { type: "object", properties: {} },
    any: {},
};

/** Another kind of the same field: its words stay, what was about the old kind goes. */
export function withKind({ title, description }: JsonSchema, kind: InputKind): JsonSchema {
    return {
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
        ...structuredClone(typed[kind]),
    };
}

/** The parts of a schema; none: it says what no list of fields can. */
export function fieldsOf(schema: unknown): InputField[] | undefined {
    if (schema === undefined) return [];
    if (!isRow(schema) || !(schema.properties === undefined || isRow(schema.properties)))
        return undefined;
    if (schema.type !== undefined && schema.type !== "object") return undefined;
    const required = Array.isArray(schema.required) ? schema.required : [];
    const fields = Object.entries(schema.properties ?? {});
    if (!fields.every(([, one]) => isRow(one))) return undefined;
    return fields.map(([name, one]) => ({
        name,
        required: required.includes(name),
        schema: one as JsonSchema,
    }));
}

/** The schema with these parts; what else it says stays. */
export function schemaOf(before: unknown, fields: InputField[]): JsonSchema {
    const { required: asked, properties, ...rest } = (isRow(before) ? before : {}) as JsonSchema;
    // It may ask for what it says nothing else about.
    const bare = (Array.isArray(asked) ? asked : []).filter(
        (name) => !Object.hasOwn(isRow(properties) ? properties : {}, name),
    );
    const mine = fields.filter((one) => one.required).map((one) => one.name);
    const required = [...new Set([...mine, ...bare])];
    return {
        ...rest,
        type: "object",
        properties: Object.fromEntries(fields.map((one) => [one.name, one.schema])),
        ...(required.length > 0 ? { required } : {}),
    };
}

/** A name that no other field has. */
export function freeName(fields: InputField[]): string {
    for (let i = fields.length + 1; ; ++i) {
        if (!fields.some((one) => one.name === `field_${i}`)) return `field_${i}`;
    }
}
