import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import ts from "typescript";
import { source } from "./support/paths.js";
import { key, url } from "./support/server.js";

// Every example of the client's README is compiled and run against the real server.

const text = readFileSync(`${source}clients/typescript/README.md`, "utf8");
const sections = text.split(/^## /m).slice(1);
const examples = sections.flatMap((section) =>
    [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => ({
        title: section.slice(0, section.indexOf("\n")),
        code: match[1] ?? "",
    })),
);
// Below build/api, so that packages are found the way a user's program finds them.
const folder = `${source}build/api/readme/`;

function compile(files: string[]): void {
    const options: ts.CompilerOptions = {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        strict: true,
        skipLibCheck: true,
        types: ["node"],
        typeRoots: [`${source}node_modules/@types`],
    };
    const program = ts.createProgram(files, options);
    const wrong = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
    const host = {
        getCanonicalFileName: (name: string): string => name,
        getCurrentDirectory: (): string => folder,
        getNewLine: (): string => "\n",
    };
    assert.equal(ts.formatDiagnostics(wrong, host), "");
}

async function run(file: string): Promise<string> {
    const env = { ...process.env, PAWL_URL: url, PAWL_API_KEY: key };
    const options = { env, timeout: 30_000 };
    const { stdout } = await promisify(execFile)(process.execPath, [file], options);
    return stdout;
}

describe("README of the client", () => {
    const files = examples.map((_, place) => `${folder}example${place}.mts`);

    test("the examples have the right types", () => {
        assert.ok(examples.length >= 6);
        mkdirSync(folder, { recursive: true });
        examples.forEach((example, place) => writeFileSync(files[place] ?? "", example.code));
        compile(files);
    });

    describe("run", { concurrency: 3 }, () => {
        for (const [place, { title, code }] of examples.entries()) {
            test(`${place + 1}: ${title}`, async () => {
                const output = await run((files[place] ?? "").replace(/\.mts$/, ".mjs"));
                // A comment behind a console.log says what it prints.
                for (const match of code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)) {
                    assert.ok(output.includes(match[1] ?? ""), `'${match[1]}' in:\n${output}`);
                }
            });
        }
    });
});
