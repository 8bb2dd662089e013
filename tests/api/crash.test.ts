import { Pawl } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { CuttingProxy } from "./support/cutting_proxy.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { functionsUrl, sink } from "./support/server.js";
import { fails, ok } from "./support/sink.js";
import { until } from "./support/until.js";

// kill -9 of the server at the worst moments. A lock in the database holds it at a chosen place
// between accepting a start and answering it.

describe("a server that is killed", () => {
    let server: Serve;
    let client: pg.Client;
    let pawl: Pawl;
    const ids: string[] = []; // of all that was started
    before(async () => {
        server = new Serve(await freshDatabase(), ["--functions-url", functionsUrl]);
        await server.start();
        client = new pg.Client({ connectionString: server.databaseUrl });
        await client.connect();
        // Patient: the server is away for a while.
        pawl = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch, retries: 50 });
        await pawl.workflows.apply("name: noop\nsteps:\n  - name: s\n    code: noop\n");
    });
    after(async () => {
        await client.end();
        await server.stop();
    });

    async function count(correlation: string): Promise<number> {
        const text = `select count(*)::int as n from workflow_executions
            where correlation_id like '%' || $1 || '%'`;
        return (await client.query<{ n: number }>(text, [correlation])).rows[0]?.n ?? -1;
    }

    /** Resolves when a session waits for a lock on the table. */
    async function awaited(table: string): Promise<void> {
        const text = "select 1 from pg_locks where not granted and relation = $1::regclass";
        await until(`a lock on ${table} is waited for`, async () =>
            Boolean((await client.query(text, [table])).rowCount),
        );
    }

    for (const [moment, table] of [
        ["before the run is written", "pawl.event"],
        ["after the run is written, before its answer is remembered", "pawl.idempotency_key"],
    ] as const) {
        test(`${moment}: the retried call yields one run`, async () => {
            const idempotencyKey = randomUUID();
            await client.query("begin");
            await client.query(`lock table ${table} in exclusive mode`);
            const starting = pawl.start("noop", {}, { idempotencyKey });
            await awaited(table);
            await server.kill();
            await client.query("commit");
            await server.start();
            ids.push((await starting).id);
            assert.equal(await count(idempotencyKey), 1);
        });
    }

    test("after the answer is remembered, before it is sent: one run", async () => {
        const proxy = new CuttingProxy(() => server.url);
        const url = await proxy.start();
        const through = new Pawl({ url, key: server.key, fetch: checkedFetch, retries: 50 });
        const idempotencyKey = randomUUID();
        proxy.holdAnswers();
        const starting = through.start("noop", {}, { idempotencyKey });
        await until("the run is there", async () => (await count(idempotencyKey)) === 1);
        await server.kill();
        proxy.passAnswers();
        await server.start();
        ids.push((await starting).id);
        assert.equal(await count(idempotencyKey), 1);
        proxy.stop();
    });

    test("a start of the document's route with a correlation_id: one run", async () => {
        const correlation_id = randomUUID();
        await client.query("begin");
        await client.query("lock table pawl.event in exclusive mode");
        const body = {
            action: "enqueue",
            payload: { workflow: "noop", data: {}, correlation_id },
        };
        const path = "/functions/v1/workflow-enqueue";
        const starting = pawl.transport.ask<{ success: boolean }>(path, body);
        await awaited("pawl.event");
        await server.kill();
        await client.query("commit");
        await server.start();
        assert.equal((await starting).success, true);
        assert.equal(await count(correlation_id), 1);
    });

    test("a bulk job goes on where it was, and touches each run once", async () => {
        const wait = [{ name: "go", wait: { signal: "go" } }];
        await pawl.workflows.apply({ name: "held", steps: wait } as never);
        await client.query("select pawl.start('held') from generate_series(1, 3000)");
        // The oldest run holds the last part of the job up until the server is gone.
        await client.query("begin");
        const oldest = `select 1 from pawl.live_run
            where workflow = pawl.workflow_id(1, 'held') order by run_id limit 1 for update`;
        await client.query(oldest);
        const { id } = await pawl.bulk({
            action: "signal",
            filter: { workflow: "held" },
            name: "go",
        });
        await until("most are done", async () => (await pawl.job(id)).done >= 2500);
        await server.kill();
        await client.query("commit");
        await server.start();
        const job = await until(
            "the job is done",
            async () => {
                const now = await pawl.job(id);
                return now.status === "done" && now;
            },
            60_000,
        );
        assert.deepEqual([job.total, job.done, job.failed], [3000, 3000, 0]);
        const text = `select count(*)::int as signals, count(distinct run_id)::int as runs from (
            select run_id from pawl.event where type = 10 and data ->> 'kind' = 'signal'
            union all select run_id from pawl.signal where kind = 'signal') x`;
        const { rows } = await client.query(text);
        assert.deepEqual(rows, [{ signals: 3000, runs: 3000 }]);
    });

    test("nothing is lost with the worker: a retry comes, a step comes again", async () => {
        const flaky = sink.function().will(fails(500, "once"), ok({ done: true }));
        const slow = sink.function();
        slow.waits();
        const retry = { attempts: 2, base: "1s", jitter: 0 };
        for (const f of [flaky, slow]) {
            const payload = { order: "{{ order }}", about: "Order {{ order }}" };
            const steps = [{ name: "s", function: f.name, action: "a", payload, retry }];
            await pawl.workflows.apply({ name: f.name, steps } as never);
            const order = { total: 1e21, zone: { north: 1.5, id: 2 }, id: 7 };
            ids.push((await pawl.start(f.name, { order })).id);
        }
        await slow.called(1);
        await until("the failure is in the log", async () =>
            (await pawl.events(ids.at(-2) ?? "").take(9)).some((one) => one.type === "step_failed"),
        );
        await server.kill();
        slow.will(ok({ done: true }));
        await server.start();
        for (const id of ids) {
            const run = await pawl.wait(id, { timeout: 60_000 });
            assert.equal(run.status, "completed", id);
        }
        assert.equal(flaky.calls.length, 2);
        const keys = slow.calls.map((call) => call.headers["idempotency-key"]);
        assert.equal(keys.length, 2);
        assert.equal(new Set(keys).size, 1);
        // A peer that compares what came under one key finds the same bytes.
        assert.equal(slow.calls[0]!.text, slow.calls[1]!.text);
    });
});
