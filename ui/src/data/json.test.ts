import { describe, expect, it } from "vitest";
import { ExactNumber, formatJson, parseExact } from "./json";

describe("parseExact", () => {
    it("keeps integers beyond 2^53", () => {
        const text = '{"id":9223372036854775807,"small":42}';
        const value = parseExact(text) as { id: ExactNumber; small: number };
        expect(value.id).toBeInstanceOf(ExactNumber);
        expect(value.id.text).toBe("9223372036854775807");
        expect(value.small).toBe(42);
        expect(formatJson(value, 0)).toBe(text);
    });
    it("keeps long decimals, and leaves short ones alone", () => {
        expect(String(parseExact("0.12345678901234567890"))).toBe("0.12345678901234567890");
        expect(parseExact("1.10")).toBe(1.1);
        expect(parseExact("1e3")).toBe(1000);
        expect(parseExact("-0.1")).toBe(-0.1);
    });
    it("takes 2^53 itself, and an empty answer", () => {
        expect(parseExact("9007199254740992")).toBe(9007199254740992);
        expect(parseExact("")).toBeUndefined();
    });
});
