import type { PawlError, Schedule } from "@pawl/client";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Pawl } from "@pawl/client";
import { checkedFetch, readProblem } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { database, databaseUrl, define, pawl, request, sink } from "./support/server.js";
import { until } from "./support/until.js";

const steps = [{ name: "s", code: "noop" }];
const hour = 3_600_000;

/** A workflow with one schedule, and that schedule once its next slot is known. */
async function scheduled(trigger: Record<string, unknown>): Promise<Schedule> {
    const workflow = await define(steps, { triggers: [trigger] });
    return await until("the next slot is known", async () => {
        const [schedule] = await pawl.schedules.list({ workflow }).take(1);
        return schedule?.next_at ? schedule : undefined;
    });
}

function runsOf(schedule: { workflow: string }): Promise<{ correlation_id: string | null }[]> {
    return pawl.list({ workflow: schedule.workflow }).take(1000) as never;
}

describe("schedules", { concurrency: 4 }, () => {
    test("come with the definition, and go with it", async () => {
        const schedule = await scheduled({
            cron: "30 9 * * mon-fri",
            timezone: "Europe/Berlin",
            overlap: "queue",
            catch_up: "2h",
            jitter: "1m",
            input: { day: "{{ schedule.date }}" },
        });
        assert.equal(schedule.status, "active");
        assert.equal(schedule.cron, "30 9 * * mon-fri");
        assert.equal(schedule.timezone, "Europe/Berlin");
        assert.equal(schedule.overlap, "queue");
        assert.equal(schedule.catch_up, "2h");
        assert.equal(schedule.jitter, "1m");
        assert.deepEqual(schedule.input, { day: "{{ schedule.date }}" });
        const { upcoming } = await pawl.schedules.get(schedule.id);
        assert.equal(upcoming?.length, 5);
        assert.equal(upcoming?.[0], schedule.next_at);
        for (const slot of upcoming ?? []) {
            const clock = new Date(slot).toLocaleString("en-GB", {
                timeZone: "Europe/Berlin",
                timeStyle: "short",
            });
            assert.equal(clock, "09:30");
        }
        await pawl.workflows.deactivate(schedule.workflow);
        assert.equal((await pawl.schedules.get(schedule.id)).status, "inactive");
        await pawl.workflows.apply({ name: schedule.workflow, steps } as never);
        await readProblem(await request("GET", `/v1/schedules/${schedule.id}`), 404);
    });

    test("a definition whose schedule could never fire is refused", async () => {
        for (const [trigger, message] of [
            [{ cron: "0 25 * * *" }, /triggers\[0\]\.cron: cron hour '25'/],
            [{ cron: "0 0 31 2 *" }, /can never fire/],
            [{ cron: "@daily", timezone: "Berlin" }, /did you mean 'Europe\/Berlin'/],
            [{ cron: "@daily", overlap: "never" }, /skip, allow, queue/],
            [{ cron: "@daily", input: [1] }, /input: must be a map/],
            [{}, /one of an event, a queue, a cron expression or an audience/],
        ] as const) {
            const verdict = await pawl.workflows.validate({
                name: "x",
                steps,
                triggers: [trigger],
            } as never);
            assert.match(verdict.errors[0]?.detail ?? "", message);
        }
    });

    test("a slot that is due starts a run, once", async () => {
        const schedule = await scheduled({ cron: "@yearly", input: { at: "{{schedule.slot}}" } });
        const slot = new Date(Date.now() - 60_000).toISOString();
        await database.query(
            "update pawl.schedule set next_at = $2, due_at = now() where id = $1",
            [schedule.id, slot],
        );
        const fired = await until("it has fired", async () => {
            const now = await pawl.schedules.get(schedule.id);
            return now.fired > 0 ? now : undefined;
        });
        assert.equal(fired.fired, 1);
        assert.equal(Date.parse(fired.last_slot ?? ""), Date.parse(slot));
        assert.equal(fired.next_at, schedule.next_at, "and the next one is as before");
        const run = await pawl.wait(fired.last_run_id ?? "", { timeout: 60_000 });
        assert.equal(run.status, "completed");
        assert.equal(run.triggered_by, "schedule");
        assert.match(run.correlation_id ?? "", new RegExp(`^schedule:${schedule.id}:`));
        assert.equal(Date.parse((run.input as { at: string }).at), Date.parse(slot));
        assert.equal((await runsOf(schedule)).length, 1);
    });

    test("pause and resume", async () => {
        const schedule = await scheduled({ cron: "@hourly" });
        const paused = await pawl.schedules.pause(schedule.id, { reason: "holidays" });
        assert.equal(paused.status, "paused");
        assert.equal(paused.pause_reason, "holidays");
        assert.equal(paused.next_at, null);
        await database.query(
            "update pawl.schedule set next_at = now(), due_at = now() where id = $1",
            [schedule.id],
        );
        const resumed = await pawl.schedules.resume(schedule.id);
        assert.equal(resumed.status, "active");
        assert.equal(resumed.pause_reason, null);
        const again = await until("the next slot is known", async () => {
            const now = await pawl.schedules.get(schedule.id);
            return now.next_at ? now : undefined;
        });
        assert.equal(again.next_at, schedule.next_at);
        assert.equal(again.fired, 0, "what came while it was paused is left out");
    });

    test("trigger: now, with another input if need be", async () => {
        const schedule = await scheduled({ cron: "@yearly", input: { a: 1 } });
        const usual = await pawl.schedules.trigger(schedule.id);
        assert.deepEqual((await pawl.get(usual.id)).input, { a: 1 });
        const other = await pawl.schedules.trigger(schedule.id, { input: { a: 2 } });
        assert.deepEqual((await pawl.get(other.id)).input, { a: 2 });
        const key = `trigger-${schedule.id}`;
        const first = await pawl.schedules.trigger(schedule.id, { idempotencyKey: key });
        const second = await pawl.schedules.trigger(schedule.id, { idempotencyKey: key });
        assert.equal(first.id, second.id);
        assert.equal((await pawl.schedules.get(schedule.id)).fired, 3);
    });

    test("backfill: every slot that had no run", async () => {
        const schedule = await scheduled({ cron: "@hourly", overlap: "allow" });
        const to = new Date(Math.floor(Date.now() / hour) * hour);
        const from = new Date(to.getTime() - 30 * hour);
        const begun = await pawl.schedules.backfill(schedule.id, { from, to });
        assert.equal(begun.slots, 30);
        const over = async (): Promise<boolean> =>
            (await pawl.schedules.get(schedule.id)).backfill === null;
        await until("the backfill is over", over);
        const earlier = new Date(from.getTime() - 2 * hour);
        assert.equal((await pawl.schedules.backfill(schedule.id, { from: earlier, to })).slots, 32);
        await until("the second backfill is over", over);
        const keys = (await runsOf(schedule)).length;
        assert.equal(keys, 32);
        assert.equal((await pawl.schedules.get(schedule.id)).fired, 32);
    });

    test("a backfill can be cancelled; what it has started goes on", async () => {
        const f = sink.function();
        const release = f.waits();
        const workflow = await define([{ name: "s", function: f.name, action: "a" }], {
            triggers: [{ cron: "@hourly", overlap: "skip" }],
        });
        const [schedule] = await pawl.schedules.list({ workflow }).all();
        const { id } = schedule!;
        const from = new Date(Date.now() - 50 * hour);
        await pawl.schedules.backfill(id, { from });
        await f.called(1);
        assert.ok((await pawl.schedules.get(id)).backfill);
        assert.equal((await pawl.schedules.cancelBackfill(id)).backfill, null);
        assert.equal((await pawl.schedules.cancelBackfill(id)).backfill, null);
        release();
        const [run] = await pawl.list({ workflow }).all();
        assert.equal((await pawl.wait(run!.id)).status, "completed");
        assert.equal((await runsOf(schedule!)).length, 1);
        await pawl.schedules.backfill(id, { from });
        const text = await pawlCommand(
            ["schedules", "backfill", String(id), "--cancel", "-o", "json"],
            {
                DATABASE_URL: databaseUrl,
            },
        );
        assert.equal((JSON.parse(text) as { backfill: unknown }).backfill, null);
        await assert.rejects(
            pawlCommand(["schedules", "backfill", String(id)], { DATABASE_URL: databaseUrl }),
            /say --from/,
        );
    });

    test("a wrong backfill is refused with its reason", async () => {
        const { id } = await scheduled({ cron: "* * * * *" });
        const path = `/v1/schedules/${id}/backfill`;
        const now = Date.now();
        const time = (hours: number): string => new Date(now + hours * hour).toISOString();
        for (const body of [
            {},
            { from: "yesterday" },
            { from: time(-1), to: time(1) },
            { from: time(-1), to: time(-2) },
            { from: time(-1), until: time(0) },
            { from: time(-24 * 30) },
        ]) {
            await readProblem(await request("POST", path, { body }), 422);
        }
        await pawl.schedules.pause(id);
        await database.query(
            "update pawl.schedule set backfill_at = now(), backfill_to = now() where id = $1",
            [id],
        );
        await readProblem(await request("POST", path, { body: { from: time(-1) } }), 409);
    });

    test("list: page by page, by workflow; what is not there is 404", async () => {
        const triggers = [{ cron: "@daily" }, { cron: "@weekly" }, { cron: "@monthly" }];
        const workflow = await define(steps, { triggers });
        const found: string[] = [];
        for await (const schedule of pawl.schedules.list({ workflow, limit: 2 })) {
            assert.equal(schedule.workflow, workflow);
            found.push(schedule.cron);
        }
        assert.deepEqual(found, ["@daily", "@weekly", "@monthly"]);
        assert.deepEqual(await pawl.schedules.list({ workflow: "none" }).take(1), []);
        for (const id of ["999999", "0", "x", "1e3", "99999999999"]) {
            await readProblem(await request("POST", `/v1/schedules/${id}/resume`), 404);
        }
        const wrong = pawl.schedules.pause(999_999);
        await assert.rejects(wrong, (error: PawlError) => error.status === 404);
    });

    test("on the command line", async () => {
        const schedule = await scheduled({ cron: "@hourly" });
        const id = String(schedule.id);
        const command = async (...args: string[]): Promise<any> =>
            JSON.parse(
                await pawlCommand(["schedules", ...args, "-o", "json"], {
                    DATABASE_URL: databaseUrl,
                }),
            );
        const listed = await command("list", "--workflow", schedule.workflow);
        assert.deepEqual(
            listed.map((one: Schedule) => [one.id, one.cron, one.status]),
            [[schedule.id, "@hourly", "active"]],
        );
        assert.equal((await command("pause", id, "--reason", "why not")).pause_reason, "why not");
        assert.equal((await command("resume", id)).status, "active");
        const from = new Date(Date.now() - 3 * hour).toISOString();
        assert.ok((await command("backfill", id, "--from", from)).backfill);
        await assert.rejects(command("pause", "999999"), /there is no schedule 999999/);
        await assert.rejects(command("backfill", id, "--from", "soon"), /--from must be a time/);
    });
});

