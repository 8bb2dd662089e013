import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Bouncer } from "./support/bouncer.js";
import { pawlExit } from "./support/process.js";
import { freshDatabase } from "./support/serve.js";

interface Finding {
    check: string;
    verdict: "ok" | "warn" | "fail";
    detail: string;
    next: string | null;
}

describe("pawl doctor", () => {
    let url = "";
    let client: pg.Client;

    async function doctor(
        args: string[] = [],
        at = url,
    ): Promise<{ code: number; of: (check: string) => Finding[] }> {
        const { code, stdout } = await pawlExit(["doctor", "-o", "json", ...args], {
            DATABASE_URL: at,
        });
        const all = JSON.parse(stdout) as Finding[];
        for (const { verdict, detail, next } of all) {
            assert.notEqual(detail, "");
            assert.equal(verdict === "ok", next === null, `${detail}: ${next}`);
        }
        return { code, of: (check) => all.filter((one) => one.check === check) };
    }

    before(async () => {
        url = await freshDatabase();
        client = new pg.Client({ connectionString: url });
        await client.connect();
    });
    after(() => client.end());

    test("finds unsafe settings, and exits with 1", async () => {
        // The cluster of the tests is fast, not safe.
        const { code, of } = await doctor();
        assert.equal(code, 1);
        const details = of("settings").map((one) => one.detail);
        for (const name of ["fsync", "full_page_writes", "synchronous_commit", "autovacuum"]) {
            assert.ok(
                details.some((detail) => detail.startsWith(`${name} is off`)),
                name,
            );
        }
        await client.query("alter table pawl.signal set (autovacuum_enabled = off)");
        const [table] = (await doctor()).of("settings").filter((one) => /signal/.test(one.detail));
        assert.match(table!.next!, /alter table pawl.signal reset/);
        await client.query("alter table pawl.signal reset (autovacuum_enabled)");
    });

    test("exits with 0 for warnings, with --strict for none", async () => {
        const skip = ["--skip", "settings"];
        assert.equal((await doctor(skip)).code, 0); // no worker: a warning
        assert.equal((await doctor([...skip, "--strict"])).code, 1);
        assert.deepEqual((await doctor(skip)).of("settings"), []);
    });

    test("says when the user may not carry out tasks of queues", async () => {
        await client.query(`do $$ begin
            create role pawl_doctor_app login; grant pawl_worker, pawl_api to pawl_doctor_app;
        exception when duplicate_object or unique_violation then null; end $$`);
        const at = url.replace("postgres@", "pawl_doctor_app@");
        const [alone] = (await doctor([], at)).of("roles");
        assert.equal(alone?.verdict, "warn");
        assert.equal(alone!.next, "grant worker_service_user to pawl_doctor_app");
        await client.query(alone!.next!);
        assert.deepEqual((await doctor([], at)).of("roles"), []);
        assert.deepEqual((await doctor()).of("roles"), []);
        await client.query("revoke worker_service_user from pawl_doctor_app");
    });

    test("finds webhooks that are not told", async () => {
        assert.deepEqual(
            (await doctor()).of("webhooks").map((one) => one.verdict),
            ["ok"],
        );
        await client.query(`
            insert into pawl.outbox_target (id, tenant, kind, address, disabled_at,
                                            disabled_because)
            values (901, 1, 'webhook', 'https://example.com/a', null, null),
                   (902, 1, 'webhook', 'https://example.com/b', null, null),
                   (903, 1, 'webhook', 'https://example.com/c', now(), 'it is gone');
            insert into pawl.outbox (run_id, created_at, seq, target, tenant, bucket, type, state,
                                     error, due_at, finished_at)
            values (gen_random_uuid(), now() - interval '1 hour', 0, 901, 1, 0, 'run.failed', 0,
                    'its secret cannot be read', now(), null),
                   (gen_random_uuid(), now(), 0, 902, 1, 0, 'run.failed', 3,
                    'answered 500', null, now())`);
        const found = (await doctor()).of("webhooks");
        assert.deepEqual(
            found.map((one) => one.verdict),
            ["warn", "warn", "warn"],
        );
        assert.match(
            found[0]!.detail,
            /^webhook 901: deliveries that wait: 1, .*: its secret cannot be/,
        );
        assert.equal(found[0]!.next, "pawl webhooks deliveries 901 --state pending");
        assert.match(
            found[1]!.detail,
            /^webhook 902: deliveries that failed for good: 1.*answered 500/,
        );
        assert.match(found[2]!.detail, /^webhook 903 is disabled since .*: it is gone/);
        assert.equal(found[2]!.next, "pawl webhooks enable 903");
        const patient = (await doctor(["--patience", "2h"])).of("webhooks");
        assert.ok(!patient.some((one) => one.detail.includes("901")));
        await client.query("delete from pawl.outbox; delete from pawl.outbox_target");
    });

    test("names the session that holds a snapshot, by pid and query", async () => {
        const holder = new pg.Client({ connectionString: url, application_name: "forgetful" });
        await holder.connect();
        await holder.query("begin isolation level repeatable read");
        await holder.query("select 42 as kept");
        const { rows } = await holder.query("select pg_backend_pid() as pid");
        await holder.query("select 42 as kept");
        const held = (await doctor(["--patience", "1ms"]))
            .of("snapshots")
            .find((one) => one.detail.includes("select 42 as kept"));
        await holder.end();
        assert.equal(held?.verdict, "warn");
        assert.match(held!.detail, new RegExp(`pid ${rows[0].pid} .*forgetful.*idle in trans`));
        assert.match(held!.next!, new RegExp(`pg_terminate_backend\\(${rows[0].pid}\\)`));
    });

    test("does not report ok for what its user cannot see", async () => {
        const role = `blind_${process.pid}`;
        await client.query(`create role ${role} login`);
        await client.query(`grant pawl_worker to ${role}`);
        await client.query("revoke pg_read_all_stats from pawl_worker");
        const others = Array.from({ length: 20 }, () => new pg.Client({ connectionString: url }));
        await Promise.all(others.map((one) => one.connect()));
        try {
            const { of } = await doctor(
                ["--patience", "1ms"],
                url.replace("postgres@", `${role}@`),
            );
            const [blind] = of("snapshots").filter((one) => one.verdict === "warn");
            assert.match(blind!.detail, /sees its own sessions only/);
            assert.equal(blind!.next, `grant pg_read_all_stats to ${role}`);
            // These sessions belong to another user, and count all the same.
            const taken = Number(/^(\d+) of/.exec(of("connections")[0]!.detail)![1]);
            assert.ok(taken > others.length, `${taken}`);
        } finally {
            await Promise.all(others.map((one) => one.end()));
            await client.query("grant pg_read_all_stats to pawl_worker");
            await client.query(`drop owned by ${role}; drop role ${role}`);
        }
        assert.ok((await doctor()).of("snapshots").every((one) => one.verdict !== "fail"));
    });

    test("finds missing partitions, and what it says to do helps", async () => {
        const week = await client.query(
            `select to_char(date_trunc('week', now() at time zone 'UTC') + '1 week', 'YYYYMMDD')
                    as w`,
        );
        await client.query(`drop table pawl.event_${week.rows[0].w}`);
        const [missing] = (await doctor()).of("partitions");
        assert.equal(missing!.verdict, "warn");
        assert.match(missing!.detail, new RegExp(`event_${week.rows[0].w}`));
        await client.query("select pawl.ensure_partitions()");
        assert.equal((await doctor()).of("partitions")[0]!.verdict, "ok");
    });

    test("finds dead workers, and runs that are stuck", async () => {
        await client.query("begin");
        await client.query(`
            insert into pawl.worker (id, host, pid, version, beat_at)
            values ('00000000-0000-7000-8000-000000000001', 'far', 7, '1', now() - '1h'::interval),
                   ('00000000-0000-7000-8000-000000000002', 'near', 8, '1', now());
            insert into pawl.live_run
                (run_id, due_at, tenant, workflow, version, bucket, state, priority, worker)
            select r, now(), 1, 1, 1, 0, 1, 0, w from (values
                (pawl.uuid7(), '00000000-0000-7000-8000-000000000001'::uuid),
                (pawl.uuid7(), '00000000-0000-7000-8000-000000000002'),
                (pawl.uuid7(), '00000000-0000-7000-8000-000000000003')) as x (r, w);
            insert into pawl.event (run_id, at, seq, bucket, type, data)
            select run_id, now() - interval '1 hour', 0, 0, 0, '{}' from pawl.live_run;
            insert into pawl.signal (bucket, run_id, kind, at)
            select 0, run_id, 'resume', now() - interval '1 hour' from pawl.live_run limit 1`);
        await client.query("commit");
        const { code, of } = await doctor(["--skip", "settings"]);
        assert.equal(code, 1);
        const dead = of("dead workers");
        assert.equal(dead.length, 1);
        assert.match(dead[0]!.detail, /pid 7 on far.*runs that it holds: 1$/);
        const stuck = of("stuck runs");
        assert.match(stuck[0]!.detail, /^runs held by workers that are gone: 1, /);
        assert.match(stuck[1]!.detail, /^runs being worked on without any news for long: 3, /);
        assert.match(stuck[2]!.detail, /^messages for runs that no worker took: 1, /);
        await client.query(stuck[0]!.next!);
        const again = (await doctor()).of("stuck runs");
        assert.ok(again.every((one) => one.verdict !== "fail"));
        await client.query(
            "delete from pawl.signal; delete from pawl.live_run; delete from pawl.worker",
        );
    });

    test("finds work that is behind", async () => {
        await client.query(`
            with sent as (
                insert into pawl.inbox (id, bucket, tenant, event_id, name, key, at)
                overriding system value
                values (1000001, 0, 1, 'e', 'n', 'k', now() - interval '1 hour') returning id)
            insert into pawl.inbox_pending (bucket, id) select 0, id from sent`);
        await client.query(`
            insert into queues.task (task_type, payload, scheduled_at)
            values ('db_function', '{}', now() - interval '1 hour')`);
        const lag = (await doctor()).of("lag").map((one) => one.detail);
        assert.match(lag[0]!, /^events that were not matched with waiting runs/);
        assert.match(lag[1]!, /^tasks of the database/);
        await client.query("delete from pawl.inbox_pending; delete from queues.task");
        assert.equal((await doctor()).of("lag")[0]!.verdict, "ok");
    });

    test("finds gates that count wrong", async () => {
        await client.query(
            `insert into pawl.flow_gate (bucket, gate, base, "limit", held)
             values (0, '1/x', 3, 3, 2)`,
        );
        const [gate] = (await doctor()).of("limits");
        assert.equal(gate!.verdict, "fail");
        assert.match(gate!.detail, /1\/x counts 2, and 0 are inside/);
        await client.query("delete from pawl.flow_gate");
    });

    test("finds a run that is closed and open at once, and mends it", async () => {
        const run = "01900000-0000-7000-8000-00000000c105";
        await client.query(
            `insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version,
                                   bucket, status)
             values ('${run}', now(), now(), 1, 1, 1, 0, 1);
             insert into pawl.event (run_id, at, seq, bucket, type)
             values ('${run}', now(), 0, 0, 4);
             insert into pawl.live_run (run_id, due_at, tenant, workflow, version, bucket, state,
                                        priority)
             values ('${run}', now() + interval '1 day', 1, 1, 1, 0, 2, 0)`,
        );
        const [found] = (await doctor()).of("closed runs");
        assert.equal(found!.verdict, "fail");
        assert.match(found!.next!, /--repair/);
        const repaired = await doctor(["--repair"]);
        assert.match(repaired.of("repair")[0]!.detail, /^1 closed run had something open/);
        assert.equal(repaired.of("closed runs")[0]!.verdict, "ok");
        await client.query(`delete from pawl.run where run_id = '${run}'`);
    });

    test("finds too few connections, of a role and behind a pooler", async () => {
        const role = `few_${process.pid}`;
        await client.query(
            `create role ${role} login connection limit 6; grant pawl_worker to ${role}`,
        );
        const limited = await doctor([], url.replace("postgres@", `${role}@`));
        assert.equal(limited.of("connections")[0]!.verdict, "warn");
        assert.match(limited.of("room")[0]!.detail, /only \d could be opened/);
        await client.query(`drop owned by ${role}; drop role ${role}`);
        assert.equal((await doctor()).of("room")[0]!.verdict, "ok");

        const bouncer = new Bouncer(url, 4);
        try {
            const pooled = await doctor(["--prepare", "off"], await bouncer.start());
            assert.match(pooled.of("room")[0]!.detail, /15 connections share 4 of the server/);
            assert.equal(pooled.of("listen")[0]!.verdict, "warn");
            assert.equal(pooled.of("statements")[0]!.verdict, "ok");
        } finally {
            bouncer.stop();
        }
    });

    // A pool of one, and one that gives the session out first that came back last.
    for (const pool of [1, 4]) {
        test(`finds a pooler that loses prepared statements, with ${pool} sessions`, async () => {
            const bouncer = new Bouncer(url, pool);
            try {
                const { code, of } = await doctor(["--skip", "room"], await bouncer.start());
                assert.equal(code, 1);
                const [statements] = of("statements");
                assert.equal(statements!.verdict, "fail");
                assert.match(statements!.detail, /pooler in transaction mode/);
                assert.match(statements!.next!, /--prepare off/);
                // The other checks do not fail for the same reason.
                assert.equal(of("privileges")[0]!.verdict, "ok");
                assert.equal(of("writes")[0]!.verdict, "ok");
            } finally {
                bouncer.stop();
            }
        });
    }
});
