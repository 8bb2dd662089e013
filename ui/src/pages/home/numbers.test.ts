import { expect, test } from "vitest";
import { bytes, rangeOf, ticks, totals } from "./numbers";

test("sizes are said in the largest unit that fits", () => {
    expect([0, 999, 1536, 250_000_000, 9e15].map(bytes)).toEqual([
        "0 B",
        "999 B",
        "1.5 kB",
        "250 MB",
        "9000 TB",
    ]);
});

test("an address with another range shows a day", () => {
    expect([rangeOf("7d"), rangeOf("9y"), rangeOf(undefined)]).toEqual(["7d", "24h", "24h"]);
});

test("the pieces add up", () => {
    const one = { at: "", started: 3, completed: 1, failed: 1, cancelled: 1 };
    expect(totals([one, one])).toEqual({ started: 6, completed: 2, failed: 2, cancelled: 2 });
});

test("below the chart stands the time, and the day where it begins", () => {
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime() / 1000;
    expect(ticks([at(17, 22), at(18, 0)], "en")).toEqual(["22:00", "Nov 18"]);
    expect(ticks([at(18, 0)], "th")).toEqual(["18 พ.ย."]);
});
