import type { JsonSchema } from "@/builder/handles";
import { isObject } from "@/pages/inbox/members";

/** The types that a schema allows; that there may be nothing is said by an empty field. */
export const typesOf = (schema: JsonSchema): string[] =>
    [schema.type ?? []].flat().filter((type) => type !== "null");

/** A schema as people write it, with what a form can show of it. */
export function asFields(written: unknown): JsonSchema {
    if (!isObject(written)) return {};
    const { type, properties, required, items, enum: choices, ...rest } = written;
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

const isOf: Record<string, (value: unknown) => boolean> = {
    string: (value) => typeof value === "string",
    number: (value) => typeof value === "number",
    integer: (value) => typeof value === "number",
    boolean: (value) => typeof value === "boolean",
    array: Array.isArray,
    object: isObject,
};

/** A field of the schema's kind can show the value; another one would hide it. */
export function fits(schema: JsonSchema, value: unknown): boolean {
    if (value === undefined) return true;
    if (schema.enum) return schema.enum.includes(value);
    return typesOf(schema).some((type) => isOf[type]?.(value));
}

/** What a form begins with: defaults, and "no" where yes or no must be said. */
export function defaultsOf(schema: JsonSchema | undefined): Record<string, unknown> {
    const values = Object.entries(schema?.properties ?? {}).flatMap(([name, one]) => {
        if (one.default !== undefined) return [[name, structuredClone(one.default)]];
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
 * as a whole.
 */
export function partsOf(schema: JsonSchema | undefined): JsonSchema | undefined {
    if (!schema?.properties) return undefined;
    const whole = ({ properties: _, required: _r, ...rest }: JsonSchema): JsonSchema => rest;
    return {
        type: "object",
        properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, one]) => [name, whole(one)]),
        ),
    };
}
