import { parseYaml } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, test } from "node:test";
import { blocksOf } from "./docs/blocks.js";
import { definitionPage, readSchema } from "./docs/definition.js";
import { source } from "./support/paths.js";
import { pawlExit } from "./support/process.js";

const ajv = new Ajv2020({ strict: false, allErrors: false });
const validate = ajv.compile((await readSchema()) as object);
const read = (text: string): unknown => parseYaml(text);

/** All files of the repository that hold a definition. */
function definitions(folder: string): string[] {
    return readdirSync(source + folder, { withFileTypes: true }).flatMap((entry) => {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory()) return definitions(path);
        return /\.ya?ml$/.test(path) && !/\.test\./.test(path) ? [path] : [];
    });
}

describe("pawl schema", () => {
    test("accepts every definition of the repository", () => {
        const files = ["workflows", "examples"].flatMap(definitions);
        assert.ok(files.length > 20, String(files.length));
        let seen = 0;
        for (const file of files) {
            const document = read(readFileSync(source + file, "utf8")) as { name?: string };
            if (!document?.name) continue;
            assert.ok(validate(document), `${file}: ${JSON.stringify(validate.errors)}`);
            ++seen;
        }
        assert.ok(seen > 20, String(seen));
    });

    test("accepts every definition of the documentation", () => {
        let seen = 0;
        for (const page of readdirSync(`${source}docs`).filter((one) => one.endsWith(".md"))) {
            for (const { language, text, line } of blocksOf(`docs/${page}`)) {
                if (language !== "yaml" || !/^name:[^]*^(steps|nodes):/m.test(text)) continue;
                const fine = validate(read(text));
                assert.ok(fine, `${page}:${line}: ${JSON.stringify(validate.errors)}`);
                ++seen;
            }
        }
        assert.ok(seen >= 10, String(seen));
    });

    const step = (text: string): string => `name: w\nsteps:\n  - ${text}\n`;
    const fine = {
        "a type as a key with a scalar": step("{name: a, wait: 2d}"),
        "keys beside the others": step("{name: a, type: wait, duration: 2d}"),
        "a duration in seconds": step("{name: a, wait: 30}"),
        "a template for a duration": step('{name: a, wait: "{{ input.pause }}"}'),
        "a list of retry rules": step(
            '{name: a, code: noop, retry: [{errors: ["*"], attempts: 2}]}',
        ),
        "a function with a url": step("{name: a, function: f, url: https://example.com/}"),
        "a call that does not wait": step("{name: a, type: call, workflow: b, wait: false}"),
        "a loop by its number": `name: w\nnodes: [{id: a, loop: 3}, {id: b, code: noop}]
edges: [{from: a, to: b, handle: each}, {from: b, to: a}]\n`,
    };
    for (const [name, text] of Object.entries(fine)) {
        test(`accepts ${name}`, async () => {
            assert.ok(validate(read(text)), JSON.stringify(validate.errors));
            assert.equal(await verdict(text), 0);
        });
    }

    const wrong = {
        "no name": "steps: [{name: a, code: noop}]\n",
        "no steps": "name: w\n",
        "an unknown key of a workflow": "name: w\nstep: 1\nsteps: [{name: a, code: noop}]\n",
        "a name with a blank": "name: a b\nsteps: [{name: a, code: noop}]\n",
        "a word that is not known": "name: w\nreentry: twice\nsteps: [{name: a, code: noop}]\n",
        "a step without a name": step("{code: noop}"),
        "an unknown key of a step": step("{name: a, code: noop, retries: 3}"),
        "a key of another type": step("{name: a, code: noop, jq: .a}"),
        "an unknown type": step("{name: a, type: sleep}"),
        "a duration that is none": step("{name: a, wait: soon}"),
        "too many attempts": step("{name: a, code: noop, retry: {attempts: 1000}}"),
        "an unknown key of a retry": step("{name: a, code: noop, retry: {tries: 3}}"),
        "an unknown key of a wait": step("{name: a, wait: {event: e, kee: k}}"),
        "an unknown key under config": step("{name: a, type: wait, config: {event: e, kee: k}}"),
        "a config without what it needs": step("{name: a, type: call, config: {input: {}}}"),
        "a method that is none": step("{name: a, http: {url: https://a.example/, method: FETCH}}"),
        "an operator that is none": step(
            "{name: a, type: condition, config: {path: a, operator: like}}",
        ),
        "a flag that is text": step("{name: a, call: {workflow: b, wait: maybe}}"),
        "a trigger of two kinds":
            "name: w\ntriggers: [{event: e, cron: '@daily'}]\nsteps: [{name: a, code: noop}]\n",
        "an unknown key of a trigger":
            "name: w\ntriggers: [{event: e, subjekt: a}]\nsteps: [{name: a, code: noop}]\n",
        "an edge without an end": "name: w\nnodes: [{id: a, code: noop}]\nedges: [{from: a}]\n",
        "a limit of none":
            "name: w\nflow: {concurrency: {limit: 0}}\nsteps: [{name: a, code: noop}]\n",
        "a batch of one":
            "name: w\nflow: {batch: {size: 1, max_wait: 1s}}\nsteps: [{name: a, code: noop}]\n",
    };
    for (const [name, text] of Object.entries(wrong)) {
        test(`refuses ${name}, as the reader does`, async () => {
            assert.ok(!validate(read(text)), text);
            assert.equal(await verdict(text), 2);
        });
    }

    /** What the reader says: the exit code. */
    async function verdict(text: string): Promise<number> {
        const folder = mkdtempSync(`${tmpdir()}/pawl-schema-`);
        try {
            writeFileSync(`${folder}/w.yaml`, text);
            const { code } = await pawlExit(
                ["workflows", "validate", "-f", `${folder}/w.yaml`],
                {},
            );
            return code;
        } finally {
            rmSync(folder, { recursive: true });
        }
    }
});

describe("docs/definition.md", () => {
    test("has every key of the schema, and no other", async () => {
        const page = readFileSync(`${source}docs/definition.md`, "utf8");
        const made = definitionPage(await readSchema());
        const how = "node build/api/docs/definition.js --write brings it up to date";
        assert.equal(page, made, how);
    });
});

describe("pawl man", () => {
    test("is a page that man reads without a complaint", async () => {
        const { stdout } = await pawlExit(["man"], {});
        const options = { input: stdout, encoding: "utf8" as const };
        let shown: string;
        try {
            shown = execFileSync("groff", ["-man", "-Tutf8", "-ww"], options);
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
            return; // no groff here; the unit test looks at the text
        }
        assert.match(shown, /runs list/);
    });
});
