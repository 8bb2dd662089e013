import { describe, expect, it } from "vitest";
import { ExactNumber } from "@/data/json";
import { asFields, defaultsOf, fits, isTyped, partsOf } from "./schema";

describe("a schema as fields", () => {
    it("says what a form can show, whatever is written", () => {
        expect(
            asFields({
                type: ["object", "null"],
                required: ["a", 5],
                properties: {
                    a: { type: ["string", "null"], title: "A", format: "date" },
                    b: { const: "x" },
                    c: true,
                    d: { type: "array", items: { type: ["integer"] } },
                },
            }),
        ).toEqual({
            type: "object",
            required: ["a", "5"],
            properties: {
                a: { type: "string", title: "A", format: "date" },
                b: { const: "x", enum: ["x"] },
                c: {},
                d: { type: "array", items: { type: "integer" } },
            },
        });
        for (const strange of [undefined, null, true, [], "x"])
            expect(asFields(strange)).toEqual({});
    });
    it("shows a value only in a field that can hold it", () => {
        expect(fits({ type: "integer" }, 5)).toBe(true);
        expect(fits({ type: "integer" }, "5")).toBe(false);
        expect(fits({ type: "integer" }, new ExactNumber("9223372036854775807"))).toBe(false);
        expect(fits({ enum: ["a"] }, "b")).toBe(false);
        expect(fits({ type: "object" }, [])).toBe(false);
        expect(fits({ type: "string" }, undefined)).toBe(true);
        expect(isTyped({ examples: ["a"] })).toBe(false);
    });
    it("begins with defaults, and with no where yes or no must be said", () => {
        const schema = asFields({
            required: ["sure", "plan"],
            properties: {
                plan: { enum: ["pro", "free"], default: "free" },
                sure: { type: "boolean" },
                maybe: { type: "boolean" },
                order: { properties: { count: { type: "integer", default: 1 }, id: {} } },
                empty: { properties: { id: {} } },
            },
        });
        expect(defaultsOf(schema)).toEqual({ plan: "free", sure: false, order: { count: 1 } });
        expect(defaultsOf(undefined)).toEqual({});
    });
    it("replaces members of an input as a whole, and needs none", () => {
        const order = { type: "object", properties: { id: {} }, required: ["id"], title: "Order" };
        const schema = { type: "object", required: ["order"], properties: { order } };
        expect(partsOf(schema)).toEqual({
            type: "object",
            properties: { order: { type: "object", title: "Order" } },
        });
        expect(partsOf(undefined)).toBeUndefined();
    });
});
