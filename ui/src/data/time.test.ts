import { i18n } from "@lingui/core";
import { afterEach, describe, expect, it } from "vitest";
import { duration, durations, exactDuration, microsHint, readMoment, roughly, span } from "./time";

describe("duration", () => {
    it("says two units", () => {
        expect(duration(0)).toBe("0ms");
        expect(duration(950)).toBe("950ms");
        expect(duration(1500)).toBe("1.5s");
        expect(duration(61_000)).toBe("1m 1s");
        expect(duration(3_600_000)).toBe("1h");
        expect(duration(90_061_000)).toBe("1d 1h");
        expect(duration(-5)).toBe("0ms");
    });
    it("says one unit roughly", () => {
        expect(roughly(-119_000)).toBe("1m");
        expect(roughly(30)).toBe("0s");
    });
});

describe("times in Thai", () => {
    i18n.load({ en: {}, th: {} });
    afterEach(() => i18n.activate("en"));
    it("have units of that language", () => {
        i18n.activate("th");
        expect(duration(61_000)).toBe("1 นาที 1 วิ");
        expect(duration(1500)).toBe("1.5 วิ");
        expect(roughly(-7_200_000)).toBe("2 ชม.");
        expect(span("30d")).toBe("30 วัน");
    });
    it("are left alone where they are no span", () => {
        expect(span("24h")).toBe("24h");
        expect(span("soon")).toBe("soon");
    });
});

describe("readMoment", () => {
    const now = new Date("2026-05-01T12:00:00Z");
    it("takes spans and dates", () => {
        expect(readMoment("2h", now)?.toISOString()).toBe("2026-05-01T10:00:00.000Z");
        expect(readMoment("2026-04-01T00:00:00Z", now)?.toISOString()).toBe(
            "2026-04-01T00:00:00.000Z",
        );
    });
    it("refuses everything else", () => {
        expect(readMoment("soon", now)).toBeUndefined();
        expect(readMoment("2026-99-99", now)).toBeUndefined();
    });
});

describe("moments close together", () => {
    it("are said to the millisecond where they would look the same", () => {
        expect(durations([0, 99_004, 99_006, 240_000])).toEqual([
            "0ms",
            "1m 39.004s",
            "1m 39.006s",
            "4m",
        ]);
        expect(exactDuration(90_061_500)).toBe("1d 1h 1m 1.5s");
        expect(exactDuration(60_000)).toBe("1m");
    });
    it("are read from the microseconds of a log", () => {
        expect(microsHint("until", 1_795_119_031_222_135)).toMatch(/2026/);
        expect(microsHint("retry_at", 1_795_119_031_222_135)).toMatch(/2026/);
        expect(microsHint("amount", 1_795_119_031_222_135)).toBeUndefined();
        expect(microsHint("until", 12)).toBeUndefined();
    });
});
