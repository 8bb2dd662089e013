import { Pawl, type Run } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { database, databaseUrl, pawl, url } from "./support/server.js";
import { until } from "./support/until.js";

// Steps that work on data: transform (jq), sql, and conditions that ask the database.

type Node = Record<string, unknown>;

async function define(client: Pawl, nodes: Node[], edges: Node[] = []): Promise<string> {
    const name = `w-${randomUUID()}`;
    await client.workflows.apply({ name, nodes, edges } as never);
    return name;
}

async function run(
    nodes: Node[],
    edges: Node[] = [],
    data: Record<string, unknown> = {},
    subject?: string,
): Promise<Run> {
    const workflow = await define(pawl, nodes, edges);
    const { id } = await pawl.start(workflow, data, subject === undefined ? {} : { subject });
    return await pawl.wait(id, { timeout: 30_000 });
}

function failure(run: Run): { code?: string; message?: string } {
    return (run.error ?? {}) as { code?: string; message?: string };
}

describe("transform steps", { concurrency: 4 }, () => {
    test("work on everything templates can see, and their result is the first output", async () => {
        const nodes = [
            { id: "priced", transform: { jq: "{total: (.input.items | map(.price * .n) | add)}" } },
            {
                id: "told",
                transform: { jq: ".", input: { sum: "{{ steps.priced.result.total }}" } },
            },
            { id: "all", transform: { jq: "[.total, .steps.told.result.sum, .run.subject]" } },
        ];
        const edges = [
            { from: "priced", to: "told" },
            { from: "told", to: "all" },
        ];
        const items = [
            { price: 2.5, n: 2 },
            { price: 1, n: 7 },
        ];
        const done = await run(nodes, edges, { items }, "c1");
        assert.equal(done.status, "completed", JSON.stringify(done.error));
        assert.deepEqual(done.output, [12, 12, "c1"]);
    });

    test("an error of the program goes the way of errors", async () => {
        const nodes = [
            { id: "bad", transform: { jq: 'error("no stock for " + .input.sku)' } },
            { id: "seen", code: "echo", input: { why: "{{ error.message }}" } },
        ];
        const edges = [{ from: "bad", to: "seen", handle: "error.jq" }];
        const done = await run(nodes, edges, { sku: "A7" });
        assert.equal(done.status, "completed", JSON.stringify(done.error));
        assert.deepEqual(done.output, { why: "no stock for A7" });
    });

    test("a loop without end is cut, and others go on", async () => {
        const loop = [{ id: "loop", transform: { jq: "def f: f; f" }, timeout: "300ms" }];
        const fine = [{ id: "fine", transform: { jq: "1 + 1" } }];
        const [cut, ...rest] = await Promise.all([run(loop), run(fine), run(fine)]);
        assert.equal(cut?.status, "failed");
        assert.equal(failure(cut as Run).code, "timeout");
        for (const done of rest) assert.deepEqual([done.status, done.output], ["completed", 2]);
    });

    test("the environment of the server is not to be seen", async () => {
        const done = await run([{ id: "env", transform: { jq: "[env, $ENV]" } }]);
        assert.deepEqual(done.output, [{}, {}]);
    });
});

