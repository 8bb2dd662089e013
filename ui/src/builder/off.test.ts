import { describe, expect, test } from "vitest";
import type { Draft } from "./graph";
import { isOff, offProblem, toggleOff } from "./off";

const draft: Draft = {
    definition: {
        name: "w",
        nodes: [
            { id: "begin", type: "trigger" },
            { id: "pay", type: "http" },
            { id: "ask", type: "human" },
            { id: "each", type: "foreach" },
            { id: "stop", type: "end" },
        ],
        edges: [
            { from: "begin", to: "pay" },
            { from: "pay", to: "ask" },
            { from: "pay", to: "stop", handle: "error.http_503" },
            { from: "ask", to: "each", handle: "approved" },
            { from: "each", to: "stop", handle: "timeout" },
        ],
    },
    positions: {},
    notes: [],
};
const off = (one: Draft) => one.definition.nodes.filter(isOff).map((node) => node.id);
const problemOf = (one: Draft, id: string) =>
    offProblem(one, one.definition.nodes.find((node) => node.id === id)!);

describe("a step that is switched off", () => {
    test("must do something, and have a way on", () => {
        expect(problemOf(draft, "begin")).toBe("offLeads");
        expect(problemOf(draft, "stop")).toBe("offLeads");
        expect(problemOf(draft, "ask")).toBe("offNoDefault");
        expect(problemOf(draft, "pay")).toBeUndefined();
        expect(problemOf(draft, "each")).toBeUndefined();
        const edges = [...draft.definition.edges, { from: "ask", to: "stop" }];
        const led = { ...draft, definition: { ...draft.definition, edges } };
        expect(problemOf(led, "ask")).toBeUndefined();
    });

    test("is switched on by the same key, alone or with others", () => {
        const one = toggleOff(draft, ["pay"]).draft;
        expect(off(one)).toEqual(["pay"]);
        const both = toggleOff(one, ["pay", "each"]).draft;
        expect(off(both)).toEqual(["pay", "each"]);
        const none = toggleOff(both, ["pay", "each"]).draft;
        expect(none.definition).toEqual(draft.definition);
    });

    test("leaves alone what cannot be off, and says why if nothing can", () => {
        const some = toggleOff(draft, ["begin", "pay"]);
        expect(off(some.draft)).toEqual(["pay"]);
        expect(some.problem).toBeUndefined();
        const none = toggleOff(draft, ["ask"]);
        expect(none.draft).toBe(draft);
        expect(none.problem).toBe("offNoDefault");
        // What became wrong while it was off can be switched on.
        const nodes = draft.definition.nodes.map((node) =>
            node.id === "ask" ? { ...node, disabled: true } : node,
        );
        const wrong = { ...draft, definition: { ...draft.definition, nodes } };
        expect(off(toggleOff(wrong, ["ask"]).draft)).toEqual([]);
        expect(toggleOff(draft, []).draft).toBe(draft);
    });
});
