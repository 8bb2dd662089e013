import { describe, expect, test } from "vitest";
import { coverageMarks, unionOf, waysOut } from "./marks";

const before = {
    name: "w",
    nodes: [
        { id: "a", type: "trigger" },
        { id: "b", type: "wait" },
        { id: "c", type: "end" },
    ],
    edges: [
        { from: "a", to: "b" },
        { from: "b", to: "c", handle: "timeout" },
    ],
};
const after = {
    name: "w",
    nodes: [
        { id: "a", type: "trigger" },
        { id: "d", type: "code" },
        { id: "c", type: "end" },
    ],
    edges: [
        { from: "a", to: "d" },
        { from: "d", to: "c" },
    ],
};

describe("marks of a graph", () => {
    test("show what is gone beside what is new", () => {
        const { definition, marks } = unionOf(before, after, {
            settings: [],
            nodes: { added: [{ id: "d" }], removed: [{ id: "b" }], changed: [{ id: "c" }] },
            edges: { added: after.edges, removed: before.edges },
        });
        expect(definition.nodes.map((node) => node.id)).toEqual(["a", "d", "c", "b"]);
        expect(definition.edges).toHaveLength(4);
        expect(marks).toMatchObject({ b: "removed", d: "added", c: "changed" });
        expect(marks["b:timeout:c"]).toBe("removed");
    });
    test("show what test cases reach", () => {
        const marks = coverageMarks({
            nodes: [
                { id: "a", visits: 2 },
                { id: "b", visits: 0 },
            ],
            edges: [{ from: "a", to: "b", handle: "default", taken: 0 }],
        });
        expect(marks).toEqual({ a: "reached", b: "missed", "a:default:b": "missed" });
    });
    test("ways out have their handles", () => {
        expect(waysOut(before, "b")).toEqual([{ handle: "timeout", to: "c" }]);
    });
});
