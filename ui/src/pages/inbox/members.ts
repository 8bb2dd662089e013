import type { JsonSchema } from "@/builder/handles";
import { ExactNumber } from "@/data/json";

type Members = Record<string, unknown>;

export const isObject = (value: unknown): value is Members =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** The schema of the answer; what it does not name is shown as what it is. */
export function membersOf(form: unknown, data: unknown): [string, JsonSchema][] | null {
    const schema = isObject(form) ? (form as JsonSchema) : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    // The database keeps no order of members; that of the required ones is the author's.
    const rank = ([name]: [string, JsonSchema]) => {
        const at = required.indexOf(name);
        return at < 0 ? required.length : at;
    };
    const named = Object.entries(schema.properties ?? {}).sort((a, b) => rank(a) - rank(b));
    // A field for numbers would round these, and show nothing.
    const exact = (key: string) => isObject(data) && data[key] instanceof ExactNumber;
    if (!isObject(data)) return named.length > 0 ? named : null;
    const rest = Object.entries(data)
        .filter(([key]) => !schema.properties?.[key])
        .map(([key, value]): [string, JsonSchema] => [
            key,
            isObject(value) || Array.isArray(value) ? {} : { type: typeof value },
        ]);
    const fields = named.map(([key, one]): [string, JsonSchema] => [key, exact(key) ? {} : one]);
    return [...fields, ...rest];
}
