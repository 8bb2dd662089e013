import type { Job, Schedule } from "@pawl/client";
import { Pawl } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { audience, ended, read, runsOf, trigger, waits, yearly } from "./support/audiences.js";
import { checkedFetch, readProblem } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { database, databaseUrl, define, keyWith, pawl, request } from "./support/server.js";
import { until } from "./support/until.js";

// Runs for all that a query gives, by the clock or at once, and the rules by which people enter.

describe("an audience", { concurrency: 4 }, () => {
    before(async () => {
        await database.query(`create table if not exists fans
            (id int primary key, tier text, born date);
            insert into fans select g, case when g % 3 = 0 then 'gold' else 'silver' end,
            date '2000-01-01' + g from generate_series(1, 30) g on conflict do nothing`);
    });

    test("gets one run a row, with its columns as input", async () => {
        const schedule = await audience(
            "select id as subject, tier, born from fans where tier = 'gold'; ",
        );
        assert.equal(
            schedule.audience,
            "select id as subject, tier, born from fans where tier = 'gold'",
        );
        const done = await ended(await trigger(schedule));
        assert.equal(done.status, "done");
        assert.deepEqual([done.total, done.done, done.failed], [10, 10, 0]);
        assert.deepEqual(done.counts, { entered: 10, existing: 0, kept_out: 0 });
        assert.equal(done.schedule, schedule.id);
        const runs = await runsOf(schedule.workflow);
        assert.equal(runs.length, 10);
        assert.deepEqual(runs[0], { subject: "12", input: { tier: "gold", born: "2000-01-13" } });
    });

    test("is not given up when what was read takes long to store", async () => {
        const schedule = await audience(
            "select current_setting('idle_in_transaction_session_timeout') as subject",
        );
        await ended(await trigger(schedule));
        assert.deepEqual(
            (await runsOf(schedule.workflow)).map((run) => run.subject),
            ["10min"],
        );
    });

    test("is read when its slot comes", async () => {
        const schedule = await audience(
            "select id as subject from fans where id < 3",
            {},
            {
                schedule: "* * * * *",
            },
        );
        // The slot of this minute has passed; a backfill does not wait for the next.
        const from = new Date(Date.now() - 61_000).toISOString();
        await read(
            request("POST", `/v1/schedules/${schedule.id}/backfill`, { body: { from } }),
            202,
        );
        await until("the runs are started", async () => {
            const runs = await runsOf(schedule.workflow);
            return runs.length >= 2 && runs.length % 2 === 0;
        });
        const jobs = await read<{ data: Job[] }>(request("GET", "/v1/jobs?limit=50"));
        const mine = jobs.data.filter((job) => job.workflow === schedule.workflow);
        assert.ok(mine.length > 0);
        assert.match(mine[0]?.slot ?? "", /:00\.000000Z$|:00Z$/);
    });

    test("is previewed without starting anything", async () => {
        const schedule = await audience("select id as subject, tier from fans");
        const seen = await read<{ count: number; examples: unknown[] }>(
            request("POST", `/v1/schedules/${schedule.id}/preview`),
        );
        assert.equal(seen.count, 30);
        assert.equal(seen.examples.length, 10);
        assert.deepEqual(seen.examples[0], { subject: 1, tier: "silver" });
        assert.deepEqual(await runsOf(schedule.workflow), []);
        const env = { DATABASE_URL: databaseUrl };
        const said = await pawlCommand(
            ["schedules", "show", String(schedule.id), "-o", "json"],
            env,
        );
        assert.equal((JSON.parse(said) as Schedule).audience, schedule.audience);
        const body = { query: "select id as subject from fans where id > 28" };
        const query = await read<{ count: number }>(
            request("POST", "/v1/audiences/preview", { body }),
        );
        assert.equal(query.count, 2);
        const plain = await define(waits, { triggers: [{ cron: yearly }] });
        const [other] = await pawl.schedules.list({ workflow: plain }).take(1);
        await readProblem(await request("POST", `/v1/schedules/${other?.id}/preview`), 409);
    });

    test("is refused when it is saved, with the place of what is wrong", async () => {
        for (const [query, says] of [
            [
                "select id from fans",
                /triggers\[0\]\.audience: must have a column subject.*it has id/,
            ],
            ["select ida as subject from fans", /column "ida" does not exist \(line 1, column 8\)/],
            ["select id as subject\nfrom nobody_s", /relation "nobody_s" does not exist \(line 2/],
            ["select id as subject frm fans", /triggers\[0\]\.audience: .*\(line 1/],
            ["delete from fans", /must be a SELECT/],
            ["with x as (delete from fans returning id) select id as subject from x", /WITH/],
        ] as const) {
            const name = `bad-${randomUUID()}`;
            const triggers = [{ audience: query, schedule: yearly }];
            const body = { name, steps: waits, triggers };
            const answer = await request("POST", "/v1/workflows", { body });
            const problem = await readProblem(answer, answer.status);
            assert.equal(Math.floor(answer.status / 100), 4, query);
            assert.match(problem.detail ?? "", says);
            await readProblem(await request("GET", `/v1/workflows/${name}`), 404);
        }
        const body = { query: "select oops as subject" };
        const problem = await readProblem(
            await request("POST", "/v1/audiences/preview", { body }),
            422,
        );
        assert.match(problem.detail ?? "", /column "oops" does not exist \(line 1, column 8\)/);
        // It is the query that is wrong, not the database.
        const query = "select set_config('transaction_read_only', 'off', false) as subject";
        const meddles = await request("POST", "/v1/audiences/preview", { body: { query } });
        assert.match((await readProblem(meddles, 422)).detail, /transaction read-write mode/);
    });

    test("only reads, and is published by an administrator", async () => {
        await database.query(`create table if not exists scratch (n int);
            create or replace function scribble() returns int language sql as
            'insert into scratch values (1) returning n'`);
        const schedule = await audience("select scribble() as subject");
        const failed = await ended(await trigger(schedule));
        assert.equal(failed.status, "failed");
        assert.match(failed.error ?? "", /read-only transaction/);
        assert.equal((await database.query("select from scratch")).rowCount, 0);
        const key = await keyWith("workflows:write", "workflows:read");
        const name = `w-${randomUUID()}`;
        const triggers = [{ audience: "select 1 as subject", schedule: yearly }];
        const body = { name, steps: waits, triggers };
        await readProblem(await request("POST", "/v1/workflows", { key, body }), 403);
    });

    test("is paused, goes on, and is cancelled", async () => {
        const schedule = await audience("select g as subject from generate_series(1, 200000) g");
        const job = await trigger(schedule);
        const paused = await read<Job>(request("POST", `/v1/jobs/${job.id}/pause`));
        assert.equal(paused.status, "paused");
        const counted = async (): Promise<number> =>
            (await read<Job>(request("GET", `/v1/jobs/${job.id}`))).done;
        // The part under way is finished.
        let before = -1;
        await until("it stands still", async () => {
            const now = await counted();
            const same = now === before;
            before = now;
            return same;
        });
        assert.ok(before < 200_000);
        await read(request("POST", `/v1/jobs/${job.id}/resume`));
        await until("it goes on", async () => (await counted()) > before);
        const over = await read<Job>(
            request("POST", `/v1/jobs/${job.id}/cancel`, { body: { by: "ann" } }),
        );
        assert.equal(over.status, "cancelled");
        await readProblem(await request("POST", `/v1/jobs/${job.id}/resume`), 409);
        await readProblem(await request("POST", `/v1/jobs/${job.id}/pause`), 409);
        await readProblem(await request("POST", `/v1/jobs/${randomUUID()}/pause`), 404);
        await until("what is left is removed", async () => {
            const text = "select 1 from pawl.audience_member where job = $1 limit 1";
            return (await database.query(text, [job.id])).rowCount === 0;
        });
    });
});

describe("rules of entry", { concurrency: 4 }, () => {
    before(async () => {
        const people = [
            { key: "gold-ann", attributes: { tier: "gold" } },
            { key: "silver-bob", attributes: { tier: "silver" } },
        ];
        for (const { key, ...body } of people) {
            await read(request("PUT", `/v1/people/${key}`, { body }));
        }
    });

    test("keep people out by every door who do not meet enter_if", async () => {
        const event = `signed-${randomUUID()}`;
        const workflow = await define(waits, {
            enter_if: { tier: "gold" },
            triggers: [{ event }],
        });
        const start = (subject: string): Promise<Response> =>
            request("POST", "/v1/runs", { body: { workflow, subject } });
        const problem = await readProblem(await start("silver-bob"), 409);
        assert.equal(problem.code, "not_entered");
        await readProblem(await start("unknown"), 409);
        await read(start("gold-ann"), 201);
        const runs = [
            { workflow, subject: "gold-ann" },
            { workflow, subject: "silver-bob" },
        ];
        const batch = await read<{ data: { id?: string; entered?: boolean }[] }>(
            request("POST", "/v1/runs/batch", { body: { runs } }),
            201,
        );
        assert.ok(batch.data[0]?.id);
        assert.deepEqual([batch.data[1]?.id, batch.data[1]?.entered], [undefined, false]);
        for (const subject of ["silver-bob", "gold-ann"]) {
            await pawl.inbox.publish({ name: event, key: subject, subject });
        }
        await until("the event started its run", async () => (await runsOf(workflow)).length === 3);
        const subjects = (await runsOf(workflow)).map((run) => run.subject);
        assert.deepEqual(subjects, ["gold-ann", "gold-ann", "gold-ann"]);
    });

    test("let a subject enter again after a while", async () => {
        const workflow = await define([{ name: "s", code: "noop" }], { reentry: { after: "1h" } });
        const start = async (): Promise<boolean> => {
            const body = { workflow, subject: "ann" };
            const answer = await request("POST", "/v1/runs", { body });
            return ((await answer.json()) as { created: boolean }).created;
        };
        assert.equal(await start(), true);
        assert.equal(await start(), false);
        await database.query(
            `update pawl.reentry r set at = at - interval '61 min' from pawl.workflow w
             where w.id = r.workflow and w.name = $1`,
            [workflow],
        );
        assert.equal(await start(), true);
        assert.equal(await start(), false);
    });

    test("hold out a share that is always the same and gets nothing", async () => {
        const query = "select 'person-' || g as subject from generate_series(1, 200) g";
        const triggers = [{ audience: query, schedule: yearly }];
        const workflow = await define([{ name: "s", code: "noop" }], { triggers, holdout: 50 });
        const [schedule] = await pawl.schedules.list({ workflow }).take(1);
        assert.ok(schedule);
        const heldOut = async (): Promise<string[]> => {
            const text = `select r.subject from pawl.run r join pawl.workflow w on w.id = r.workflow
                where w.name = $1 and r.output = '{"outcome": "holdout"}' and r.status = 1
                order by r.run_id`;
            const { rows } = await database.query<{ subject: string }>(text, [workflow]);
            return rows.map((row) => row.subject);
        };
        const closed = async (count: number): Promise<boolean> => {
            const text = `select count(*)::int as n from pawl.run r
                join pawl.workflow w on w.id = r.workflow where w.name = $1`;
            const { rows } = await database.query<{ n: number }>(text, [workflow]);
            return rows[0]?.n === count;
        };
        await ended(await trigger(schedule));
        await until("all runs have ended", () => closed(200));
        const first = (await heldOut()).sort();
        assert.ok(first.length > 60 && first.length < 140, String(first.length));
        await ended(await trigger(schedule));
        await until("all runs have ended again", () => closed(400));
        assert.deepEqual((await heldOut()).sort(), [...first, ...first].sort());
    });
});

describe("a server that is killed while it starts an audience", () => {
    const count = Number(process.env["PAWL_AUDIENCE"] ?? 40_000);
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

    test("starts each run once all the same", async () => {
        const patient = new Pawl({
            url: server.url,
            key: server.key,
            fetch: checkedFetch,
            retries: 50,
        });
        const audience = `select g as subject, g % 7 as n from generate_series(1, ${count}) g`;
        const triggers = [{ audience, schedule: yearly }];
        await patient.workflows.apply({ name: "w", steps: waits, triggers } as never);
        const headers = { Authorization: `Bearer ${server.key}` };
        const begun = Date.now();
        await fetch(`${server.url}/v1/schedules/1/trigger`, { method: "POST", headers });
        const job = async (): Promise<{ status: string; total: number; done: number }> => {
            const text = "select status, total::int as total, done::int as done from pawl.job";
            const { rows } = await client.query<{ status: string; total: number; done: number }>(
                text,
            );
            return rows[0] ?? { status: "", total: 0, done: 0 };
        };
        await until("it reads", async () => (await job()).total > 0);
        await server.kill();
        await server.start();
        await until("it starts runs", async () => (await job()).done > 0, 60_000 + count);
        await server.kill();
        await server.start();
        await until("it is done", async () => (await job()).status === "done", 600_000 + count);
        const text = `select count(*)::int as runs, count(distinct subject)::int as people
            from pawl.live_run`;
        const { rows } = await client.query<{ runs: number; people: number }>(text);
        assert.deepEqual(rows[0], { runs: count, people: count });
        assert.deepEqual(await job(), { status: "done", total: count, done: count });
        if (process.env["PAWL_AUDIENCE"]) {
            console.log(`${count} in ${(Date.now() - begun) / 1000} s`);
        }
    });
});
