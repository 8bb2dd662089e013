import { describe, expect, it } from "vitest";
import { fieldsOf, inputKinds, kindOfInput, schemaOf, withKind } from "./inputFields";

describe("the parts of an input", () => {
    it("are read and written without a loss", () => {
        const schema = {
            type: "object",
            additionalProperties: false,
            required: ["plan"],
            properties: {
                plan: { enum: ["pro", "free"], title: "Plan" },
                seats: { type: "integer", minimum: 1, multipleOf: 2 },
            },
        };
        expect(schemaOf(schema, fieldsOf(schema) ?? [])).toEqual(schema);
        const [plan, seats] = fieldsOf(schema)!;
        expect(plan?.required).toBe(true);
        expect(schemaOf(schema, [{ ...plan!, required: false }, seats!])).not.toHaveProperty(
            "required",
        );
    });
    it("keep what is asked for and not described", () => {
        const [amount] = fieldsOf({ properties: { amount: { type: "number" } } })!;
        expect(schemaOf({ required: ["plan"] }, [amount!]).required).toEqual(["plan"]);
        const asked = [{ ...amount!, required: true }];
        expect(schemaOf({ required: ["plan"] }, asked).required).toEqual(["amount", "plan"]);
    });
    it("are none where a list of fields would lose what is said", () => {
        for (const strange of [true, [], "x", { type: "array" }, { properties: { a: true } }]) {
            expect(fieldsOf(strange)).toBeUndefined();
        }
        expect(fieldsOf(undefined)).toEqual([]);
    });
    it("change their kind and keep their words", () => {
        const schema = { type: "integer", minimum: 1, title: "Seats", description: "How many" };
        for (const kind of inputKinds) {
            const next = withKind(schema, kind);
            expect(kindOfInput(next)).toBe(kind);
            expect(next).toMatchObject({ title: "Seats", description: "How many" });
            expect(next).not.toHaveProperty("minimum");
        }
        expect(kindOfInput({ type: ["string", "null"] })).toBe("any");
        expect(kindOfInput({ type: "string", format: "time" })).toBe("any");
    });
    it("are shown as JSON while they are no schema", () => {
        for (const part of [{ enum: "gold" }, { title: {} }, { description: [] }, { items: [] }]) {
            expect(kindOfInput({ type: "string", ...part } as never)).toBe("any");
        }
    });
});
