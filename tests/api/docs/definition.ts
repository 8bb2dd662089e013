// The tables of docs/definition.md, made of what `pawl schema` prints:
//
//   node build/api/docs/definition.js --write     brings the page up to date
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { source } from "../support/paths.js";
import { pawlCommand } from "../support/process.js";

export interface Schema {
    $ref?: string;
    $defs?: Record<string, Schema>;
    type?: string | string[];
    title?: string;
    description?: string;
    default?: unknown;
    examples?: unknown[];
    enum?: string[];
    items?: Schema;
    anyOf?: Schema[];
    minimum?: number;
    maximum?: number;
    properties?: Record<string, Schema>;
    required?: string[];
    /** Of a type of node: what its config must have. */
    "x-needed"?: string[];
}

export async function readSchema(): Promise<Schema> {
    return JSON.parse(await pawlCommand(["schema"], {})) as Schema;
}

const page = `${source}docs/definition.md`;
const words: Record<string, string> = {
    string: "text",
    integer: "whole number",
    boolean: "true or false",
    array: "list",
    object: "map",
};

function wordOf(type: string, schema: Schema): string {
    const word = words[type] ?? type;
    const range = schema.minimum !== undefined && schema.maximum !== undefined;
    return range && /integer|number/.test(type)
        ? `${word} from ${schema.minimum} to ${schema.maximum}`
        : word;
}

function typeOf(schema: Schema): string {
    const part = schema.$ref?.replace("#/$defs/", "");
    if (part === "duration" || part === "template_duration") return "duration";
    if (part) return `[${part}](#${anchorOf(part)})`;
    if (schema.enum) {
        return schema.enum
            .filter(
                (word) => !word.includes("_") || !schema.enum!.includes(word.replace(/_/g, " ")),
            )
            .map((word) => `\`${word}\``)
            .join(", ");
    }
    const types = [schema.type ?? []].flat();
    if (schema.items?.$ref) return `list of ${typeOf(schema.items)}`;
    if (types.length > 0) return types.map((type) => wordOf(type, schema)).join(" or ");
    if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
    return "any";
}

/** As a definition has it, on one line. */
function written(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
    if (value !== null && typeof value === "object") {
        const members = Object.entries(value).map(([key, one]) => `${key}: ${written(one)}`);
        return `{${members.join(", ")}}`;
    }
    if (typeof value !== "string") return JSON.stringify(value);
    return /^[A-Za-z][\w.@/ -]*$|^[0-9]+[a-z]+$/.test(value) ? value : JSON.stringify(value);
}

const titles: Record<string, string> = {};
const anchorOf = (part: string): string =>
    (titles[part] ?? part).toLowerCase().replaceAll("`", "").replaceAll(" ", "-");
const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();

function tableOf(part: Schema): string {
    const rows = Object.entries(part.properties ?? {}).map(([key, one]) => {
        const usual = one.default === undefined ? "" : `\`${written(one.default)}\``;
        const must = part.required ?? part["x-needed"] ?? [];
        const needed = must.includes(key) ? "required" : usual;
        const example = `\`${key}: ${written(one.examples?.[0])}\``;
        const cells = [`\`${key}\``, typeOf(one), needed, example, one.description ?? ""];
        return `| ${cells.map(cell).join(" | ")} |`;
    });
    const head = "| key | type | default | example | meaning |\n|---|---|---|---|---|\n";
    return rows.length === 0 ? "It has no keys of its own.\n" : `${head}${rows.join("\n")}\n`;
}

/** The page, with the tables as the schema says. */
export function definitionPage(schema: Schema): string {
    const parts = Object.entries(schema.$defs ?? {}).filter(([, part]) => part.properties);
    for (const [name, part] of parts) {
        titles[name] = name.startsWith("type_") ? name.slice(5) : (part.title ?? name);
    }
    const isType = ([name]: [string, Schema]): boolean => name.startsWith("type_");
    const order = [
        "node",
        "edge",
        "trigger",
        "exit_on",
        "retry",
        "retry_rule",
        "condition",
        "query",
    ];
    const place = (name: string): number => (order.indexOf(name) + 100) % 100;
    const others = parts.filter((part) => !isType(part));
    others.sort(([a], [b]) => place(a) - place(b));
    let text = `## The workflow\n\n${tableOf(schema)}\n`;
    for (const [name, part] of others) text += `## ${titles[name]}\n\n${tableOf(part)}\n`;
    text += "## Types of nodes\n\nThe keys of each type, under `config` or under its name.\n\n";
    for (const [name, part] of parts.filter(isType)) {
        text += `### \`${titles[name]}\`\n\n${part.description}\n\n${tableOf(part)}\n`;
    }
    const head = readFileSync(page, "utf8").split("<!-- made of `pawl schema` -->")[0]!;
    return `${head}<!-- made of \`pawl schema\` -->\n\n${text.trimEnd()}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    const made = definitionPage(await readSchema());
    if (process.argv.includes("--write")) writeFileSync(page, made);
    else process.stdout.write(made);
}
