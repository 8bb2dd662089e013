import { describe, expect, it } from "vitest";
import type { ExactNumber } from "@/data/json";
import { conditionOf, rowsOf, textOfValue, valueOfText } from "./condition";
import { kindOf } from "./kinds";
import { fill, namesFor } from "./sample";

const values = {
    user: { first_name: "Ann", address: { city: "Bangkok" } },
    trigger: { items: "2 shirts", total: 5 },
    input: {},
    steps: { pay: { result: { id: 7 } } },
};

describe("templates", () => {
    it("are filled from the sample", () => {
        expect(fill("Hi {{ user.first_name }}, {{trigger.total}}", values)).toBe("Hi Ann, 5");
        expect(fill('{{ user.nick | default: "friend" }}', values)).toBe("friend");
        expect(fill("{{ user.nick }}", values)).toBe("⟨user.nick⟩");
        expect(fill("{{ user.constructor.name }}", values)).toBe("⟨user.constructor.name⟩");
        expect(fill("{{ steps.pay.result }}", values)).toBe('{"id":7}');
    });
    it("know what can be said", () => {
        const names = namesFor(values, ["pay", "later"]);
        expect(names).toContain("user.address.city");
        expect(names).toContain("trigger.items");
        expect(names).toContain("steps.pay.result.id");
        expect(names).toContain("steps.later.result");
    });
});

describe("conditions as rows", () => {
    const row = { path: "a", operator: "=", value: 1 };
    it("are one row, or all or any of several", () => {
        expect(rowsOf(row)).toEqual({ mode: "all", rows: [row] });
        expect(rowsOf({ any: [row, row] })).toEqual({ mode: "any", rows: [row, row] });
        expect(conditionOf({ mode: "any", rows: [row] })).toEqual(row);
        expect(conditionOf({ mode: "any", rows: [row, row] })).toEqual({ any: [row, row] });
    });
    it("are left alone when they say more", () => {
        expect(rowsOf({ not: row })).toBeUndefined();
        expect(rowsOf({ all: [row, { any: [row] }] })).toBeUndefined();
        expect(rowsOf({ all: [row], any: [row] })).toBeUndefined();
    });
    it("keep what a value is", () => {
        for (const value of [1, 1.5, true, "gold", "1", "true", null, [1, "a"]]) {
            const operator = Array.isArray(value) ? "in" : "=";
            const read = valueOfText(textOfValue(value), operator);
            expect(read).toEqual(value === null ? "" : value);
        }
        const big = valueOfText("9007199254740993", "=");
        expect((big as ExactNumber).text).toBe("9007199254740993");
        expect(valueOfText("1, 2", "between")).toEqual([1, 2]);
    });
});

describe("kinds of settings", () => {
    it("follow the schema and what is there", () => {
        expect(kindOf("channel", { enum: ["a"] }, undefined)).toBe("choice");
        expect(kindOf("timeout", { anyOf: [{ type: "string" }, { type: "number" }] }, "1h")).toBe(
            "duration",
        );
        expect(kindOf("approvers", { anyOf: [{ type: "array" }, { type: "string" }] }, ["a"])).toBe(
            "texts",
        );
        const rows = { type: "array", items: { properties: { to: { type: "string" } } } };
        expect(kindOf("escalate", rows, undefined)).toBe("rows");
        expect(kindOf("headers", { type: "object" }, undefined)).toBe("values");
        expect(kindOf("value", {}, { deep: 1 })).toBe("values");
        expect(kindOf("retry", { type: "object", properties: {} }, undefined)).toBe("object");
    });
});
