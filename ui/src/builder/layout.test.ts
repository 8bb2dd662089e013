import { describe, expect, it } from "vitest";
import { draftOf, nodeHeight, nodeWidth } from "./layout";

const wait = (id: string) => ({ id, type: "wait", config: {} });

describe("places", () => {
    const nodes = ["a", "b", "c", "d"].map(wait);
    const edges = [
        { from: "a", to: "b" },
        { from: "a", to: "c" },
        { from: "b", to: "d" },
    ];
    it("stay where people put them, and new steps cover none", () => {
        const known = { a: { x: 0, y: 0 }, d: { x: 8, y: 160 } };
        const { positions } = draftOf({ name: "first", nodes, edges }, { nodes: known });
        expect(positions.a).toEqual(known.a);
        expect(positions.d).toEqual(known.d);
        const places = Object.values(positions);
        expect(places).toHaveLength(4);
        for (const [i, one] of places.entries()) {
            for (const other of places.slice(i + 1)) {
                const apart =
                    Math.abs(one.x - other.x) >= nodeWidth ||
                    Math.abs(one.y - other.y) >= nodeHeight;
                expect(apart).toBe(true);
            }
        }
    });
    it("are made for all where there is none", () => {
        const { positions } = draftOf({ name: "first", nodes, edges }, null);
        expect(positions.d?.y).toBeGreaterThan(positions.a?.y ?? 0);
    });
});
