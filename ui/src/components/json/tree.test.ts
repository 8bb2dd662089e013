import { describe, expect, it } from "vitest";
import { parseExact } from "@/data/json";
import { linesOf, search } from "./tree";

const value = parseExact('{"a":{"b":[1,{"c/d":9223372036854775807}]},"e":null}');

describe("linesOf", () => {
    it("shows what is open", () => {
        const lines = linesOf(value, (_path, depth) => depth < 1);
        expect(lines.map((line) => line.path)).toEqual(["", "/a", "/e"]);
        expect(lines[1]?.open).toBe(false);
        expect(lines[2]?.kind).toBe("null");
    });
    it("names members by JSON pointers", () => {
        const lines = linesOf(value, () => true);
        expect(lines.map((line) => line.path)).toContain("/a/b/1/c~1d");
        expect(String(lines.at(-2)?.value)).toBe("9223372036854775807");
    });
});

describe("search", () => {
    it("finds exact numbers, and opens the way to them", () => {
        const { hits, open } = search(value, "775807");
        expect([...hits]).toEqual(["/a/b/1/c~1d"]);
        expect([...open].sort()).toEqual(["", "/a", "/a/b", "/a/b/1"]);
    });
    it("finds nothing for no text", () => {
        expect(search(value, "").hits.size).toBe(0);
    });
});
