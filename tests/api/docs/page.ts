// Runs every block of a page as a reader does who pastes it:
//
//   node build/api/docs/page.js docs/schedules.md
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { source } from "../support/paths.js";
import { blocksOf, indentedCode } from "./blocks.js";
import { checks } from "./checks.js";
import { firstDifference } from "./compare.js";
import { notRun } from "./not_run.js";
import { commandsOf, scriptOf } from "./script.js";
import { World } from "./world.js";

const page = process.argv[2] ?? "";
const name = page.replace(/^docs\//, "").replace(/\.md$/, "");
const blocks = blocksOf(page);
// What the page takes for granted: its workflow, its run that waits.
const setup = `${source}tests/api/docs/before/${name}.sh`;

describe(page, () => {
    const world = new World(page === "README.md");
    before(() => world.start());
    after(() => world.stop());

    test("blocks that are not run are marked, and do not become more", () => {
        assert.deepEqual(indentedCode(page), [], "lines of code without a fence");
        const left = blocks.filter((block) => block.notRun);
        assert.equal(left.length, notRun[page] ?? 0, "blocks that are marked: not run");
        for (const { runBy, line } of blocks) {
            const text =
                runBy && existsSync(source + runBy) && readFileSync(source + runBy, "utf8");
            if (runBy) assert.ok(text && text.includes(`${name}.md`), `${page}:${line}: ${runBy}`);
        }
    });

    test("a file that it shows is used", () => {
        const typed = blocks.filter((one) => /^(sh|console)$/.test(one.language));
        for (const { file, line } of blocks) {
            const used =
                !file || typed.some((one) => one.text.includes(file.replace(".test.", ".")));
            assert.ok(used, `${page}:${line}: no command of the page reads ${file}`);
        }
    });

    test("every block works as it is pasted", async () => {
        const given = existsSync(setup) ? readFileSync(setup, "utf8") : "";
        let { code } = await world.run(scriptOf(page, blocks, given));
        // It promises to change nothing when it is done again.
        if (code === 0 && page === "docs/sql.md") {
            code = (await world.run(scriptOf(page, blocks, given))).code;
        }
        const outputs = readdirSync(`${world.folder}/output`).map(Number);
        const last = outputs.sort((a, b) => a - b).at(-1)!;
        const text = readFileSync(`${world.folder}/output/${last}`, "utf8");
        assert.equal(code, 0, `${page}:${last}:\n${text}`);
        for (const block of blocks) {
            if (block.language !== "console" || block.notRun || block.runBy) continue;
            for (const { line, command, output } of commandsOf(block)) {
                if (output.trim() === "") continue;
                const printed = readFileSync(`${world.folder}/output/${line}`, "utf8");
                const differs = firstDifference(output, printed);
                assert.ok(
                    !differs,
                    `${page}:${line}: ${command}\n  ${differs}\nnot in:\n${printed}`,
                );
            }
        }
        await checks[page]?.(world.setting("DATABASE_URL"));
    });
});
