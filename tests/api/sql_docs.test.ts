import { Pawl } from "@pawl/client";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import pg from "pg";
import { source } from "./support/paths.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// The SQL of a page of the documentation is run as a reader would: one block after the other, in
// one psql, with a server beside it. A block that fails ends it, and is named.

/** The page as one script, in which the lines are where they are on the page. */
function scriptOf(page: string, language = "sql"): string {
    let inside = false;
    const lines = readFileSync(`${source}docs/${page}`, "utf8").split("\n");
    const script = lines.map((line) => {
        const fence = line.startsWith("```");
        if (fence) inside = line === "```" + language;
        return inside && !fence ? line : "";
    });
    return script.join("\n");
}

function psql(url: string, script: string): Promise<{ stdout: string }> {
    const args = ["-X", "-v", "ON_ERROR_STOP=1", "-d", url, "-f", "-"];
    const running = promisify(execFile)("psql", args, { timeout: 60_000 });
    running.child.stdin?.end(script);
    return running;
}

describe("docs/sql.md", () => {
    let server: Serve;
    let client: pg.Client;
    before(async () => {
        server = new Serve(await freshDatabase(), ["--unsafe-sql-as-engine"]);
        await server.start();
        client = new pg.Client({ connectionString: server.databaseUrl });
        await client.connect();
    });
    after(async () => {
        await client.end();
        await server.stop();
    });

    test("every block works, and does what the page says", async () => {
        const { stdout } = await psql(server.databaseUrl, scriptOf("sql.md"));
        assert.match(stdout, /completed/);
        await psql(server.databaseUrl, scriptOf("sql.md"));
        const of = async (text: string): Promise<unknown> =>
            Object.values((await client.query(text)).rows[0] as object)[0];
        const orders = "select count(distinct run_id)::int from orders where run_id is not null";
        assert.equal(await of(orders), 101);
        const rolledBack = "select count(*)::int from pawl.correlation where key = 'order-18'";
        assert.equal(await of(rolledBack), 0);
        assert.equal(await of("select count(*)::int from pawl.inbox"), 1);
        const cancelled = `select count(*)::int from orders o, pawl.result(o.run_id) r
            where r.status = 'cancelled'`;
        await until("ten are cancelled", async () => (await of(cancelled)) === 10);
        const waiting = `select count(*)::int from orders o where pawl.status(run_id) = 'waiting'`;
        await until("the others wait", async () => (await of(waiting)) === 90);
    });

    test("a block that fails is found", async () => {
        const broken = psql(server.databaseUrl, "select 1;\n\nselect pawl.start('nothing');\n");
        await assert.rejects(broken, /<stdin>:3: ERROR: {2}Workflow not found: nothing/);
    });
});

describe("docs/queues.md", () => {
    test("every block works, and messages start runs", async () => {
        const server = new Serve(await freshDatabase());
        await server.start();
        const client = new pg.Client({ connectionString: server.databaseUrl });
        await client.connect();
        try {
            const { url, key } = server;
            await new Pawl({ url, key }).workflows.apply(scriptOf("queues.md", "yaml").trim());
            const { stdout } = await psql(server.databaseUrl, scriptOf("queues.md"));
            assert.match(stdout, /{"order": 17}/);
            const runs = `select count(*)::int as n from workflow_executions
                where workflow_name = 'fulfil_order' and triggered_by = 'queue'`;
            await until("the run", async () => (await client.query(runs)).rows[0].n === 1);
        } finally {
            await client.end();
            await server.stop();
        }
    });
});
