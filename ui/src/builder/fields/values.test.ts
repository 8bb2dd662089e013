import { describe, expect, it } from "vitest";
import { ExactNumber } from "@/data/json";
import { kindOf } from "./kinds";
import { choiceOf, choicesOf, readNumber } from "./values";

describe("values of a form", () => {
    it("reads a number that is being typed", () => {
        const typed = [5, "1.", "1.0", "-", "", ".", ".5", "-.5", "-0.50"];
        expect(typed.map(readNumber)).toEqual([
            5,
            1,
            1,
            undefined,
            undefined,
            undefined,
            0.5,
            -0.5,
            -0.5,
        ]);
        const long = "9223372036854775807";
        expect(readNumber(long)).toEqual(new ExactNumber(long));
        expect(kindOf("", { type: "integer" }, new ExactNumber(long))).toBe("number");
    });
    it("names each choice once, whatever it is", () => {
        const values = ["a", 3, "3", "a", "", null, "null", true, { b: 1 }, "<img>"];
        const choices = choicesOf(values);
        expect([...choices.keys()]).toEqual([
            "a",
            "3",
            '"3"',
            '""',
            "null",
            '"null"',
            "true",
            '{"b":1}',
            "<img>",
        ]);
        for (const value of values) {
            expect(choices.get(choiceOf(choices, value) ?? "none")).toEqual(value);
        }
        expect(choiceOf(choices, undefined)).toBeNull();
    });
});
