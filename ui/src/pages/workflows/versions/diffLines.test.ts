import { describe, expect, test } from "vitest";
import { linesOf } from "./diffLines";

describe("a difference as text", () => {
    test("names steps, edges and what was there before", () => {
        const parts = linesOf({
            settings: [{ path: "timeout", before: "1d", after: "2d" }],
            nodes: {
                added: [{ id: "hello" }],
                removed: [],
                changed: [{ id: "wait", fields: [{ path: "config.for", after: "1h" }] } as never],
            },
            edges: { added: [{ from: "a", to: "b", handle: "true" }], removed: [] },
        });
        expect(parts.map((part) => part.title)).toEqual(["", "wait", "hello", "→"]);
        expect(parts[0]!.lines.map((line) => line.kind)).toEqual(["-", "+"]);
        expect(parts[1]!.lines).toEqual([{ kind: "+", text: 'config.for: "1h"' }]);
        expect(parts[3]!.lines[0]!.text).toBe("a → b [true]");
    });
    test("of the same is nothing", () => {
        const none = { added: [], removed: [], changed: [] };
        expect(linesOf({ settings: [], nodes: none, edges: none })).toEqual([]);
    });
});
