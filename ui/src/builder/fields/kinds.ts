import { ExactNumber } from "@/data/json";
import type { JsonSchema } from "../handles";

export type Kind =
    | "choice"
    | "switch"
    | "number"
    | "duration"
    | "text"
    | "texts"
    | "rows"
    | "object"
    | "schema"
    | "condition"
    | "values"
    | "json";

export const longFields = new Set([
    "text",
    "html",
    "description",
    "instructions",
    "statement",
    "jq",
    "reason",
]);

const durations = new Set([
    "timeout",
    "duration",
    "due",
    "within",
    "remind_after",
    "escalate_after",
    "after",
    "base",
    "cap",
    "delay",
    "per",
    "period",
    "max_wait",
]);

/** Settings that are a JSON Schema, or a condition. */
const schemas = new Set(["form", "schema", "parameters"]);
const conditions = new Set(["while", "until", "when", "filter"]);

export const labelOf = (name: string) => {
    const words = name.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
};

const typesOf = (schema: JsonSchema): string[] =>
    schema.anyOf?.flatMap((one) => one.type ?? []) ?? [schema.type ?? []].flat();

export const isWhole = (schema: JsonSchema) => typesOf(schema).join() === "integer";

/**
 * What a form shows of a setting that is an object or a list of such, as of a policy of retries: the
 * object, unless a list is there.
 */
export function formOf(schema: JsonSchema, value: unknown): JsonSchema {
    const [one, ...others] = (schema.anyOf ?? []).filter((way) => way.properties);
    const isOther = value !== undefined && (typeof value !== "object" || Array.isArray(value));
    const isPlain = (way: JsonSchema) => !way.properties && way.type !== "array";
    if (!one || others.length > 0 || isOther || schema.anyOf?.some(isPlain)) return schema;
    const { anyOf: _, ...rest } = schema;
    return { ...one, ...rest };
}

/** How a setting is edited: by its schema, and by what it holds now. */
export function kindOf(name: string, schema: JsonSchema, value: unknown): Kind {
    if (schema.enum) return "choice";
    const types = typesOf(schema);
    const only = types.length === 1 ? types[0] : undefined;
    const isList = Array.isArray(value);
    if (only === "object" && schemas.has(name)) return "schema";
    if (only === "object" && conditions.has(name)) return "condition";
    if (typeof value === "object" && value !== null && !(value instanceof ExactNumber)) {
        if (isList && schema.items?.properties) return "rows";
        if (isList && value.every((one) => typeof one === "string")) return "texts";
        if (!isList && schema.properties) return "object";
        return isList ? "json" : "values";
    }
    if (only === "boolean") return "switch";
    if (only === "integer" || only === "number") return "number";
    if (durations.has(name) && only !== "object") return "duration";
    if (types.includes("string")) return "text";
    if (only === "array") {
        if (schema.items?.properties) return "rows";
        return schema.items?.type === "string" || schema.items?.enum ? "texts" : "json";
    }
    if (only === "object") return schema.properties ? "object" : "values";
    const [example] = schema.examples ?? [];
    if (typeof example === "object" && example !== null && typeof value !== "string") {
        return Array.isArray(example) ? "json" : "values";
    }
    // Anything is allowed: most people write what the example shows.
    return types.length === 0 ? "text" : "json";
}
