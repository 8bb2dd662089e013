import { i18n } from "@lingui/core";
import { beforeEach, describe, expect, test } from "vitest";
import { ApiError } from "@/data/error";
import { KeyCount } from "./keyCount";
import { LeftOut } from "./leftOut";
import { savePeople } from "./send";

const never = new AbortController().signal;
const noWait = async () => {};
const numbers = Array.from({ length: 500 }, (_, index) => index);

// Files of tests share what they import.
beforeEach(() => i18n.activate("en"));

describe("saving people", () => {
    test("those that the server names are left out, and the others are saved in order", async () => {
        const saved: number[] = [];
        const refused = await savePeople(
            numbers,
            async (people) => {
                const errors = people.flatMap((one, at) =>
                    one % 100 === 7
                        ? [{ pointer: `/people/${at}/timezone`, detail: "must be a time zone" }]
                        : [],
                );
                // As the server: it does not name all of them.
                if (errors.length) throw new ApiError(422, { errors: errors.slice(0, 2) });
                saved.push(...people);
            },
            noWait,
            never,
        );
        expect(refused.map((one) => one.person)).toEqual([7, 107, 207, 307, 407]);
        expect(refused[0]!.why).toBe("timezone must be a time zone");
        expect(saved).toEqual(numbers.filter((one) => one % 100 !== 7));
    });

    test("one that no answer names is found by halves", async () => {
        const saved: number[] = [];
        let asked = 0;
        const refused = await savePeople(
            numbers,
            async (people) => {
                asked++;
                if (people.includes(123)) throw new ApiError(413, { detail: "too large" });
                saved.push(...people);
            },
            noWait,
            never,
        );
        expect(refused).toEqual([{ person: 123, why: "too large" }]);
        expect(saved).toEqual(numbers.filter((one) => one !== 123));
        expect(asked).toBeLessThan(25);
    });

    test("what passes is tried again, when the server wants it", async () => {
        const waits: number[] = [];
        const answers = [
            new ApiError(503, {}, new Headers({ "retry-after": "7" })),
            new ApiError(0, {}),
            new ApiError(429, {}),
        ];
        const save = async () => {
            const answer = answers.shift();
            if (answer) throw answer;
        };
        const wait = async (seconds: number) => void waits.push(seconds);
        expect(await savePeople([1], save, wait, never)).toEqual([]);
        expect(waits).toEqual([7, 2, 4]);
    });

    test("what is not about single people ends it, also what does not pass", async () => {
        for (const [status, times] of [
            [403, 1],
            [409, 1],
            [503, 8],
        ] as const) {
            let asked = 0;
            const save = async () => {
                asked++;
                throw new ApiError(status, {});
            };
            await expect(savePeople(numbers, save, noWait, never)).rejects.toMatchObject({
                status,
            });
            expect(asked).toBe(times);
        }
    });

    test("nothing is sent again once it was stopped", async () => {
        const stopper = new AbortController();
        let asked = 0;
        const save = async () => {
            asked++;
            throw new ApiError(503, {});
        };
        const wait = async () => stopper.abort();
        await expect(savePeople([1], save, wait, stopper.signal)).rejects.toThrow();
        expect(asked).toBe(1);
    });
});

test("different keys are counted, also many", () => {
    const keys = new KeyCount();
    for (let index = 0; index < 50_000; index++) keys.add(`customer-${index % 20_000}`);
    for (const odd of ["", "\0", "ก", "a".repeat(1000)]) keys.add(odd);
    expect(keys.count).toBe(20_004);
});

test("rows that were left out are a file that can be imported", async () => {
    const left = new LeftOut(";", ["problem", "key", "name"], ["out", "key", "attribute"]);
    const cells = ["old", "1", 'a;"b"\nc'];
    left.add({ line: 2, cells, problem: "has no key" }, "line 2: has no key");
    left.add({ line: 3, cells: ["old", "=cmd()"], problem: "x" }, "line 3: x");
    // Blob.text() drops the mark.
    const bytes = await left.file().arrayBuffer();
    expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe(
        '\ufeffproblem;key;name\r\nline 2: has no key;1;"a;""b""\nc"\r\nline 3: x;=cmd()\r\n',
    );
    expect([left.count, left.first.map((one) => one.line)]).toEqual([2, [2, 3]]);
});
