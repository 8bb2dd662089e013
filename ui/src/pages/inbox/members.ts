import type { JsonSchema } from "@/builder/handles";
import { ExactNumber } from "@/data/json";

type Members = Record<string, unknown>;

export const isObject = (value: unknown): value is Members =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber);

/** A schema of what a value is now. */
function typed(value: unknown): JsonSchema {
    if (value === null || value instanceof ExactNumber) return {};
    return { type: Array.isArray(value) ? "array" : typeof value };
}

/**
 * The properties of a schema in the order of a form: as `x-order` names them, then those that are
 * required. The database keeps no order of members, only that of lists.
 */
export function inOrder(schema: JsonSchema): [string, JsonSchema][] {
    const listed = [schema["x-order"], schema.required].flatMap((list): unknown[] =>
        Array.isArray(list) ? list : [],
    );
    const rank = ([name]: [string, JsonSchema]) => {
        const at = listed.indexOf(name);
        return at < 0 ? listed.length : at;
    };
    return Object.entries(schema.properties ?? {}).sort((a, b) => rank(a) - rank(b));
}

/** The schema of the answer; what it does not name is shown as what it is. */
export function membersOf(form: unknown, data: unknown): [string, JsonSchema][] | null {
    const schema = isObject(form) ? (form as JsonSchema) : {};
    const named = inOrder(schema);
    const has = (key: string) => Object.hasOwn(schema.properties ?? {}, key);
    // A field for numbers would round these, and show nothing.
    const exact = (key: string) => isObject(data) && data[key] instanceof ExactNumber;
    const untyped = ({ type: _, ...rest }: JsonSchema): JsonSchema => rest;
    if (!isObject(data)) return named.length > 0 ? named : null;
    const rest = Object.entries(data)
        .filter(([key]) => !has(key))
        .map(([key, value]): [string, JsonSchema] => [key, typed(value)]);
    const fields = named.map(([key, one]): [string, JsonSchema] => [
        key,
        exact(key) ? untyped(one) : one,
    ]);
    return [...fields, ...rest];
}