describe("sql steps", { concurrency: 4 }, () => {
    test("bind their params and give rows", async () => {
        const table = `points_${randomUUID().replaceAll("-", "")}`;
        await database.query(`create table ${table} (who text primary key, n int not null)`);
        const statement = `insert into ${table} values ($1, $2) returning who, n`;
        const params = ["{{ run.subject }}", "{{ input.points }}"];
        const nodes = [{ id: "award", sql: { statement, params } }];
        const evil = `x'); drop table ${table}; --`;
        const done = await run(nodes, [], { points: 7 }, evil);
        assert.equal(done.status, "completed", JSON.stringify(done.error));
        assert.deepEqual(done.output, { rows: [{ who: evil, n: 7 }], count: 1 });
        const { rows } = await database.query(`select n from ${table}`);
        assert.deepEqual(rows, [{ n: 7 }]);

        const again = [{ id: "award", sql: { statement, params } }];
        const refused = await run(again, [], { points: 7 }, evil);
        assert.equal(refused.status, "failed");
        assert.equal(failure(refused).code, "sql.23505");
    });

    test("are published by administrators", async () => {
        const definition = (name: string): never =>
            ({ name, nodes: [{ id: "a", sql: { statement: "select 1" } }], edges: [] }) as never;
        const authorKey = await createKey(databaseUrl, ["workflows:write", "workflows:read"]);
        const author = new Pawl({
            url,
            key: authorKey,
            fetch: checkedFetch,
        });
        const name = `w-${randomUUID()}`;
        for (const publish of ["apply", "draft"] as const) {
            await assert.rejects(
                author.workflows[publish](definition(name)),
                (error: { status?: number; message?: string }) =>
                    error.status === 403 && /scope admin/.test(error.message ?? ""),
            );
        }
        const tool = { name: "q", description: "Asks", sql: { statement: "select 1" } };
        const config = { url: "http://m", model: "m", instructions: "i", tools: [tool] };
        const agent = { type: "agent", config };
        await assert.rejects(
            author.workflows.apply({ name, nodes: [{ id: "a", ...agent }], edges: [] } as never),
            (error: { status?: number; message?: string }) =>
                error.status === 403 && /a tool of step 'a'.*scope admin/.test(error.message ?? ""),
        );
        assert.equal((await pawl.workflows.apply(definition(name))).version, 1);

        // Nor do others bring such a version back.
        const plain = { name, nodes: [{ id: "a", code: "noop" }], edges: [] } as never;
        assert.equal((await author.workflows.apply(plain)).version, 2);
        const rollback = fetch(`${url}/v1/workflows/${name}/rollback`, {
            method: "POST",
            headers: { authorization: `Bearer ${authorKey}`, "content-type": "application/json" },
            body: JSON.stringify({ to: 1 }),
        });
        assert.equal((await rollback).status, 403);
        for (const bringBack of [
            () => author.workflows.activate(name, 1),
            () => author.workflows.canary(name, [{ version: 1, share: 50 }]),
            () => author.workflows.migrate(name, { to: 1 }),
        ]) {
            await assert.rejects(
                bringBack(),
                (error: { status?: number; message?: string }) =>
                    error.status === 403 && /scope admin/.test(error.message ?? ""),
            );
        }
        assert.equal((await pawl.workflows.get(name)).version, 2);
        assert.equal((await author.workflows.activate(name, 2)).version, 2);
        assert.equal((await pawl.workflows.activate(name, 1)).version, 1);
    });

    test("are refused when the server cannot read them", async () => {
        const name = `w-${randomUUID()}`;
        const definition = (statement: string): never =>
            ({ name, nodes: [{ id: "due", sql: { statement } }], edges: [] }) as never;
        for (const publish of ["apply", "draft"] as const) {
            await assert.rejects(
                pawl.workflows[publish](definition("select id\nfrom where id = $1")),
                (error: { status?: number; message?: string }) =>
                    error.status === 422 &&
                    /due\.statement.*at or near "where" \(line 2, column 6\)/.test(
                        error.message ?? "",
                    ),
            );
        }
        // What it names may come later, and nothing of it is run.
        const later = "drop table not_there_yet";
        assert.equal((await pawl.workflows.apply(definition(later))).version, 1);
    });
});

describe("a server that has no login for sql steps", () => {
    test("says that it does not carry them out", async () => {
        const server = new Serve(await freshDatabase());
        await server.start();
        try {
            const client = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch });
            const workflow = await define(client, [{ id: "a", sql: { statement: "select 1" } }]);
            const { id } = await client.start(workflow);
            const done = await client.wait(id, { timeout: 30_000 });
            assert.equal(done.status, "failed");
            assert.equal(failure(done).code, "no_sql_login");
            assert.match(failure(done).message ?? "", /--sql-url/);
        } finally {
            await server.stop();
        }
    });
});

