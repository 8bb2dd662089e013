import assert from "node:assert/strict";
import { test } from "node:test";
import { contractViolations, exercisedOperations, operations } from "./support/contract.js";

// Comes last by its name: these are about all that was asked before.

test("every answer was what the document says", () => {
    assert.deepEqual([...new Set(contractViolations())], []);
});

test("every route of the document was answered with success somewhere in this suite", (t) => {
    if (process.argv.length > 2) {
        t.skip("only some files were run");
        return;
    }
    const missing = operations.filter((one) => !exercisedOperations().has(one.id));
    assert.deepEqual(
        missing.map((one) => `${one.method} ${one.path}`),
        [],
    );
});
