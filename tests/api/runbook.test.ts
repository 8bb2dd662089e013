import { Pawl } from "@pawl/client";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { source } from "./support/paths.js";
import { pawlExit } from "./support/process.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// What the runbook says about versions, done as it says.

/** The calls of pawl in a section, word by word. */
function callsIn(title: string): string[][] {
    const book = readFileSync(`${source}docs/runbook.md`, "utf8");
    const section = book.split(/^## /m).find((one) => one.startsWith(`${title}\n`));
    assert.ok(section, title);
    return Array.from(section.matchAll(/^\$ pawl (.*)$/gm), ([, line]) =>
        Array.from(line!.matchAll(/"([^"]*)"|(\S+)/g), (word) => word[1] ?? word[2]!),
    );
}

/** A workflow that waits in the middle, at a step of this name. */
function flow(version: string, wait: string) {
    const steps = [
        { name: "order", code: "echo", input: { a: 1 } },
        { name: wait, wait: { signal: "go" } },
        { name: "book", code: "echo", input: { version } },
    ];
    return { name: "order", version, steps } as never;
}

describe("the runbook", () => {
    let server: Serve;
    let pawl: Pawl;
    let database: pg.Client;

    before(async () => {
        const url = await freshDatabase();
        database = new pg.Client({ connectionString: url });
        await database.connect();
        server = new Serve(url);
        await server.start();
        pawl = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch });
        await pawl.workflows.apply(flow("1.0.0", "answer"));
        await pawl.workflows.apply(flow("2.0.0", "reply"));
    });
    after(async () => {
        await server.stop();
        await database.end();
    });

    const run = (words: string[]) => pawlExit(words, { DATABASE_URL: server.databaseUrl });
    const head = async () => (await pawl.workflows.get("order")).label;
    const waits = (id: string) =>
        until("it waits", async () => (await pawl.get(id)).status === "waiting");
    const finish = async (id: string) => {
        await pawl.signal(id, "go");
        const done = await pawl.wait(id);
        assert.deepEqual([done.status, (done.output as any).version], ["completed", "1.0.0"]);
    };

    test("a bad version is live", async () => {
        const runs = [];
        for (let i = 0; i < 3; ++i) runs.push((await pawl.start("order")).id);
        for (const id of runs) await waits(id);
        const calls = callsIn("A bad version is live");
        assert.deepEqual(
            calls.map((words) => words[1]),
            ["off", "history", "rollback", "on", "impact", "migrate", "retire"],
        );
        for (const words of calls) {
            const { code, stderr } = await run(words);
            assert.equal(code, 0, `${words.join(" ")}: ${stderr}`);
        }
        assert.equal(await head(), "1.0.0");
        assert.ok((await pawl.workflows.version("order", "2.0.0")).retired_at);
        for (const id of runs) {
            await until("it has moved", async () => (await pawl.get(id)).version === 1);
            await finish(id);
        }
    });

    test("runs of an unknown version are held", async () => {
        assert.equal((await run(["versions", "unretire", "order", "2.0.0"])).code, 0);
        await pawl.workflows.activate("order", "2.0.0");
        await server.stop();
        const { rows } = await database.query("select pawl.start('order')::text as id");
        const id = rows[0].id as string;
        const change = `update pawl.workflow_version set definition = $1
            where workflow = pawl.workflow_id(1, 'order') and version = 2`;
        const stored = await database.query(
            `select definition from pawl.workflow_version
              where workflow = pawl.workflow_id(1, 'order') and version = 2`,
        );
        // A version never changes; this one is written by a release that is not there yet.
        await database.query("set session_replication_role = replica");
        const steps = [{ id: "order", type: "teleport" }];
        await database.query(change, [{ name: "order", version: "2.0.0", steps }]);
        await server.start();
        const last = async () =>
            JSON.parse((await run(["runs", "show", id, "-o", "json"])).stdout).events.at(-1).type;
        await until("it is held", async () => (await last()) === "run_held");

        const calls = callsIn("Runs of an unknown version are held");
        assert.deepEqual(
            calls.map((words) => words[1]),
            ["list", "rollback", "impact", "migrate"],
        );
        const [list, rollback, impact, migrate] = calls;
        assert.match((await run(list!)).stdout, /2\.0\.0/);
        assert.equal((await run(rollback!)).code, 0);
        assert.equal(await head(), "1.0.0");
        const blind = await run([...impact!.filter((word) => !/map|=/.test(word)), "-o", "json"]);
        assert.equal(blind.code, 8, blind.stderr);
        assert.deepEqual(JSON.parse(blind.stdout).counts, { would_break: 1 });
        assert.equal(await last(), "run_held");

        // A server that knows it comes.
        await server.stop();
        await database.query(change, [stored.rows[0].definition]);
        await database.query("update pawl.live_run set due_at = now()");
        await server.start();
        await waits(id);
        for (const words of [impact!, migrate!]) {
            const { code, stderr } = await run(words);
            assert.equal(code, 0, `${words.join(" ")}: ${stderr}`);
        }
        await until("it has moved", async () => (await pawl.get(id)).version === 1);
        await finish(id);
    });
});
