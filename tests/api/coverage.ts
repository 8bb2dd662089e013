// After all files of tests, each in any process: whether every route was answered with success.
//
//   node build/api/coverage.js
import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "./support/contract.js";
import { exercisedByAll } from "./support/exercised.js";

const { exercised, notRun } = exercisedByAll();

test("every file of tests came to its end", () => {
    assert.deepEqual(notRun, [], "run these first: node build/api/all.js FILE...");
});

test("every route of the document was answered with success in some file of tests", () => {
    const missing = operations.filter((one) => !exercised.has(one.id));
    assert.deepEqual(
        missing.map((one) => `${one.method} ${one.path}`),
        [],
    );
});
