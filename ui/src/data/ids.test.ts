import { expect, test } from "vitest";
import { shortId } from "./ids";

test("runs of the same moment are told apart by their short ids", () => {
    const one = "01993c5e-7a10-7c3f-9d2b-5e0f1a2b3c4d";
    const other = "01993c5e-7a10-7c40-8a11-77aa0b1c2d3e";
    expect(shortId(one)).toBe("1a2b3c4d");
    expect(shortId(other)).not.toBe(shortId(one));
});

test("an id that is short is shown whole", () => {
    expect(shortId("order-77")).toBe("order-77");
    expect(shortId("")).toBe("");
});