describe("schedules of a server that is killed", () => {
    let server: Serve;
    let client: pg.Client;
    let mine: Pawl;
    before(async () => {
        server = new Serve(await freshDatabase());
        await server.start();
        client = new pg.Client({ connectionString: server.databaseUrl });
        await client.connect();
        mine = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch, retries: 50 });
    });
    after(async () => {
        await client.end();
        await server.stop();
    });

    test("every slot fires once, wherever kill -9 comes", async () => {
        const triggers = Array.from({ length: 20 }, (_, i) => ({
            cron: "* * * * *",
            overlap: "allow",
            input: { i },
        }));
        await mine.workflows.apply({ name: "often", steps, triggers } as never);
        await until("they are worked out", async () => {
            const all = await mine.schedules.list().take(100);
            return all.length === 20 && all.every((one) => one.next_at);
        });
        const { rows } = await client.query<{ now: Date }>(
            "select date_trunc('minute', now()) as now",
        );
        const minute = rows[0]?.now.getTime() ?? 0;
        const first = new Date(minute - 50 * 60_000);
        // Fifty minutes of slots of some schedules become due at once, while a locked table holds
        // the scheduler in the middle of starting their runs. There it is killed. What it had sent
        // is carried out by the database all the same, and no client gets the result.
        const locker = new pg.Client({ connectionString: server.databaseUrl });
        await locker.connect();
        for (const [low, high] of [
            [0, 6],
            [7, 13],
            [14, 19],
        ]) {
            await locker.query("begin");
            await locker.query("lock table pawl.correlation in exclusive mode");
            const due = `update pawl.schedule set next_at = $1, due_at = now()
                where place between $2 and $3`;
            await client.query(due, [first, low, high]);
            await until("a start is under way", async () => {
                const text = `select 1 from pg_locks
                    where not granted and relation = 'pawl.correlation'::regclass`;
                return Boolean((await client.query(text)).rowCount);
            });
            await server.kill();
            await locker.query("commit");
            await server.start();
            await until(`schedules ${low} to ${high} have caught up`, async () => {
                const text = `select 1 from pawl.schedule
                    where next_at <= now() and place between $1 and $2`;
                return (await client.query(text, [low, high])).rowCount === 0;
            });
        }
        await locker.end();
        await until("all have caught up", async () => {
            const text = "select 1 from pawl.schedule where next_at <= now()";
            return (await client.query(text)).rowCount === 0;
        });
        await client.query("update pawl.schedule set paused_at = now()");
        const { rows: found } = await client.query<{
            schedule: number;
            slots: number;
            runs: number;
        }>(
            `select s.id as schedule,
                    (s.fired)::int as slots,
                    (select count(*)::int from pawl.correlation c
                       join pawl.event e on e.run_id = c.run_id and e.seq = 0
                      where c.key like 'schedule:' || s.id || ':%') as runs
               from pawl.schedule s order by s.id`,
        );
        assert.equal(found.length, 20);
        for (const one of found) {
            assert.equal(one.slots, one.runs, `schedule ${one.schedule}`);
            assert.ok(one.runs >= 51, `schedule ${one.schedule} has ${one.runs}`);
        }
        const total = await client.query<{ n: number }>(
            "select count(*)::int as n from pawl.event where seq = 0",
        );
        const runs = found.reduce((sum, one) => sum + one.runs, 0);
        assert.equal(total.rows[0]?.n, runs, "no run without its slot");
        const missed = "select sum(missed + skipped)::int as n from pawl.schedule";
        assert.equal((await client.query<{ n: number }>(missed)).rows[0]?.n, 0);
    });
});
