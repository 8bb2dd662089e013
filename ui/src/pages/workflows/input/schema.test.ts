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
    it("leaves out what is not what it should be, as in a text that is being written", () => {
        const strange = {
            title: { a: 1 },
            description: ["x"],
            examples: "x",
            format: 5,
            minimum: "x",
            maximum: {},
            enum: "gold",
            default: { a: 1 },
        };
        expect(asFields({ properties: { a: strange } })).toEqual({
            properties: { a: { default: { a: 1 } } },
        });
        expect(asFields({ title: 5, minimum: 1, examples: [1] })).toEqual({
            title: "5",
            minimum: 1,
            examples: [1],
        });
    });
    it("shows a value only in a field that can hold it", () => {
        expect(fits({ type: "integer" }, 5)).toBe(true);
        expect(fits({ type: "integer" }, "5")).toBe(false);
        const big = new ExactNumber("9223372036854775807");
        expect(fits({ type: "integer" }, big)).toBe(true);
        expect(fits({ type: "string" }, big)).toBe(false);
        expect(fits({ enum: ["a"] }, "b")).toBe(false);
        expect(fits({ enum: [{ a: 1 }, big] }, new ExactNumber(big.text))).toBe(true);
        expect(fits({ enum: [3] }, "3")).toBe(false);
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
        const big = new ExactNumber("9223372036854775807");
        expect(defaultsOf({ properties: { id: { default: big } } }).id).toBeInstanceOf(ExactNumber);
    });
    it("replaces members of an input as a whole, and needs none", () => {
        const order = { type: "object", properties: { id: {} }, required: ["id"], title: "Order" };
        const schema = { type: "object", required: ["order"], properties: { at: {}, order } };
        expect(partsOf(schema)).toEqual({
            type: "object",
            properties: { at: {}, order: { type: "object", title: "Order" } },
            "x-order": ["order", "at"],
        });
        expect(partsOf(undefined)).toBeUndefined();
    });
});
