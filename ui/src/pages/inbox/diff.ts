import { formatJson } from "@/data/json";

export interface Change {
    /** Which member; empty: the whole. */
    name: string;
    before: string;
    after: string;
}

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
    typeof value === "object" && value !== null && !Array.isArray(value);
const said = (value: unknown) =>
    value === undefined || value === null
        ? ""
        : typeof value === "string"
          ? value
          : formatJson(value);

/** What a person changed about what was suggested, member by member. */
export function changesOf(before: unknown, after: unknown): Change[] {
    if (isObject(before) && isObject(after)) {
        const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
        return names.flatMap((name) => {
            const old = said(before[name]);
            const now = said(after[name]);
            return old === now ? [] : [{ name, before: old, after: now }];
        });
    }
    const old = said(before);
    const now = said(after);
    return old === now ? [] : [{ name: "", before: old, after: now }];
}
