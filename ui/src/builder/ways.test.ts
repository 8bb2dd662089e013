import { describe, expect, it } from "vitest";
import type { GraphNode } from "./graph";
import { changeNode, followWays } from "./ways";

const split = (...names: string[]): GraphNode => ({
    id: "s",
    type: "split",
    config: { variants: names.map((name) => ({ name, share: 1 })) },
});
const edges = [
    { from: "s", to: "x", handle: "a" },
    { from: "s", to: "y", handle: "b" },
    { from: "other", to: "x", handle: "a" },
];
const handles = (list: { handle?: string }[]) => list.map((one) => one.handle);

describe("edges of a way that gets another name", () => {
    it("get it too, and no others", () => {
        const next = followWays(edges, split("a", "b"), split("first", "b"));
        expect(handles(next)).toEqual(["first", "b", "a"]);
    });
    it("stay where one is added, removed or moved, or its share changes", () => {
        for (const after of [split("a"), split("b"), split("a", "b", "c"), split("b", "a")]) {
            expect(followWays(edges, split("a", "b"), after)).toBe(edges);
        }
        expect(followWays(edges, split("a", "b"), split("a", "b"))).toBe(edges);
    });
    it("stay with the other case of a switch that leaves by it", () => {
        const cases = (...names: string[]): GraphNode => ({
            id: "s",
            type: "switch",
            config: { cases: names.map((handle) => ({ handle })) },
        });
        expect(followWays(edges, cases("a", "a"), cases("a", "c"))).toBe(edges);
        expect(handles(followWays(edges, cases("a", "b"), cases("c", "b")))[0]).toBe("c");
    });
    it("become one where both lead to the same step", () => {
        const two = [edges[0]!, { from: "s", to: "x", handle: "b" }];
        expect(followWays(two, split("a", "b"), split("b", "b"))).toEqual([two[1]]);
    });
    it("keep their conditions, as decisions and events do", () => {
        const agent = (...decide: string[]): GraphNode => ({
            id: "s",
            type: "agent",
            config: { decide },
        });
        const when = { path: "input.a", operator: "exists" };
        const one = [{ ...edges[0]!, when }];
        expect(followWays(one, agent("a", "b"), agent("calm", "b"))).toEqual([
            { from: "s", to: "x", handle: "calm", when },
        ]);
        const wait = (handle?: string): GraphNode => ({
            id: "s",
            type: "wait",
            config: { events: [{ event: "e", ...(handle ? { handle } : {}) }] },
        });
        const usual = [{ from: "s", to: "x" }];
        expect(handles(followWays(usual, wait(), wait("paid")))).toEqual(["paid"]);
    });
    it("are part of the same change of the draft", () => {
        const definition = { name: "w", nodes: [split("a", "b")], edges };
        const draft = { definition, positions: {}, notes: [] };
        const next = changeNode(draft, "s", { config: split("first", "b").config! });
        expect(handles(next.definition.edges)).toEqual(["first", "b", "a"]);
        expect(changeNode(draft, "s", { disabled: true }).definition.edges).toBe(edges);
    });
});
