import { expect, test } from "vitest";
import { changesOf } from "./diff";

test("only what differs is a change", () => {
    expect(changesOf({ a: "x", b: 1, c: [1] }, { a: "y", b: 1, c: [1] })).toEqual([
        { name: "a", before: "x", after: "y" },
    ]);
    expect(changesOf({ a: "x" }, {})).toEqual([{ name: "a", before: "x", after: "" }]);
    expect(changesOf("x", "x")).toEqual([]);
    expect(changesOf(null, { a: 1 })).toEqual([{ name: "", before: "", after: '{\n  "a": 1\n}' }]);
});
