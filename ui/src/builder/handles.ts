import type { Schemas } from "@/data/api";
import { channelName } from "@/words/channels";
import type { GraphNode } from "./graph";

export type NodeType = Schemas["NodeType"] & {
    title: string;
    description: string;
    handles?: string[];
    schema: JsonSchema;
    example?: { config?: Record<string, unknown> };
};

export interface JsonSchema {
    type?: string | string[];
    title?: string;
    description?: string;
    properties?: Record<string, JsonSchema>;
    required?: string[];
    enum?: unknown[];
    const?: unknown;
    default?: unknown;
    examples?: unknown[];
    anyOf?: JsonSchema[];
    items?: JsonSchema;
    minimum?: number;
    maximum?: number;
    minLength?: number;
    pattern?: string;
    [key: string]: unknown;
}

const texts = (list: unknown, key: string): string[] =>
    Array.isArray(list)
        ? list
              .map((one) => (one as Record<string, unknown> | null)?.[key])
              .filter((name): name is string => typeof name === "string" && name !== "")
        : [];

/** The ways out of a node, in the order in which they are drawn. */
export function handlesOf(node: GraphNode, type: NodeType | undefined): string[] {
    const config = node.config ?? {};
    const unique = (names: string[]) => [...new Set(names)];
    if (node.type === "split") return unique(texts(config.variants, "name"));
    if (node.type === "switch") return unique([...texts(config.cases, "handle"), "default"]);
    if (node.type === "agent" && Array.isArray(config.decide)) {
        return unique([...config.decide.map(String), "error"]);
    }
    if (node.type === "wait") {
        const named = texts(config.events, "handle");
        const waits = config.event || config.events || config.signal;
        const late = waits && config.timeout ? ["timeout"] : [];
        return unique([...(named.length > 0 ? named : ["default"]), ...late]);
    }
    if (node.type === "end" || node.type === "exit") return [];
    return type?.handles && type.handles.length > 0 ? type.handles : ["default", "error"];
}

const common = ["name", "type", "timeout", "on_failure", "retry", "compensate", "disabled"];

/** What the form of a node edits: the schema of its config. */
export function configSchema(type: NodeType): JsonSchema {
    const properties = type.schema.properties ?? {};
    if (properties.config) return properties.config;
    if (properties.wait) return properties.wait.anyOf?.find((one) => one.properties) ?? {};
    const own = Object.entries(properties).filter(([key]) => !common.includes(key));
    const required = (type.schema.required ?? []).filter((key) => !common.includes(key));
    // The log and the API call the function of a code step by this name.
    const name = (key: string) => (type.type === "code" && key === "code" ? "function" : key);
    return {
        type: "object",
        properties: Object.fromEntries(own.map(([key, schema]) => [name(key), schema])),
        required: required.map(name),
    };
}

/** A question to the database, or the first of several comparisons. */
export function questionOf(condition: unknown): string {
    if (typeof condition !== "object" || condition === null) return "";
    const row = condition as Record<string, unknown>;
    if (Array.isArray(row.all) || Array.isArray(row.any)) {
        const [one, ...others] = (row.all ?? row.any) as unknown[];
        return [questionOf(one), others.length > 0 ? `+${others.length}` : ""].join(" ").trim();
    }
    if (row.not !== undefined) return `not ${questionOf(row.not)}`;
    const asked = (row.query ?? row) as Record<string, unknown>;
    const what = [asked.table, asked.field ?? asked.path].filter(Boolean).join(".");
    const value = asked.value === undefined ? "" : JSON.stringify(asked.value);
    return [what, asked.operator ?? "=", value].filter(Boolean).join(" ");
}

const channelOf = (channel: unknown) => (typeof channel === "string" ? channelName(channel) : "");

/** One line that says what a node does. */
export function summaryOf(node: GraphNode): string {
    const c = node.config ?? {};
    const first = (...keys: string[]) =>
        keys.map((key) => c[key]).find((v) => typeof v === "string" && v !== "") as
            | string
            | undefined;
    switch (node.type) {
        case "message": {
            const texts = (c.messages as { text?: string }[] | undefined)?.[0]?.text;
            return [channelOf(c.channel), first("template", "subject", "text", "title") ?? texts]
                .filter(Boolean)
                .join(" · ");
        }
        case "wait":
            return [first("duration", "until", "local_time", "event", "signal", "date") ?? ""].join(
                "",
            );
        case "condition": {
            const value = c.value === undefined ? "" : JSON.stringify(c.value);
            const path = first("path", "field");
            return path ? `${path} ${c.operator ?? "="} ${value}` : questionOf(c);
        }
        case "split":
            return texts(c.variants, "name").join(" / ");
        case "http":
        case "api_call":
            return [c.method ?? "GET", first("url")].filter(Boolean).join(" ");
        default:
            return (
                first(
                    "title",
                    "action",
                    "function",
                    "workflow",
                    "event",
                    "statement",
                    "jq",
                    "key",
                ) ??
                first("reason", "instructions") ??
                ""
            );
    }
}
