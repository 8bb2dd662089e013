import { describe, expect, test } from "vitest";
import { daysOf, readRange } from "./range";

const now = new Date("2026-05-10T10:20:30Z");

describe("a range", () => {
    test("begins at a full hour", () => {
        expect(readRange("24h", now)).toEqual({ from: "2026-05-09T10:00:00.000Z" });
        expect(readRange(undefined, now)).toEqual({ from: "2026-04-10T10:00:00.000Z" });
        expect(readRange("all", now)).toEqual({});
    });
    test("of days has the last one in it", () => {
        const { from, to } = readRange("2026-05-01..2026-05-03", now);
        expect(new Date(to!).getTime() - new Date(from!).getTime()).toBe(3 * 86_400_000);
        expect(daysOf("2026-05-01..2026-05-03")).toEqual(["2026-05-01", "2026-05-03"]);
    });
    test("that is wrong is none, or the usual one", () => {
        expect(readRange("2026-05-03..2026-05-01", now)).toEqual({});
        expect(readRange("2026-99-03..2026-99-04", now)).toEqual({});
        expect(readRange("constructor", now)).toEqual(readRange("30d", now));
        expect(daysOf("7d")).toEqual([null, null]);
    });
});
