import { expect, test } from "vitest";
import { isPartOfId, shortId, windowOf } from "./ids";

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

const id = "01993c5e-7a10-7c3f-9d2b-5e0f1a2b3c4d";
const made = 0x01993c5e7a10;

test("a part of an id is told from a word, and from all of one", () => {
    expect(isPartOfId("1a2b3c4d")).toBe(true);
    expect(isPartOfId("1A2B3C4D")).toBe(true);
    expect(isPartOfId(id.slice(0, 13))).toBe(true);
    for (const text of ["1a2b3c4", "order-77", "", id, "980b1fe0 "]) {
        expect(isPartOfId(text), text).toBe(false);
    }
});

test("the beginning of an id says when its run was made", () => {
    for (const part of [id, id.slice(0, 13), id.slice(0, 9)]) {
        const window = windowOf(part, made + 1000)!;
        expect(window.from.getTime()).toBeLessThan(made);
        expect(window.to.getTime()).toBeGreaterThan(made);
    }
    const whole = windowOf(id, made)!;
    expect(whole.to.getTime() - whole.from.getTime()).toBe(2);
    // Begins with a time that has not come: it can only be an end.
    expect(windowOf("980b1fe0", made)).toBeUndefined();
    expect(windowOf("00000000", made)!.from.toISOString()).toBe("1969-12-31T23:59:59.999Z");
});
