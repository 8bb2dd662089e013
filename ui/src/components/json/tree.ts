import { ExactNumber } from "@/data/json";

export type Kind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** One line of a value that is shown as a tree. */
export interface Line {
    path: string;
    depth: number;
    /** The key in an object, the index in an array; undefined for the whole value. */
    key: string | number | undefined;
    kind: Kind;
    value: unknown;
    /** How many members it has. */
    size: number;
    open: boolean;
}

export function kindOf(value: unknown): Kind {
    if (value === null || value === undefined) return "null";
    if (value instanceof ExactNumber) return "number";
    if (Array.isArray(value)) return "array";
    const type = typeof value;
    if (type === "object") return "object";
    return type === "string" || type === "boolean" ? type : "number";
}

const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");

export function membersOf(value: unknown): [string | number, unknown][] {
    const kind = kindOf(value);
    if (kind === "array") return (value as unknown[]).map((one, index) => [index, one]);
    if (kind === "object") return Object.entries(value as object);
    return [];
}

/** The lines of a value of which `isOpen` says what is open. */
export function linesOf(value: unknown, isOpen: (path: string, depth: number) => boolean): Line[] {
    const lines: Line[] = [];
    const add = (key: string | number | undefined, one: unknown, path: string, depth: number) => {
        const members = membersOf(one);
        const open = members.length > 0 && isOpen(path, depth);
        lines.push({ path, depth, key, kind: kindOf(one), value: one, size: members.length, open });
        if (!open) return;
        for (const [name, member] of members) {
            add(name, member, `${path}/${escaped(String(name))}`, depth + 1);
        }
    };
    add(undefined, value, "", 0);
    return lines;
}

/** Paths of keys and values with `text` in them, and of all that must be open to see them. */
export function search(value: unknown, text: string): { hits: Set<string>; open: Set<string> } {
    const hits = new Set<string>();
    const open = new Set<string>();
    const wanted = text.toLowerCase();
    const look = (key: string | number | undefined, one: unknown, path: string): boolean => {
        const members = membersOf(one);
        const own = members.length === 0 && String(one).toLowerCase().includes(wanted);
        const named = key !== undefined && String(key).toLowerCase().includes(wanted);
        if (own || named) hits.add(path);
        let below = false;
        for (const [name, member] of members) {
            if (look(name, member, `${path}/${escaped(String(name))}`)) below = true;
        }
        if (below) open.add(path);
        return own || named || below;
    };
    if (wanted) look(undefined, value, "");
    return { hits, open };
}
