import { ExactNumber } from "@/data/json";
import type { JsonSchema } from "../handles";
import { readNumber } from "./values";

/** What a statement is that the owner of the database registered. */
export interface Action {
    name: string;
    params: string[];
    schema: JsonSchema | null;
    own: boolean;
}

/** The params that a step must give, and what is known of each. */
export function paramsOf(action: Action): [string, JsonSchema][] {
    return action.params.map((name) => [name, action.schema?.properties?.[name] ?? {}]);
}

export const isTemplate = (value: unknown) => typeof value === "string" && value.includes("{{");

const typesOf = (schema: JsonSchema) => [schema.type ?? []].flat();

/** How a param is edited; what a template gives is known only later. */
export function paramKind(schema: JsonSchema, value: unknown): "choice" | "switch" | "text" {
    if (isTemplate(value)) return "text";
    if (schema.enum) return "choice";
    return typesOf(schema).length === 1 && typesOf(schema)[0] === "boolean" ? "switch" : "text";
}

/**
 * What was typed: text where the schema wants text, otherwise a number where it is one. Nothing is
 * rounded: a number that JavaScript cannot hold is sent as it is written where the schema asks for
 * one, and is text where nothing is known.
 */
export function paramOf(schema: JsonSchema, text: string): unknown {
    const types = typesOf(schema);
    if (types.length === 1 && types[0] === "string") return text;
    const number = readNumber(text);
    if (number === undefined || /^-?\.|\.$/.test(text)) return text;
    const asked = types.includes("number") || types.includes("integer");
    return number instanceof ExactNumber && !asked ? text : number;
}

/** The smallest and the largest value, for people. */
export function rangeOf({ minimum, maximum }: JsonSchema): string {
    if (minimum !== undefined && maximum !== undefined) return `${minimum} – ${maximum}`;
    if (minimum !== undefined) return `≥ ${minimum}`;
    return maximum === undefined ? "" : `≤ ${maximum}`;
}
