import { describe, expect, it } from "vitest";
import { hasError, lookedMax, sieve } from "./sieve";

/** Pages of a hundred numbers each, up to `last`. */
function pagesTo(last: number) {
    const asked: (string | undefined)[] = [];
    const read = async (cursor: string | undefined) => {
        asked.push(cursor);
        const from = Number(cursor ?? 0);
        const data = Array.from({ length: Math.min(100, last - from) }, (_, at) => from + at);
        const next = from + data.length;
        return { data, has_more: next < last, next_cursor: next < last ? String(next) : null };
    };
    return { read, asked };
}

describe("sieve", () => {
    it("reads on until there is something to show, and goes on from there", async () => {
        const { read, asked } = pagesTo(1000);
        const fits = (row: number) => row % 4 === 0;
        const first = await sieve(read, fits, undefined);
        expect(first.data).toHaveLength(50);
        expect(first).toMatchObject({ looked: 200, has_more: true });
        const second = await sieve(read, fits, first.next_cursor ?? undefined);
        expect(second.data[0]).toBe(200);
        expect(second.looked).toBe(400);
        expect(asked).toEqual([undefined, "100", "200", "300"]);
    });
    it("ends with the list", async () => {
        const { read } = pagesTo(250);
        const all = await sieve(read, (row) => row === 249, undefined);
        expect(all).toEqual({ data: [249], looked: 250, has_more: false, next_cursor: null });
    });
    it("stops when it has looked at many", async () => {
        const { read, asked } = pagesTo(1_000_000);
        const all = await sieve(read, () => false, undefined);
        expect(all).toMatchObject({ data: [], looked: lookedMax, has_more: false });
        expect(asked).toHaveLength(lookedMax / 100);
    });
});

describe("hasError", () => {
    const run = { error: { message: "No answer", code: "timeout", step: "pay" } } as never;
    it("looks into message, code and step", () => {
        expect(["TIMEOUT", "answer", "pay"].every((text) => hasError(run, text))).toBe(true);
        expect(hasError(run, "refused")).toBe(false);
        expect(hasError({} as never, "timeout")).toBe(false);
    });
});
