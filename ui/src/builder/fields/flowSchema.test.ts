import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { JsonSchema } from "../handles";
import { settingWordsIn } from "../settingWords";
import { flowSchema } from "./flowSchema";
import { kindOf } from "./kinds";

const file = new URL("../../../../src/api/definition/parts.yaml", import.meta.url);
const parts = parse(readFileSync(file, "utf8")).$defs as Record<string, JsonSchema>;
const limits = ["concurrency", "rate", "debounce", "batch"] as const;

/** A limit may be one or a list. */
const one = (name: string): JsonSchema => {
    const schema = flowSchema.properties![name]!;
    return schema.anyOf?.[0] ?? schema;
};

describe("limits of a workflow", () => {
    test("have the settings that the server knows", () => {
        expect(Object.keys(flowSchema.properties!)).toEqual(Object.keys(parts.flow!.properties!));
        for (const name of limits) {
            const known = parts[name]!;
            expect(one(name).required).toEqual(known.required);
            expect(Object.keys(one(name).properties!).sort()).toEqual(
                Object.keys(known.properties!).sort(),
            );
            for (const [key, schema] of Object.entries(one(name).properties!)) {
                const said = known.properties![key]!;
                expect(schema.enum).toEqual(said.enum);
                expect([schema.minimum, schema.maximum]).toEqual([said.minimum, said.maximum]);
                if (String(said.$ref).endsWith("duration")) {
                    expect(kindOf(key, schema, undefined)).toBe("duration");
                }
            }
        }
    });
    test("have names in Thai", () => {
        const { label, choice } = settingWordsIn("th");
        const names = ["flow", "while_waiting", ...limits].concat(
            limits.flatMap((name) => Object.keys(one(name).properties!)),
        );
        const words = ["hold", "free", "workflow", "tenant", "global", "wait", "drop"];
        for (const said of [...names.map(label), ...words.map(choice)]) {
            expect(said).toMatch(/[\u0e00-\u0e7f]/);
        }
    });
});
