import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { contractViolations, exercisedOperations, operations } from "./support/contract.js";

// Comes last by its name: these are about all that was asked before.

test("every answer was what the document says", () => {
    assert.deepEqual([...new Set(contractViolations())], []);
});

/** The files of tests; each may run in a process of its own. */
const files = readdirSync(new URL(".", import.meta.url))
    .filter((file) => file.endsWith(".test.js") && !file.startsWith("zz_"))
    .map((file) => file.replace(".test.js", ""));

/** What the processes of all files exercised; undefined as long as some have not ended. */
function exercisedByAll(ran: string[]): Set<string> | undefined {
    const notes = new URL("exercised/", import.meta.url);
    mkdirSync(notes, { recursive: true });
    for (const file of ran) {
        const draft = new URL(`exercised.${file}`, import.meta.url); // others read whole ones
        writeFileSync(draft, JSON.stringify([...exercisedOperations()]));
        renameSync(draft, new URL(file, notes));
    }
    const ended = readdirSync(notes);
    if (files.some((file) => !ended.includes(file))) return undefined;
    return new Set(
        files.flatMap((file) => JSON.parse(readFileSync(new URL(file, notes), "utf8")) as string[]),
    );
}

test("every route of the document was answered with success somewhere in this suite", (t) => {
    const ran = process.argv.slice(2);
    const exercised = exercisedByAll(ran.length > 0 ? ran : files);
    if (!exercised) {
        t.skip("other files have not run yet; the last of them looks");
        return;
    }
    const missing = operations.filter((one) => !exercised.has(one.id));
    assert.deepEqual(
        missing.map((one) => `${one.method} ${one.path}`),
        [],
    );
});
