import { describe, expect, it } from "vitest";
import {
    addNode,
    canConnect,
    changeEdge,
    connect,
    copyNodes,
    type Draft,
    pasteNodes,
    reconnect,
    removeNodes,
    renameNode,
} from "./graph";
import { handlesOf } from "./handles";
import { draftOf } from "./layout";

const line = (): Draft =>
    draftOf(
        {
            name: "line",
            nodes: [
                { id: "begin", type: "trigger" },
                { id: "wait", type: "wait", config: { duration: "1h" } },
                { id: "send", type: "message", config: { text: "{{ steps.wait.result }}" } },
            ],
            edges: [
                { from: "begin", to: "wait" },
                { from: "wait", to: "send", handle: "default" },
            ],
        },
        null,
    );

describe("the graph of the builder", () => {
    it("puts a node into the middle of an edge", () => {
        const into = { from: "begin", to: "wait" };
        const { draft, id } = addNode(line(), {
            type: "split",
            config: {},
            at: { x: 0, y: 0 },
            into,
        });
        expect(id).toBe("split");
        expect(draft.definition.edges).toEqual([
            { from: "wait", to: "send", handle: "default" },
            { from: "begin", to: "split", handle: "default" },
            { from: "split", to: "wait", handle: "default" },
        ]);
    });
    it("heals what a removed node leaves", () => {
        const { definition, positions } = removeNodes(line(), ["wait"]);
        expect(definition.edges).toEqual([{ from: "begin", to: "send" }]);
        expect(Object.keys(positions)).toEqual(["begin", "send"]);
    });
    it("renames a node where templates speak of it", () => {
        const { definition } = renameNode(line(), "wait", "an_hour");
        expect(definition.nodes[2]?.config?.text).toBe("{{ steps.an_hour.result }}");
        expect(definition.edges[0]?.to).toBe("an_hour");
        expect(renameNode(line(), "wait", "send").definition.nodes[1]?.id).toBe("wait");
        expect(renameNode(line(), "wait", "no spaces").definition.nodes[1]?.id).toBe("wait");
    });
    it("pastes nodes under free names, with the edges between them", () => {
        const text = copyNodes(line(), ["wait", "send"]);
        const { draft, ids } = pasteNodes(line(), text);
        expect(ids).toEqual(["wait_2", "send_2"]);
        expect(draft.definition.edges.at(-1)).toEqual({
            from: "wait_2",
            to: "send_2",
            handle: "default",
        });
        expect(draft.definition.nodes.at(-1)?.config?.text).toBe("{{ steps.wait_2.result }}");
        expect(pasteNodes(line(), "hello").ids).toEqual([]);
    });
    it("connects what may be connected", () => {
        const draft = line();
        expect(canConnect(draft, { from: "send", handle: "default" }, "begin")).toBe(false);
        expect(canConnect(draft, { from: "send", handle: "default" }, "send")).toBe(false);
        expect(canConnect(draft, { from: "begin", handle: "default" }, "wait")).toBe(false);
        const back = connect(draft, { from: "send", handle: "skipped" }, "wait");
        expect(back.definition.edges).toHaveLength(3);
    });
    it("knows the ways out of a node from its config", () => {
        const split = {
            id: "s",
            type: "split",
            config: { variants: [{ name: "a" }, { name: "b" }] },
        };
        expect(handlesOf(split, undefined)).toEqual(["a", "b"]);
        const wait = { id: "w", type: "wait", config: { event: "paid", timeout: "1d" } };
        expect(handlesOf(wait, undefined)).toEqual(["default", "timeout"]);
        expect(handlesOf({ id: "e", type: "end" }, undefined)).toEqual([]);
    });
    it("keep the condition of an edge that is led elsewhere or divided", () => {
        const when = { path: "input.a", operator: "exists" };
        const edge = { from: "a", to: "b", handle: "default", when };
        const nodes = ["a", "b", "c"].map((id) => ({ id, type: "code" }));
        const draft: Draft = {
            definition: { name: "w", nodes, edges: [edge] },
            positions: {},
            notes: [],
        };
        const led = reconnect(draft, "a:default:b", { from: "a", handle: "error" }, "c");
        expect(led.definition.edges).toEqual([{ from: "a", to: "c", handle: "error", when }]);
        const added = { type: "code", config: {}, at: { x: 0, y: 0 }, into: edge };
        const edges = addNode(draft, added).draft.definition.edges;
        expect(edges.map((one) => one.when)).toEqual([when, undefined]);
        const free = changeEdge(draft, "a:default:b", { when: undefined });
        expect(free.definition.edges[0]).not.toHaveProperty("when");
    });
});
