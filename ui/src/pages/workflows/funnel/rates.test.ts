import { describe, expect, test } from "vitest";
import { compare, eachOf, fateOf, interval, shareOf, stagesOf } from "./rates";
import type { FunnelTotals } from "./useFunnel";

const totals = {
    people: 9,
    entered: 10,
    completed: 6,
    converted: 2,
    sent: 0,
    skipped: 0,
    delivered: 0,
    opened: 0,
    clicked: 0,
    replied: 0,
} as unknown as FunnelTotals;

describe("stages", () => {
    test("of a workflow that sends nothing have no messages", () => {
        expect(stagesOf(totals).map((one) => one.id)).toEqual([
            "people",
            "entered",
            "completed",
            "converted",
        ]);
    });
    test("measure opens by what arrived", () => {
        const stages = stagesOf({ ...totals, people: null, sent: 8, delivered: 7, opened: 3 });
        expect(stages.find((one) => one.id === "opened")?.of).toEqual({
            id: "delivered",
            count: 7,
        });
        expect(stages[0]?.id).toBe("entered");
    });
});

describe("rates", () => {
    const stages = stagesOf({ ...totals, entered: 100, sent: 149, delivered: 100, opened: 110 });
    const stage = (id: string) => stages.find((one) => one.id === id)!;
    test("say how many messages a run sent, which is no share", () => {
        expect(eachOf(stage("sent"))).toBe(1.49);
        expect(shareOf(stage("sent"))).toBeUndefined();
    });
    test("are shares of what they are a part of, and never above one", () => {
        expect(shareOf(stage("delivered"))).toBeCloseTo(100 / 149);
        expect(eachOf(stage("delivered"))).toBeUndefined();
        expect(shareOf(stage("opened"))).toBeUndefined();
    });
});

describe("who came to a node", () => {
    test("went on, waits or is lost", () => {
        expect(fateOf({ entered: 10, passed: 6, waiting: 3 })).toEqual({
            passed: 6,
            waiting: 3,
            lost: 1,
        });
    });
    test("never sums up to more than came", () => {
        expect(fateOf({ entered: 2, passed: 5, waiting: 4 })).toEqual({
            passed: 2,
            waiting: 0,
            lost: 0,
        });
    });
});

describe("intervals", () => {
    test("are those of Wilson", () => {
        const { low, high } = interval(240, 2061);
        expect(low).toBeCloseTo(0.1033, 3);
        expect(high).toBeCloseTo(0.131, 3);
        expect(interval(0, 0)).toEqual({ low: 0, high: 1 });
    });
    test("that overlap have no leader", () => {
        const few = compare([
            { key: "1", trials: 10, hits: 3 },
            { key: "2", trials: 10, hits: 5 },
        ]);
        expect(few.leader).toBeNull();
        const many = compare([
            { key: "1", trials: 10_000, hits: 3000 },
            { key: "2", trials: 10_000, hits: 5000 },
        ]);
        expect(many.leader).toBe("2");
        expect(compare([{ key: "1", trials: 10, hits: 1 }]).leader).toBeNull();
    });
});
