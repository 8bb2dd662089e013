import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Block } from "./docs/blocks.js";
import { firstDifference } from "./docs/compare.js";
import { commandsOf, scriptOf } from "./docs/script.js";
import { World } from "./docs/world.js";

// The program that runs the blocks of the documentation (docs/page.ts) notices what is wrong.

const block = (language: string, text: string, line = 10): Block => ({ language, text, line });

describe("what a page shows", () => {
    const id = "01a1e740-8ff8-7037-9756-d405e2c41ac7";
    test("ids and times may differ, words may not", () => {
        const shown = `run  ${id} started 12:00:00`;
        const other = shown.replace("01a1e740", "0fffffff").replace("12:00:00", "13:14:15");
        assert.equal(firstDifference(shown, `${other}\n`), undefined);
        assert.equal(firstDifference(shown, other.replace("started", "ended")), shown);
    });
    test("... stands for anything, in a line and between lines", () => {
        assert.equal(
            firstDifference("all ... applied\n...\nend", "all 7 applied\na\nend\n"),
            undefined,
        );
        assert.equal(firstDifference("all ... applied", "none applied"), "all ... applied");
        assert.match(firstDifference("one", "one\ntwo\n") ?? "", /two/);
    });
    test("the commands of a session, with what is under each", () => {
        const found = commandsOf(block("console", "$ one \\\n    two\nanswer\n$ three\n"));
        assert.deepEqual(
            found.map((one) => [one.command, one.output]),
            [
                ["one \\\n    two", "answer\n"],
                ["three", "\n"],
            ],
        );
    });
    test("a block that cannot be run must say so", () => {
        const http = block("http", "GET /\n");
        assert.throws(() => scriptOf("page", [http], ""), /page:10: a block of http cannot be run/);
        assert.doesNotThrow(() => scriptOf("page", [{ ...http, notRun: "a drawing" }], ""));
        const yaml = block("yaml", "some: thing\n");
        assert.throws(() => scriptOf("page", [yaml], ""), /page:10: YAML that no command reads/);
    });
});

describe("a block that fails", () => {
    const world = new World();
    before(() => world.start());
    after(() => world.stop());
    const wrong: [string, Block, RegExp][] = [
        ["a command", block("sh", "pawl run nothing\ntrue\n"), /failed \(6\): pawl run nothing/],
        ["SQL", block("sql", "select pawl.start('nothing');\n"), /Workflow not found: nothing/],
        ["a definition", block("yaml", "name: a\nsteps:\n  - {name: b, cod: c}\n"), /unknown key/],
        ["JSON", block("json", '{"a": ...}\n'), /JSON/],
        ["an answer", block("sh", 'curl -s "$PAWL_URL/v1/runs"\n'), /401/],
        ["what should be refused", block("console", "$ true\nerror: no\n"), /it works/],
        ["a server", block("sh", "pawl serve --functions none.yaml\n"), /failed/],
    ];
    for (const [name, one, said] of wrong) {
        test(name, async () => {
            const { code } = await world.run(scriptOf("page", [one], ""));
            assert.notEqual(code, 0);
            assert.match(readFileSync(`${world.folder}/output/10`, "utf8"), said);
        });
    }
});