describe("conditions that ask", { concurrency: 4 }, () => {
    test("go the way that the subject's row tells", async () => {
        const table = `customers_${randomUUID().replaceAll("-", "")}`;
        await database.query(`create table ${table} (id text primary key, plan text)`);
        await database.query(`insert into ${table} values ('ann', 'pro'), ('ben', 'free')`);
        const query = { table, field: "plan", operator: "=", value: "{{ input.plan }}" };
        const nodes = [
            {
                id: "ask",
                type: "condition",
                config: { all: [{ query }, { path: "input.on", operator: "=", value: true }] },
            },
            { id: "yes", code: "echo", input: { answer: "yes" } },
            { id: "no", code: "echo", input: { answer: "no" } },
        ];
        const edges = [
            { from: "ask", to: "yes", handle: "true" },
            { from: "ask", to: "no", handle: "false" },
        ];
        const data = { plan: "pro", on: true };
        await assert.rejects(define(pawl, nodes, edges), /ask\.all\[0\]\.query: .*allow_condition/);
        const allow = () => database.query("select pawl.allow_condition_table($1, 'id')", [table]);
        await allow();
        const workflow = await define(pawl, nodes, edges);
        await database.query("select pawl.forbid_condition_table($1)", [table]);
        const { id } = await pawl.start(workflow, data, { subject: "ann" });
        const refused = await pawl.wait(id, { timeout: 30_000 });
        assert.equal(refused.status, "failed", "not allowed any more");
        assert.equal(failure(refused).code, "condition");
        assert.match(failure(refused).message ?? "", /allow_condition_table/);

        await allow();
        for (const [subject, on, answer] of [
            ["ann", true, "yes"],
            ["ann", false, "no"],
            ["ben", true, "no"],
            ["stranger", true, "no"],
        ] as const) {
            const done = await run(nodes, edges, { plan: "pro", on }, subject);
            assert.equal(done.status, "completed", JSON.stringify(done.error));
            assert.deepEqual(done.output, { answer }, subject);
        }
    });
});

// kill -9 at the worst moments; locks hold the worker there.
describe("a sql step of a worker that is killed", () => {
    let server: Serve;
    let client: pg.Client;
    let locker: pg.Client;
    let patient: Pawl;
    let workflow: string;
    before(async () => {
        server = new Serve(await freshDatabase(), ["--unsafe-sql-as-engine"]);
        await server.start();
        client = new pg.Client({ connectionString: server.databaseUrl });
        locker = new pg.Client({ connectionString: server.databaseUrl });
        await Promise.all([client.connect(), locker.connect()]);
        await client.query("create table counted (n int)");
        patient = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch, retries: 50 });
        const statement = "insert into counted values (1) returning n";
        workflow = await define(patient, [{ id: "count", sql: { statement } }]);
    });
    after(async () => {
        await Promise.all([client.end(), locker.end()]);
        await server.stop();
    });

    async function counted(): Promise<number> {
        const { rows } = await locker.query<{ n: number }>(
            "select count(*)::int as n from counted",
        );
        return rows[0]?.n ?? -1;
    }
    async function awaited(table: string): Promise<void> {
        const text = "select 1 from pg_locks where not granted and relation = $1::regclass";
        await until(`a lock on ${table} is waited for`, async () =>
            Boolean((await locker.query(text, [table])).rowCount),
        );
    }

    test("in the middle of the statement: it is done once", async () => {
        await client.query("begin");
        await client.query("lock table counted in exclusive mode");
        const { id } = await patient.start(workflow);
        await awaited("counted");
        await server.kill();
        await client.query("commit");
        await server.start();
        const done = await patient.wait(id, { timeout: 60_000 });
        assert.equal(done.status, "completed", JSON.stringify(done.error));
        assert.equal(await counted(), 1);
    });

    test("between its commit and the one of its event: it is done once", async () => {
        await client.query("begin");
        await client.query("lock table counted in exclusive mode");
        const { id } = await patient.start(workflow);
        await awaited("counted");
        await locker.query("begin");
        await locker.query("lock table pawl.event in exclusive mode");
        await client.query("commit");
        await until("the statement is committed", async () => (await counted()) === 2);
        await awaited("pawl.event");
        await server.kill();
        // Otherwise Postgres would carry out the statement without a client for its result.
        const text = `select pg_terminate_backend(pid) from pg_locks
            where not granted and relation = 'pawl.event'::regclass`;
        await locker.query(text);
        await locker.query("commit");
        await server.start();
        const done = await patient.wait(id, { timeout: 60_000 });
        assert.equal(done.status, "completed", JSON.stringify(done.error));
        assert.deepEqual(done.output, { rows: [{ n: 1 }], count: 1 });
        assert.equal(await counted(), 2);
    });
});
