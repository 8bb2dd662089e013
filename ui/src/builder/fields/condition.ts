import { ExactNumber, formatJson, parseExact } from "@/data/json";
import type { Row } from "./RowsField";

/** All or any of the parts must hold, or none. */
export type Mode = "all" | "any" | "none";

export type Part =
    | { kind: "test"; test: Row }
    | { kind: "query"; query: Row }
    | { kind: "group"; group: Group };

/** A condition as people read it: parts that are compared, looked up, or groups themselves. */
export interface Group {
    mode: Mode;
    parts: Part[];
}

const simple = new Set(["path", "field", "operator", "value"]);
const asked = new Set(["table", "field", "operator", "value", "subject_field"]);
/** The server nests less deep; what is deeper is no form any more. */
const deepest = 8;

const isRow = (value: unknown): value is Row =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber);

const hasOnly = (row: Row, known: Set<string>) => Object.keys(row).every((key) => known.has(key));

function partOf(value: unknown, depth: number): Part | undefined {
    if (!isRow(value) || depth > deepest) return undefined;
    const [only, ...others] = Object.keys(value);
    if (only === "query" && others.length === 0) {
        const query = value.query;
        return isRow(query) && hasOnly(query, asked) ? { kind: "query", query } : undefined;
    }
    if (only === "all" || only === "any" || only === "not") {
        const group = groupOf(value, depth);
        return group && { kind: "group", group };
    }
    return hasOnly(value, simple) ? { kind: "test", test: value } : undefined;
}

function partsOf(values: unknown, depth: number): Part[] | undefined {
    if (!Array.isArray(values)) return undefined;
    const parts = values.map((one) => partOf(one, depth + 1)).filter((one) => one !== undefined);
    return parts.length === values.length ? parts : undefined;
}

/** A condition in parts; none: it says what no form can. */
export function groupOf(value: unknown, depth = 0): Group | undefined {
    if (!isRow(value) || depth > deepest) return undefined;
    const [only, ...others] = Object.keys(value);
    if (others.length === 0 && (only === "all" || only === "any")) {
        const parts = partsOf(value[only], depth);
        return parts && { mode: only, parts };
    }
    if (others.length === 0 && only === "not") {
        const inside = value.not;
        const any = isRow(inside) && Object.keys(inside).join() === "any" ? inside.any : [inside];
        const parts = partsOf(any, depth);
        return parts && { mode: "none", parts };
    }
    const part = partOf(value, depth + 1);
    return part && { mode: "all", parts: [part] };
}

function valueOfPart(part: Part): Row {
    if (part.kind === "test") return part.test;
    if (part.kind === "query") return { query: part.query };
    return listed(part.group);
}

function listed({ mode, parts }: Group): Row {
    const values = parts.map(valueOfPart);
    const [only] = values;
    if (mode !== "none") return { [mode]: values };
    return { not: values.length === 1 && only ? only : { any: values } };
}

/** As it is written: one comparison is a condition by itself. */
export function conditionOf(group: Group): Row {
    const [only] = group.parts;
    const alone = group.parts.length === 1 && group.mode !== "none";
    return only && alone && only.kind !== "group" ? valueOfPart(only) : listed(group);
}

/** What a column must be: `{tier: gold, total: {operator: ">", value: 5}}`, a row for each. */
export interface Column {
    name: string;
    operator: string;
    value: unknown;
}

export function columnsOf(value: unknown): Column[] | undefined {
    if (value === undefined) return [];
    if (!isRow(value)) return undefined;
    const rows = Object.entries(value).map(([name, one]) => {
        if (!isRow(one))
            return Array.isArray(one) ? undefined : { name, operator: "=", value: one };
        const fine = hasOnly(one, new Set(["operator", "value"])) && "operator" in one;
        return fine ? { name, operator: String(one.operator), value: one.value } : undefined;
    });
    return rows.some((one) => one === undefined) ? undefined : (rows as Column[]);
}

export function valueOfColumns(rows: Column[]): Row | undefined {
    if (rows.length === 0) return undefined;
    return Object.fromEntries(
        rows.map(({ name, operator, value }) => {
            if (bareOperators.has(operator)) return [name, { operator }];
            return [name, operator === "=" ? (value ?? "") : { operator, value: value ?? "" }];
        }),
    );
}

export const listOperators = new Set(["in", "not in", "not_in", "between"]);
export const bareOperators = new Set([
    "exists",
    "not exists",
    "not_exists",
    "is null",
    "is_null",
    "is not null",
    "is_not_null",
]);

/** A value as people write it: 100, true, gold; a list with commas. */
export function textOfValue(value: unknown): string {
    if (value === undefined || value === null) return "";
    if (Array.isArray(value)) return value.map(textOfValue).join(", ");
    if (typeof value === "string") return plain(value) === value ? value : formatJson(value);
    return value instanceof ExactNumber ? value.text : formatJson(value, 0);
}

function plain(text: string): unknown {
    if (/^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?|[[{"].*)$/.test(text)) {
        try {
            return parseExact(text);
        } catch {
            return text;
        }
    }
    return text;
}

export function valueOfText(text: string, operator: string): unknown {
    if (!listOperators.has(operator)) return plain(text);
    return text
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "")
        .map(plain);
}
