import { expect, test } from "vitest";
import { guess, narrowed, type Offset } from "./offset";

const hour = 3_600_000;
const second = Date.UTC(2026, 0, 1);

/** An answer that took `took` ms, `into` ms after the beginning of a second of the server. */
const answer = (ahead: number, into: number, took: number) => ({
    asked: second + into - ahead,
    came: second + into - ahead + took,
    date: second,
});

test("a clock that is right is left alone", () => {
    expect(guess(undefined)).toBe(0);
    expect(guess(narrowed(undefined, answer(0, 400, 30)))).toBe(0);
});

test("a clock that is wrong by hours is known to less than a second", () => {
    for (const ahead of [5 * hour, -5 * hour]) {
        const known = narrowed(undefined, answer(ahead, 400, 30));
        expect(Math.abs(guess(known) - ahead)).toBeLessThan(600);
    }
});

test("more answers say more", () => {
    let known: Offset | undefined;
    for (const into of [100, 500, 900, 980, 5]) {
        known = narrowed(known, answer(hour, into, 15));
    }
    expect(known!.most - known!.least).toBeLessThan(60);
    expect(Math.abs(guess(known) - hour)).toBeLessThan(60);
});

test("a clock that was set begins anew", () => {
    const before = narrowed(undefined, answer(hour, 400, 30));
    const after = narrowed(before, answer(0, 400, 30));
    expect(guess(after)).toBe(0);
});
