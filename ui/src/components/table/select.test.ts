import { describe, expect, test } from "vitest";
import { extended, flip, present, span } from "./select";

const keys = ["a", "b", "c", "d", "e"];
const sorted = (set: ReadonlySet<string>) => [...set].sort().join("");

describe("selection of rows", () => {
    test("a row is taken and left", () => {
        const one = flip(undefined, "b");
        expect(sorted(one)).toBe("b");
        expect(sorted(flip(one, "b"))).toBe("");
        expect(sorted(one)).toBe("b");
    });

    test("a span goes both ways and keeps what was selected beside it", () => {
        expect(sorted(span(new Set(["b"]), keys, "b", "d"))).toBe("bcd");
        expect(sorted(span(new Set(["d", "a"]), keys, "d", "b"))).toBe("abcd");
    });

    test("a span from a row that was left leaves the others, too", () => {
        expect(sorted(span(new Set(["a", "c", "d", "e"]), keys, "b", "d"))).toBe("ae");
    });

    test("without an anchor in the list one row is selected", () => {
        expect(sorted(span(undefined, keys, undefined, "c"))).toBe("c");
        expect(sorted(span(new Set(["gone"]), keys, "gone", "c"))).toBe("cgone");
    });

    test("the end of a span moves on, back, and over the anchor", () => {
        const on = extended(new Set(["b"]), keys, "b", "b", "d");
        expect(sorted(on)).toBe("bcd");
        const back = extended(on, keys, "b", "d", "c");
        expect(sorted(back)).toBe("bc");
        expect(sorted(extended(back, keys, "b", "c", "a"))).toBe("ab");
    });

    test("rows that left the list are not present", () => {
        expect(present(new Set(["d", "gone", "a"]), keys)).toEqual(["a", "d"]);
    });
});
