import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { source } from "./support/paths.js";
import { pawlExit } from "./support/process.js";

// The examples in workflows/: their tests pass and take every edge, without a database.

describe("examples", () => {
    let folder = "";
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "pawl-examples-"));
    });
    after(async () => {
        await rm(folder, { recursive: true });
    });

    test("every edge of each journey has a test", async () => {
        const journeys = (await readdir(join(source, "workflows/journeys")))
            .filter((name) => name.endsWith(".test.yaml"))
            .map((name) => `workflows/journeys/${name.replace(".test", "")}`);
        for (const file of ["workflows/complaint.yaml", ...journeys]) {
            const { code, stdout, stderr } = await pawlExit(["test", file], {});
            assert.equal(code, 0, stdout + stderr);
            const [, seen, all] = /edges (\d+)\/(\d+)/.exec(stdout)!;
            assert.equal(seen, all, stdout);
        }
    });

    test("a folder without tests is an error that says where they belong", async () => {
        const { code, stderr } = await pawlExit(["test", folder], {});
        assert.equal(code, 2, stderr);
        assert.match(stderr, /there are no tests in .*; those of NAME\.yaml stand beside it/);
    });

    const simulate = async (...args: string[]): Promise<any> => {
        const all = ["simulate", "workflows/complaint.yaml", "-o", "json", ...args];
        const { code, stdout, stderr } = await pawlExit(all, {});
        assert.equal(code, 0, stderr);
        return JSON.parse(stdout);
    };

    test("a journey with agents is simulated for the person of its tests", async () => {
        const counted = await simulate("--subjects", "200");
        assert.deepEqual(counted.errors, {});
        assert.equal(counted.statuses.completed + (counted.statuses.waiting ?? 0), 200);
    });

    test("and for a sample of people", async () => {
        const people = join(folder, "people.jsonl");
        await writeFile(people, '{"key": "7", "first_name": "Bob"}\n{"first_name": "Ann"}\n');
        assert.deepEqual((await simulate("--subjects", "50", "--people", people)).errors, {});
        await writeFile(people, '{"key": "7"}\n');
        const unnamed = await simulate("--subjects", "50", "--people", people);
        assert.deepEqual(Object.keys(unnamed.errors), ["template"], "no first name");
        for (const wrong of ["", "17\n", '{"a": 1}\n[]\n', "{"]) {
            await writeFile(people, wrong);
            const { code, stderr } = await pawlExit(
                ["simulate", "workflows/complaint.yaml", "--subjects", "2", "--people", people],
                {},
            );
            assert.equal(code, 2, wrong);
            assert.match(stderr, /people\.jsonl/);
        }
    });
});
