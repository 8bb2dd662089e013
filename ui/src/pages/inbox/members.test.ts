import { describe, expect, it } from "vitest";
import { parseExact } from "@/data/json";
import { membersOf } from "./members";

const form = {
    type: "object",
    required: ["text", "order"],
    properties: {
        amount: { type: "integer" },
        order: { type: "integer" },
        text: { type: "string" },
    },
};

describe("membersOf", () => {
    it("has the required ones first, then what the form does not name", () => {
        const members = membersOf(form, { text: "x", more: true, list: [1] });
        expect(members).toEqual([
            ["text", { type: "string" }],
            ["order", { type: "integer" }],
            ["amount", { type: "integer" }],
            ["more", { type: "boolean" }],
            ["list", { type: "array" }],
        ]);
    });
    it("has them as x-order names them, then the required ones", () => {
        const ordered = { ...form, "x-order": ["amount", 5, "gone", "order"] };
        expect(membersOf(ordered, undefined)?.map(([name]) => name)).toEqual([
            "amount",
            "order",
            "text",
        ]);
        const strange = { ...form, "x-order": "amount" };
        expect(membersOf(strange, undefined)?.map(([name]) => name)).toEqual([
            "text",
            "order",
            "amount",
        ]);
    });
    it("takes a number that would be rounded as it is written", () => {
        const data = parseExact('{"order": 9223372036854775807, "amount": 5}');
        const members = Object.fromEntries(membersOf(form, data) ?? []);
        expect(members["order"]).toEqual({});
        expect(members["amount"]).toEqual({ type: "integer" });
    });
    it("asks for what is null, or has an odd name, too", () => {
        const data = JSON.parse('{"none": null, "__proto__": "x"}') as object;
        expect(membersOf(form, data)?.slice(3)).toEqual([
            ["none", {}],
            ["__proto__", { type: "string" }],
        ]);
    });
    it("has no members without a form for what is no object", () => {
        expect(membersOf(undefined, [1])).toBeNull();
    });
});
