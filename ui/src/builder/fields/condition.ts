import { ExactNumber, formatJson, parseExact } from "@/data/json";
import type { Row } from "./RowsField";

/** A condition as rows: all or any of them must hold. */
export interface Rows {
    mode: "all" | "any";
    rows: Row[];
}

const simple = new Set(["path", "field", "operator", "value"]);

const isSimple = (value: unknown): value is Row =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).every((key) => simple.has(key));

/** The rows of a condition; none: it says more than rows can. */
export function rowsOf(config: Row): Rows | undefined {
    const keys = Object.keys(config);
    for (const mode of ["all", "any"] as const) {
        const list = config[mode];
        if (list === undefined) continue;
        const fine = keys.length === 1 && Array.isArray(list) && list.every(isSimple);
        return fine ? { mode, rows: list as Row[] } : undefined;
    }
    return isSimple(config) ? { mode: "all", rows: [config] } : undefined;
}

/** One row is a condition by itself. */
export function conditionOf({ mode, rows }: Rows): Row {
    const [only] = rows;
    return rows.length === 1 && only ? only : { [mode]: rows };
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
