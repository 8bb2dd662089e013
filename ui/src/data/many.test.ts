import { describe, expect, test } from "vitest";
import { changeMany } from "./many";

const ids = Array.from({ length: 10 }, (_, index) => `${index}`);

describe("a change of many things", () => {
    test("one that is refused does not hold up the rest", async () => {
        const steps: number[] = [];
        const many = await changeMany(
            ids,
            async (id) => {
                if (id === "3") throw new Error("it is over");
            },
            { onStep: ({ done, refused }) => steps.push(done + refused.length) },
        );
        expect(many).toEqual({ done: 9, refused: [{ id: "3", why: "it is over" }] });
        expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    test("not more of them go at a time than were allowed", async () => {
        let going = 0;
        let most = 0;
        const change = async () => {
            most = Math.max(most, ++going);
            await new Promise((resolve) => setImmediate(resolve));
            going--;
        };
        expect((await changeMany(ids, change, { atOnce: 4 })).done).toBe(10);
        expect(most).toBe(4);
    });

    test("once it is stopped no other is begun", async () => {
        const stop = new AbortController();
        const many = await changeMany(
            ids,
            async (id) => {
                if (id === "4") stop.abort();
            },
            { signal: stop.signal },
        );
        expect(many.done).toBe(5);
    });
});
