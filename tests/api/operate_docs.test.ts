import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { blocksOf } from "./docs/blocks.js";
import { source } from "./support/paths.js";
import { pawlExit } from "./support/process.js";

const read = (path: string): string => readFileSync(source + path, "utf8");

/** Everything that looks like a call of pawl: in blocks and between backquotes. */
function calls(page: string): string[] {
    const found: string[] = [];
    const lines = blocksOf(page).flatMap((block) => block.text.split("\n"));
    for (const line of lines) {
        for (const part of line.replace(/^\$ /, "").split(/[|;]|&&/)) {
            const call = /^(?:sudo )?(?:[A-Z_]+=\S+ )*(pawl [a-z].*)$/.exec(part.trim());
            if (call) found.push(call[1]!);
        }
    }
    for (const [, code] of read(page).matchAll(/`(pawl [a-z][^`]*)`/gs)) {
        found.push(code!.replace(/\s+/g, " "));
    }
    return found;
}

const helps = new Map<string, Promise<string>>();

function help(command: string[]): Promise<string> {
    const name = command.join(" ");
    let made = helps.get(name);
    if (!made) {
        made = pawlExit([...command, "--help"], {}).then(({ code, stdout }) => {
            assert.equal(code, 0, `pawl ${name} --help`);
            return stdout;
        });
        helps.set(name, made);
    }
    return made;
}

/** The commands that a call names exist, and so do its options. */
async function check(call: string): Promise<void> {
    const words = call.split(" ").slice(1);
    const command: string[] = [];
    let text = await help([]);
    while (words.length > 0 && /^[a-z][a-z-]*$/.test(words[0]!)) {
        const isCommand = new RegExp(`^ +${words[0]} {2,}`, "m").test(
            text.slice(text.search(/^Commands?:/m)),
        );
        if (!/^Commands?:/m.test(text)) break;
        assert.ok(isCommand, `${call}: there is no command '${words[0]}'`);
        command.push(words.shift()!);
        text = await help(command);
    }
    assert.ok(command.length > 0, call);
    text += await help([]);
    for (const word of words) {
        if (!/^-/.test(word) || word === "-") continue;
        const option = word.split("=")[0]!;
        assert.ok(
            new RegExp(`(^|[ ,])${option}([ ,=\n]|$)`, "m").test(text),
            `${call}: there is no ${option}`,
        );
    }
}

describe("the pages for operators", () => {
    for (const page of ["docs/runbook.md", "docs/deploy.md", "docs/metrics.md"]) {
        test(`${page} names commands and options that exist`, async () => {
            const all = calls(page);
            assert.ok(all.length > 0);
            for (const call of all) await check(call);
        });
    }

    test("the runbook has what the plan asks for", () => {
        const book = read("docs/runbook.md");
        for (const part of ["A stuck step", "Dead letters", "Migration", "Rollback", "Failover"]) {
            assert.match(book, new RegExp(`^## ${part}`, "m"));
        }
        assert.match(book, /^## A full disk/m);
    });

    test("pages link to files that are there", () => {
        for (const page of ["docs/runbook.md", "docs/deploy.md", "docs/metrics.md"]) {
            for (const [, link] of read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
                assert.ok(existsSync(`${source}docs/${link}`), `${page}: ${link}`);
            }
            for (const [, path] of read(page).matchAll(/`((?:deploy|scripts)\/[^`* ]+)`/g)) {
                assert.ok(existsSync(source + path), `${page}: ${path}`);
            }
        }
    });

    test("units start what exists, and stop it in time", async () => {
        for (const unit of readdirSync(`${source}deploy/systemd`)) {
            const text = read(`deploy/systemd/${unit}`);
            for (const [, call] of text.matchAll(/^Exec\w+=\/usr\/bin\/(pawl .*)$/gm)) {
                await check(call!);
            }
            assert.match(text, /^Type=notify$/m);
            const stop = Number(/^TimeoutStopSec=(\d+)s$/m.exec(text)?.[1]);
            assert.ok(stop >= 8 + 2, "longer than --drain-timeout");
        }
    });

    test("settings of the environment file are those of the program", async () => {
        const serve = await help(["serve"]);
        const globals = await help([]);
        for (const [, name] of read("deploy/debian/pawl.env").matchAll(/^#?([A-Z_]+)=/gm)) {
            const known = (serve + globals).includes(name!) || /^OTEL_/.test(name!);
            assert.ok(known, name);
        }
    });

    test("the Containerfile copies what is there, and runs what exists", async () => {
        const text = read("deploy/Containerfile");
        for (const [, from] of text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)) {
            for (const path of from!.split(" ")) assert.ok(existsSync(source + path), path);
        }
        const stages = Array.from(text.matchAll(/^FROM \S+(?: AS (\w+))?$/gm));
        assert.equal(stages.length, 2);
        for (const [, from] of text.matchAll(/--from=(\w+)/g)) assert.equal(from, stages[0]![1]);
        for (const [, script] of text.matchAll(/\b(scripts\/[\w.-]+)/g)) {
            assert.ok(existsSync(source + script), script);
        }
        const words = new Set(
            "FROM WORKDIR COPY RUN USER ENV EXPOSE STOPSIGNAL ENTRYPOINT CMD".split(" "),
        );
        const joined = text.replace(/\\\n/g, " ");
        for (const line of joined.split("\n").filter((one) => /^[^#\s]/.test(one))) {
            assert.ok(words.has(line.split(" ")[0]!), line);
        }
        assert.match(text, /^USER \d+:\d+$/m);
        const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)![1]!) as string[];
        const command = JSON.parse(/^CMD (.*)$/m.exec(text)![1]!) as string[];
        assert.deepEqual(entry, ["/usr/bin/pawl"]);
        await check(["pawl", ...command].join(" "));
    });
});
