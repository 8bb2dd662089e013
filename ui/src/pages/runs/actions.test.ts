import { describe, expect, test } from "vitest";
import { fits, fitting } from "./actions";
import { counted, totalOf } from "./counts";

describe("actions on many runs", () => {
    test("an action fits runs that it can be done to", () => {
        expect(fits("cancel", "waiting")).toBe(true);
        expect(fits("cancel", "failed")).toBe(false);
        expect(fits("rerun", "completed")).toBe(true);
        expect(fits("retry", "completed")).toBe(false);
    });

    test("of a filter it takes the statuses that it fits", () => {
        expect(fitting("retry", undefined)).toEqual(["failed", "cancelled"]);
        expect(fitting("retry", "completed,failed")).toEqual(["failed"]);
        expect(fitting("cancel", "completed,failed")).toEqual([]);
    });

    test("what a filter matches is counted over its statuses", () => {
        const counts = new Map([
            ["waiting", { count: 7, complete: true }],
            ["failed", { count: 10_000, complete: false }],
        ]);
        expect(counted(totalOf(counts, undefined))).toBe("10,007+");
        expect(counted(totalOf(counts, "waiting"))).toBe("7");
        expect(counted(totalOf(counts, "completed"))).toBe("0");
    });
});
