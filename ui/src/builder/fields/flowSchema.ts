import type { JsonSchema } from "../handles";

const most = 1_000_000;
const duration: JsonSchema = { type: "string" };
const shared: Record<string, JsonSchema> = {
    key: { type: "string", examples: ["{{ customer }}"] },
    scope: { enum: ["workflow", "tenant", "global"], default: "workflow" },
    name: { type: "string" },
};
const count = (minimum: number, maximum: number): JsonSchema => ({
    type: "integer",
    minimum,
    maximum,
});
const part = (required: string[], properties: Record<string, JsonSchema>): JsonSchema => ({
    type: "object",
    required,
    properties,
});

const concurrency = part(["limit"], { limit: count(1, most), ...shared });

/** How many runs are under way at once, and how fast they begin, as src/api/definition has it. */
export const flowSchema: JsonSchema = part([], {
    concurrency: { anyOf: [concurrency, { type: "array", items: concurrency }] },
    while_waiting: { enum: ["hold", "free"], default: "hold" },
    rate: part(["limit", "per"], {
        limit: count(1, most),
        per: duration,
        burst: count(1, most),
        over: { enum: ["wait", "drop"], default: "wait" },
        ...shared,
    }),
    debounce: part(["period"], { key: shared.key!, period: duration, max_wait: duration }),
    batch: part(["size", "max_wait"], {
        key: shared.key!,
        size: count(2, 1000),
        max_wait: duration,
    }),
});
