import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { readOpenApi } from "../../../../clients/typescript/scripts/openapi.mjs";
import { en } from "./deeds.en";
import { th } from "./deeds.th";

interface Operation {
    operationId?: string;
    "x-scope"?: string;
}

const paths: Record<string, Record<string, Operation>> = readOpenApi().paths;

/** Those that change something: all but GET, and what only looks. */
const changing = Object.values(paths).flatMap((item) =>
    ["post", "put", "patch", "delete"].flatMap((method) => {
        const one = item[method];
        const looks = one?.["x-scope"]?.endsWith(":read");
        return one?.operationId && !looks ? [one.operationId] : [];
    }),
);

/** The sandbox is no part of the description of the API: its deeds are called by their routes. */
const routes = readFileSync(
    new URL("../../../../src/api/sandbox/sandbox_routes.cpp", import.meta.url),
    "utf8",
);
const sandbox = [
    ...[...routes.matchAll(/"(POST|PUT|DELETE)",\s*"(\/[^"]+)"/g)].map(
        ([, how, at]) => `${how} ${at}`,
    ),
    ...[...routes.matchAll(/add\(method, "(\/[^"]+)"/g)].flatMap(([, at]) => [
        `PUT ${at}`,
        `DELETE ${at}`,
    ]),
];

describe("the audit list", () => {
    test("has words for what is done in the sandbox", () => {
        expect(sandbox.length).toBe(9);
        expect(sandbox.filter((name) => !Object.hasOwn(en, name))).toEqual([]);
    });

    test("has words for every operation that changes something", () => {
        expect(changing.length).toBeGreaterThan(90);
        expect(changing.filter((name) => !Object.hasOwn(en, name))).toEqual([]);
    });

    test("has no words for what is gone", () => {
        const known = [...changing, ...sandbox];
        expect(Object.keys(en).filter((name) => !known.includes(name))).toEqual([]);
    });

    test("says each in both languages", () => {
        expect(Object.keys(th)).toEqual(Object.keys(en));
        for (const said of [...Object.values(en), ...Object.values(th)]) {
            expect(said.trim()).not.toBe("");
        }
    });
});
