import type { JsonSchema } from "@/builder/handles";
import { ExactNumber, formatJson } from "@/data/json";
import { inOrder, isObject } from "@/pages/inbox/members";

/** The types that a schema allows; that there may be nothing is said by an empty field. */
export const typesOf = (schema: JsonSchema): string[] =>
    [schema.type ?? []].flat().filter((type) => type !== "null");

const isPlain = (value: unknown) =>
    typeof value === "string" || typeof value === "number" || value instanceof ExactNumber;

/** What a form shows of a schema as it is; a draft may say anything there. */
const shown: Record<string, (value: unknown) => unknown> = {
    title: (value) => (isPlain(value) ? String(value) : undefined),
    description: (value) => (isPlain(value) ? String(value) : undefined),
    format: (value) => (typeof value === "string" ? value : undefined),
    examples: (value) => (Array.isArray(value) ? value : undefined),
    minimum: (value) => (typeof value === "number" ? value : undefined),
    maximum: (value) => (typeof value === "number" ? value : undefined),
};

/** A schema as people write it, with what a form can show of it. */
export function asFields(written: unknown): JsonSchema {
    if (!isObject(written)) return {};
    const { type, properties, required, items, enum: choices, ...others } = written;
    const rest = Object.fromEntries(
        Object.entries(others)
            .map(([key, one]) => [key, Object.hasOwn(shown, key) ? shown[key]!(one) : one])
            .filter(([, one]) => one !== undefined),
    );
    const types = typesOf({ type: type as string });
    const listed = "const" in written ? [written.const] : choices;
    return {
        ...rest,
        ...(types.length > 0 ? { type: types.length === 1 ? types[0]! : types } : {}),
        ...(isObject(properties)
            ? {
                  properties: Object.fromEntries(
                      Object.entries(properties).map(([name, one]) => [name, asFields(one)]),
                  ),
              }
            : {}),
        ...(Array.isArray(required) ? { required: required.map(String) } : {}),
        ...(isObject(items) ? { items: asFields(items) } : {}),
        ...(Array.isArray(listed) ? { enum: listed } : {}),
    };
}

/** The schema says what it is, so it has a field of its own kind. */
export const isTyped = (schema: JsonSchema) =>
    schema.enum !== undefined || typesOf(schema).length > 0;

const isNumber = (value: unknown) => typeof value === "number" || value instanceof ExactNumber;

const isOf: Record<string, (value: unknown) => boolean> = {
    string: (value) => typeof value === "string",
    number: isNumber,
    integer: isNumber,
    boolean: (value) => typeof value === "boolean",
    array: Array.isArray,
    object: isObject,
};

/** A field of the schema's kind can show the value; another one would hide it. */
export function fits(schema: JsonSchema, value: unknown): boolean {
    if (value === undefined) return true;
    if (schema.enum) return schema.enum.some((one) => formatJson(one) === formatJson(value));
    return typesOf(schema).some((type) => isOf[type]?.(value));
}

/** What a form begins with: defaults, and "no" where yes or no must be said. */
export function defaultsOf(schema: JsonSchema | undefined): Record<string, unknown> {
    const values = Object.entries(schema?.properties ?? {}).flatMap(([name, one]) => {
        if (one.default !== undefined) return [[name, one.default]];
        if (one.properties) {
            const inside = defaultsOf(one);
            return Object.keys(inside).length > 0 ? [[name, inside]] : [];
        }
        const asked = schema?.required?.includes(name) && typesOf(one).join() === "boolean";
        return asked ? [[name, false]] : [];
    });
    return Object.fromEntries(values);
}

/**
 * The schema of what is put over inputs that are there: nothing is needed, and a member is replaced
 * as a whole. The order stays.
 */
export function partsOf(schema: JsonSchema | undefined): JsonSchema | undefined {
    if (!schema?.properties) return undefined;
    const whole = ({ properties: _, required: _r, ...rest }: JsonSchema): JsonSchema => rest;
    return {
        type: "object",
        properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, one]) => [name, whole(one)]),
        ),
        "x-order": inOrder(schema).map(([name]) => name),
    };
}
