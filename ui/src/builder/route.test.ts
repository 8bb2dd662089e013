import { i18n } from "@lingui/core";
import { beforeAll, describe, expect, it } from "vitest";
import { flowEdges } from "./flow";
import { draftOf } from "./layout";
import { cornersOf, pathOf, wayAround } from "./route";

// Steps and edges have names in the language of the viewer.
beforeAll(() => i18n.activate("en"));

const box = (x: number, y: number) => ({ x, y, width: 220, height: 84 });

describe("the way of an edge", () => {
    const from = { x: 110, y: 84 };
    it("is the usual one where no step is in between", () => {
        expect(wayAround(from, { x: 110, y: 400 }, [])).toBeUndefined();
        expect(wayAround(from, { x: 110, y: 400 }, [box(300, 200)])).toBeUndefined();
    });
    it("leads around a step in between, on the shorter side", () => {
        const left = wayAround(from, { x: 110, y: 400 }, [box(40, 200)]);
        expect(left?.x).toBe(20);
        const right = wayAround(from, { x: 110, y: 400 }, [box(-40, 200)]);
        expect(right?.x).toBe(200);
    });
    it("leads around steps that stand side by side", () => {
        const row = [box(-200, 200), box(60, 200)];
        const way = wayAround(from, { x: 110, y: 400 }, row);
        expect(way?.x).toBe(40);
    });
    it("stays the usual one upwards, and where steps stand too close for another", () => {
        expect(wayAround(from, { x: 110, y: -300 }, [box(0, -100)])).toBeUndefined();
        expect(wayAround(from, { x: 110, y: 400 }, [box(0, 90), box(0, 300)])).toBeUndefined();
    });
    it("is drawn through its corners", () => {
        const way = { x: 20, top: 104, bottom: 380 };
        const path = pathOf(cornersOf(from, { x: 110, y: 400 }, way));
        expect(path.startsWith("M110,84 ")).toBe(true);
        expect(path.endsWith("L110,400")).toBe(true);
        expect(path).toContain("Q20,104");
        expect(path).not.toContain("NaN");
    });
});

describe("edges of a tidy graph", () => {
    it("run behind no step, as where a second message is sent when the first was not", () => {
        const nodes = ["begin", "remind", "sms", "day"].map((id) => ({ id, type: "wait" }));
        const edges = [
            { from: "begin", to: "remind" },
            { from: "remind", to: "day" },
            { from: "remind", to: "sms", handle: "failed" },
            { from: "sms", to: "day" },
        ];
        const draft = draftOf({ name: "cart", nodes, edges }, null);
        const sms = draft.positions["sms"]!;
        const long = flowEdges(draft, { types: {} }).find(
            ({ source, target }) => source === "remind" && target === "day",
        );
        const x = long?.data?.way?.x ?? Number.NaN;
        expect(x < sms.x || x > sms.x + 220).toBe(true);
    });
});
