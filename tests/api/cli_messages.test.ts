import { Pawl } from "@pawl/client";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import { binary } from "./support/paths.js";
import { pawlExit } from "./support/process.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// What people read on the command line: dates, numbers of things, refusals, and what Tab offers.

describe("what the command line says", () => {
    let server: Serve;
    let pawl: Pawl;
    let run = "";
    const folder = mkdtempSync(`${tmpdir()}/pawl-said-`);
    const call = (words: string[]) => pawlExit(words, { DATABASE_URL: server.databaseUrl });

    before(async () => {
        server = new Serve(await freshDatabase());
        await server.start();
        pawl = new Pawl({ url: server.url, key: server.key });
        const steps = [{ name: "rest", wait: "30d" }];
        await pawl.workflows.apply({ name: "long_rest", steps } as never);
        run = (await pawl.start("long_rest")).id;
        await until("it rests", async () => (await pawl.get(run)).status === "waiting");
    });
    after(async () => {
        await server.stop();
        rmSync(folder, { recursive: true });
    });

    test("a time of another day has its date", async () => {
        const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
        const { stdout } = await call(["runs", "show", run]);
        assert.match(stdout, new RegExp(`until ${day} \\d\\d:\\d\\d:\\d\\d`));
        const why = await call(["runs", "why", run]);
        assert.match(why.stdout, new RegExp(`until ${day}`));
    });

    test("one run matches, two match", async () => {
        const words = ["runs", "bulk", "cancel", "--workflow", "long_rest", "--dry-run"];
        assert.match((await call(words)).stderr, /^1 run matches; nothing was changed$/m);
        const other = (await pawl.start("long_rest")).id;
        assert.match((await call(words)).stderr, /^2 runs match; nothing was changed$/m);
        await pawl.cancel(other);
    });

    for (const more of [[], ["--draft"]]) {
        test(`a label that is taken: exit code 8 ${more.join(" ")}`, async () => {
            const file = `${folder}/order.yaml`;
            const text = (step: string): string =>
                `name: order\nversion: 1.0.0\nsteps: [{name: ${step}, code: noop}]\n`;
            writeFileSync(file, text("a"));
            assert.equal((await call(["workflows", "apply", "-f", file])).code, 0);
            assert.equal((await call(["workflows", "apply", "-f", file, ...more])).code, 0);
            writeFileSync(file, text("b"));
            const { code, stderr } = await call(["workflows", "apply", "-f", file, ...more]);
            assert.equal(code, 8, stderr);
            assert.match(stderr, /version 1\.0\.0 of workflow 'order' .* raise the version/);
            assert.doesNotMatch(stderr, /sqlstate|22023|query/i);
        });
    }

    test("an account names a hook only if its provider calls back", async () => {
        const file = `${folder}/account.json`;
        const key = `${folder}/secret`;
        writeFileSync(key, "0".repeat(64));
        const settings = { from: "Shop <news@shop.example>" };
        const add = async (connector: string, credentials: unknown) => {
            writeFileSync(file, JSON.stringify({ credentials, settings }));
            const words = ["connectors", "accounts", "put", connector, "main", "-f", file];
            const done = await call([...words, "--secret-key", key]);
            assert.equal(done.code, 0, done.stderr);
            const list = await call(["connectors", "accounts", "list", connector]);
            return { ...done, list: list.stdout };
        };
        const quiet = await add("smtp", { url: "smtp://127.0.0.1:1" });
        assert.equal(quiet.stdout, "main\n");
        assert.doesNotMatch(quiet.stderr + quiet.list, /hooks|console/);
        const calls = await add("resend", { api_key: "k" });
        assert.match(calls.stdout, /\/v1\/hooks\/resend\//);
        assert.match(calls.stderr, /the provider's console/);
        assert.match(calls.list, /\/v1\/hooks\/resend\//);
    });

    test("Tab offers what is in the database", async () => {
        const offers = async (...words: string[]): Promise<string[]> => {
            const { code, stdout } = await call(["complete", "--", ...words]);
            assert.equal(code, 0);
            return stdout.split("\n").map((line) => line.split("\t")[0]!);
        };
        assert.ok((await offers("run", "lo")).includes("long_rest"));
        assert.ok((await offers("runs", "why", "")).includes(run));
        assert.ok((await offers("runs", "list", "--workflow", "")).includes("order"));
        assert.ok((await offers("--tenant", "de")).includes("default"));
        assert.deepEqual(await offers("run", "nothing_like_it"), [""]);
    });

    test("Tab in bash", () => {
        const script = `pawl() { ${binary} "$@"; }
            eval "$(pawl completion bash)"
            COMP_WORDS=(pawl run lo); COMP_CWORD=2; _pawl; echo "\${COMPREPLY[@]}"
            COMP_WORDS=(pawl work); COMP_CWORD=1; _pawl; echo "\${COMPREPLY[@]}"`;
        const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: server.databaseUrl };
        const { stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8", env });
        assert.equal(stdout, "long_rest\nworker workflows\n");
    });

    test("Tab without a database says nothing, and soon", async () => {
        // An address that swallows what is sent to it.
        const url = "postgresql://someone@192.0.2.1/none";
        const began = Date.now();
        const { code, stdout, stderr } = await pawlExit(["complete", "--", "run", ""], {
            DATABASE_URL: url,
        });
        assert.deepEqual([code, stdout, stderr], [0, "", ""]);
        assert.ok(Date.now() - began < 20_000);
    });

    test("a shell that is not known is wrong input", async () => {
        const { code, stderr } = await call(["completion", "tcsh"]);
        assert.equal(code, 2);
        assert.match(stderr, /bash, zsh or fish/);
    });
});
