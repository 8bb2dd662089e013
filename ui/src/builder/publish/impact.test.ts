import { describe, expect, it } from "vitest";
import { changesOf, migrationOf, successors, toStep } from "./impact";

const before = {
    name: "x",
    nodes: [
        { id: "begin", type: "trigger" },
        { id: "rest", type: "wait", config: { duration: "1d" } },
        { id: "send", type: "message", config: { channel: "sms" } },
        { id: "ask", type: "human", config: { title: "?" } },
    ],
    edges: [],
};
const after = {
    name: "x",
    nodes: [
        { id: "begin", type: "trigger" },
        { id: "send", type: "message", config: { channel: "line" } },
        { id: "pause", type: "wait", config: { duration: "2d" } },
        { id: "ask", type: "wait", config: { duration: "2d" } },
    ],
    edges: [],
};

describe("what publishing means", () => {
    it("tells what was added, removed, changed and replaced", () => {
        expect(changesOf(before, after)).toEqual({
            added: ["pause"],
            removed: ["rest"],
            changed: ["send", "ask"],
            replaced: ["ask"],
        });
    });
    it("lets people go on at steps of the same kind alone", () => {
        expect(successors(before, after, "rest")).toEqual(["pause", "ask"]);
        expect(successors(before, after, "ask")).toEqual([]);
    });
    it("becomes one migration", () => {
        const fates = { rest: toStep("pause"), ask: "exit", send: "finish" };
        expect(migrationOf(3, fates)).toEqual({ to: 3, map: { rest: "pause" }, exit: ["ask"] });
        expect(migrationOf(3, {})).toEqual({ to: 3 });
    });
});
