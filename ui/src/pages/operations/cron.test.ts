import { describe, expect, test } from "vitest";
import { cronInWords, timeInZone } from "./cron";

describe("schedules in words", () => {
    test("says when they fire, in both languages", () => {
        expect(cronInWords("0 9 * * 1-5", "en")).toContain("09:00");
        expect(cronInWords("*/15 * * * *", "en")).toBe("Every 15 minutes");
        expect(cronInWords("*/15 * * * *", "th")).not.toBe(cronInWords("*/15 * * * *", "en"));
    });
    test("shows what it cannot say as it is", () => {
        expect(cronInWords("<img src=x>", "en")).toBe("<img src=x>");
    });
    test("shows a moment by the clocks of the zone", () => {
        expect(timeInZone("2026-06-01T02:00:00Z", "Asia/Bangkok", "en")).toContain("09:00");
        expect(timeInZone("2026-01-01T12:00:00Z", "America/New_York", "en")).toContain("07:00");
        expect(timeInZone("2026-06-01T02:00:00Z", "Not/AZone", "en")).toContain("02:00");
        expect(timeInZone("2026-06-01T02:00:00Z", "Asia/Bangkok", "th")).toContain("2026");
    });
});
