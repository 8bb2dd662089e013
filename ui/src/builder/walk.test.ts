import { describe, expect, it } from "vitest";
import { addNote, changeNote, copyNodes, type Draft, pasteNodes, removeNotes } from "./graph";
import { draftOf, layoutOf, makeRoom, nodeHeight, tidyNew } from "./layout";
import { edgeBehind, nextEdge, reach, stepTo } from "./walk";

/** begin leads to ask; ask to yes at the left and no at the right; both to end. */
const diamond = (): Draft =>
    draftOf(
        {
            name: "diamond",
            nodes: ["begin", "ask", "yes", "no", "end"].map((id) => ({ id, type: "wait" })),
            edges: [
                { from: "begin", to: "ask" },
                { from: "ask", to: "yes", handle: "true" },
                { from: "ask", to: "no", handle: "false" },
                { from: "yes", to: "end" },
                { from: "no", to: "end" },
            ],
        },
        {
            nodes: {
                begin: { x: 200, y: 0 },
                ask: { x: 200, y: 150 },
                yes: { x: 0, y: 300 },
                no: { x: 400, y: 300 },
                end: { x: 200, y: 450 },
            },
        },
    );

describe("walking through a graph", () => {
    it("goes along the edges, and aside to what is near", () => {
        const draft = diamond();
        expect(stepTo(draft, undefined, "down")).toBe("begin");
        expect(stepTo(draft, "begin", "down")).toBe("ask");
        expect(stepTo(draft, "yes", "right")).toBe("no");
        expect(stepTo(draft, "no", "left")).toBe("yes");
        expect(stepTo(draft, "end", "up")).toBe("yes");
        expect(stepTo(draft, "begin", "up")).toBeUndefined();
    });
    it("finds what lies before and behind", () => {
        expect(reach(diamond(), ["yes"], "down").sort()).toEqual(["end", "yes"]);
        expect(reach(diamond(), ["yes"], "up").sort()).toEqual(["ask", "begin", "yes"]);
    });
    it("goes round the edges of a step", () => {
        const draft = diamond();
        expect(nextEdge(draft, "ask", undefined)).toBe("ask:true:yes");
        expect(nextEdge(draft, "ask", "ask:true:yes")).toBe("ask:false:no");
        expect(nextEdge(draft, "ask", "ask:false:no")).toBe("ask:true:yes");
        expect(nextEdge(draft, "end", undefined)).toBeUndefined();
        expect(edgeBehind(draft, "ask", "false")?.to).toBe("no");
    });
});

describe("places of steps", () => {
    it("makes room in the middle of an edge, and leaves what is above", () => {
        const draft = diamond();
        const { draft: moved, at } = makeRoom(draft, { from: "begin", to: "ask" });
        expect(at.y).toBe(nodeHeight + 72);
        expect(moved.positions.begin).toEqual(draft.positions.begin);
        const down = (moved.positions.ask?.y ?? 0) - 150;
        expect(down).toBeGreaterThan(0);
        expect(moved.positions.end?.y).toBe(450 + down);
    });
    it("puts a new step beside what stands there", () => {
        const draft = diamond();
        const placed = { ...draft.positions, fresh: { x: 200, y: 150 } };
        const positions = tidyNew({ ...draft, positions: placed }, "fresh");
        expect(positions.ask).toEqual(draft.positions.ask);
        expect(positions.fresh).not.toEqual({ x: 200, y: 150 });
    });
});

describe("notes", () => {
    it("belong to the layout and not to the definition", () => {
        const first = diamond();
        const { draft, id } = addNote(first, { x: 1, y: 2 });
        const written = changeNote(draft, id, { text: "Ask legal" });
        expect(written.definition).toBe(first.definition);
        expect(layoutOf(written).notes).toEqual([{ id, x: 1, y: 2, text: "Ask legal" }]);
        expect(removeNotes(written, [id]).notes).toEqual([]);
    });
});

describe("what is pasted", () => {
    it("goes from one workflow into another", () => {
        const other = draftOf(
            { name: "other", nodes: [{ id: "yes", type: "end" }], edges: [] },
            null,
        );
        const { draft, ids } = pasteNodes(other, copyNodes(diamond(), ["ask", "yes"]));
        expect(ids).toEqual(["ask", "yes_2"]);
        expect(draft.definition.edges).toEqual([{ from: "ask", to: "yes_2", handle: "true" }]);
        expect(draft.definition.nodes).toHaveLength(3);
    });
    it("may be anything", () => {
        const draft = diamond();
        const hostile = [
            "null",
            "[]",
            '{"kind": "pawl/nodes"}',
            '{"kind": "pawl/nodes", "nodes": {}}',
            '{"kind": "pawl/nodes", "nodes": [null, 1, {"id": {}}, {"id": "x"}], "edges": 5}',
        ];
        for (const text of hostile) {
            expect(pasteNodes(draft, text).draft.definition.nodes).toHaveLength(5);
        }
        const dangling =
            '{"kind":"pawl/nodes","nodes":[{"id":"x","type":"end"}],"edges":[{"from":"x","to":"gone"}]}';
        expect(pasteNodes(draft, dangling).draft.definition.edges).toHaveLength(5);
    });
});
