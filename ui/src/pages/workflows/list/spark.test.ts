import { describe, expect, test } from "vitest";
import { failureShare, linePath, percent } from "./spark";

describe("a sparkline", () => {
    test("goes from left to right, and from bottom to top", () => {
        expect(linePath([0, 2, 1], 2, 96, 22, false)).toBe("M0.0 21.0L48.0 2.0L96.0 11.5");
    });
    test("is closed below when it is an area", () => {
        expect(linePath([1, 1], 1, 10, 10, true)).toMatch(/L10 10L0 10Z$/);
    });
    test("of nothing is nothing", () => {
        expect(linePath([], 1, 10, 10, false)).toBe("");
    });
});

describe("the share of failures", () => {
    test("is of runs that have ended", () => {
        expect(failureShare({ completed: 3, failed: 1, cancelled: 0 })).toBe(0.25);
        expect(failureShare({ completed: 0, failed: 0, cancelled: 0 })).toBeUndefined();
    });
    test("is short, and says when it is small but there", () => {
        expect([0, 0.0001, 0.032, 0.4149].map(percent)).toEqual(["0%", "<0.1%", "3.2%", "41%"]);
    });
});
