import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { database, define, pawl, request, runToEnd } from "./support/server.js";
import { until } from "./support/until.js";

// How many runs there are, and how many began and ended over time.

async function get(path: string): Promise<{ status: number; json: any }> {
    const response = await request("GET", path);
    return { status: response.status, json: await response.json() };
}

describe("figures of runs", { concurrency: 2 }, () => {
    test("counts are by status, and stop at ten thousand", async () => {
        const done = await define([{ name: "a", code: "echo" }]);
        const failing = await define([{ name: "a", code: "fail", retry: { attempts: 1 } }]);
        await runToEnd(done);
        await runToEnd(done);
        await runToEnd(failing);
        const counts = async (workflow: string): Promise<Record<string, [number, boolean]>> => {
            const { json } = await get(`/v1/runs/counts?workflow=${workflow}`);
            return Object.fromEntries(
                json.data.map((one: any) => [one.status, [one.count, one.complete]]),
            );
        };
        assert.deepEqual(await counts(done), {
            queued: [0, true],
            running: [0, true],
            waiting: [0, true],
            completed: [2, true],
            failed: [0, true],
            cancelled: [0, true],
        });
        assert.deepEqual((await counts(failing))["failed"], [1, true]);
        await database.query(
            `insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version,
                                   bucket, status)
             select gen_random_uuid(), now(), now(), 1, w.id, 1, 0, 3
               from pawl.workflow w, generate_series(1, 10001) where w.name = $1`,
            [failing],
        );
        assert.deepEqual((await counts(failing))["cancelled"], [10_000, false]);
        assert.equal((await get("/v1/runs/counts?wrkflow=x")).status, 400);
    });

    test("runs are found by error and data", async () => {
        const failing = await define([{ name: "pay", code: "fail", retry: { attempts: 1 } }]);
        const hostile = "'; drop table pawl.run; --";
        const small = await pawl.start(failing, { total: 99.5, note: hostile });
        const large = await pawl.start(failing, { total: 250, items: [{ sku: "A-7" }] });
        await Promise.all([small, large].map(({ id }) => pawl.wait(id)));
        const found = async (conditions: Record<string, string | string[]>) => {
            const query = new URLSearchParams({ workflow: failing });
            for (const [key, values] of Object.entries(conditions)) {
                for (const value of [values].flat()) query.append(key, value);
            }
            const { json } = await get(`/v1/runs?${query}`);
            const counts = (await get(`/v1/runs/counts?${query}`)).json;
            const counted = counts.data.reduce((sum: number, one: any) => sum + one.count, 0);
            assert.equal(counted, json.data.length, query.toString());
            assert.equal(json.scanned, 2, query.toString());
            return json.data.map((run: any) => run.id);
        };
        const both = [large.id, small.id];
        assert.deepEqual(await found({ error: "PAY" }), both);
        assert.deepEqual(await found({ error: hostile }), []);
        assert.deepEqual(await found({ where: "data.total>100" }), [large.id]);
        assert.deepEqual(await found({ where: "data.total<=99.5" }), [small.id]);
        assert.deepEqual(await found({ where: ["data.total>1", "data.total<100"] }), [small.id]);
        assert.deepEqual(await found({ where: "data.items[0].sku=A-7" }), [large.id]);
        assert.deepEqual(await found({ where: `data.note=${hostile}` }), [small.id]);
        assert.deepEqual(await found({ where: "data.note=null", error: "pay" }), [large.id]);
        const preview = await pawl.previewBulk({
            action: "retry",
            filter: { workflow: failing, error: "pay", where: ["data.total>100"] },
        });
        assert.deepEqual([preview.total, preview.sample], [1, [large.id]]);
    });

    test("what is wrong with a search is said", async () => {
        const wrong = async (query: string, says: RegExp) => {
            for (const path of ["/v1/runs", "/v1/runs/counts"]) {
                const { status, json } = await get(`${path}?${query}`);
                assert.equal(status, 400, query);
                assert.match(JSON.stringify(json), says);
            }
        };
        await wrong("where=total%3E1", /"where".*does not begin with data\..*like data.total>100/);
        await wrong("where=data.total", /has none of/);
        await wrong("where=data.total%3D%5B1%5D", /a list or an object/);
        await wrong(`where=${"data.a%3D1&where=".repeat(10)}data.a%3D1`, /more than 10/);
        await wrong(`error=${"x".repeat(501)}`, /"error".*500/);
        await wrong("error=%00", /./);
        const body = { action: "retry", filter: { where: ["data.total"] }, dry_run: true };
        const response = await request("POST", "/v1/runs/bulk", { body });
        assert.equal(response.status, 422);
        assert.match(await response.text(), /\/filter\/where.*has none of/);
    });

    test("rates are those of the runs", async () => {
        const workflow = await define([{ name: "a", code: "echo" }]);
        for (let i = 0; i < 3; ++i) await runToEnd(workflow);
        const cancelled = await define([{ name: "a", type: "wait", config: { duration: "1h" } }]);
        const { id } = await pawl.start(cancelled, {});
        await pawl.cancel(id);
        await pawl.wait(id);
        const sum = (json: any, what: string): number =>
            json.data.reduce((all: number, one: any) => all + one[what], 0);
        // The workers count every 15 seconds, and leave out the last ten.
        const rates = await until("the workers have counted", async () => {
            const from = new Date(Date.now() - 3_600_000).toISOString();
            const { json } = await get(`/v1/runs/rates?workflow=${workflow}&step=1m&from=${from}`);
            return sum(json, "completed") === 3 && json;
        });
        assert.equal(sum(rates, "started"), 3);
        assert.equal(sum(rates, "failed"), 0);
        for (const step of ["5m", "1h", "1d"]) {
            const { json } = await get(`/v1/runs/rates?workflow=${workflow}&step=${step}`);
            assert.deepEqual(
                [json.step, sum(json, "started"), sum(json, "completed")],
                [step, 3, 3],
            );
        }
        const other = await until("the cancelled one too", async () => {
            const { json } = await get(`/v1/runs/rates?workflow=${cancelled}`);
            return sum(json, "cancelled") === 1 && json;
        });
        assert.equal(other.step, "5m");
        const gaps = other.data.map((one: any, i: number) => {
            return i === 0 ? 300_000 : Date.parse(one.at) - Date.parse(other.data[i - 1].at);
        });
        assert.ok(gaps.every((gap: number) => gap === 300_000));
        // Nothing is counted twice.
        await database.query("select pawl.rate_runs(0::smallint)");
        await database.query("select pawl.rate_runs(0::smallint)");
        const { json } = await get(`/v1/runs/rates?workflow=${workflow}`);
        assert.equal(sum(json, "started"), 3);
    });

    test("the overview counts what waits and what fails", async () => {
        const workflow = await define([{ name: "a", code: "fail", retry: { attempts: 1 } }]);
        await runToEnd(workflow);
        const asks = await define([{ name: "a", human: { title: "Go on?", due: "1h" } }]);
        await pawl.start(asks, {});
        const { json } = await until("the task is there", async () => {
            const answer = await get("/v1/overview");
            return answer.json.tasks?.due_soon > 0 && answer;
        });
        assert.ok(json.failures.groups >= 1 && json.failures.runs >= 1);
        assert.ok(json.tasks.open >= 1 && json.tasks.oldest_at && json.tasks.next_due_at);
        assert.equal(json.service.workers.length >= 1, true);
        const health = await until("the workers have looked", async () => {
            const answer = await get("/v1/overview");
            return answer.json.service.database;
        });
        assert.ok(health.size_bytes > 0 && health.connections_max > 0);
        assert.ok(health.partition_weeks_ahead >= 1);
        assert.equal((await get("/v1/overview?x=1")).status, 400);
    });

    test("a range that is none is refused", async () => {
        for (const query of [
            "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
            "from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z",
            "from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z&step=1m",
            "step=7m",
            "from=yesterday",
        ]) {
            assert.equal((await get(`/v1/runs/rates?${query}`)).status, 400, query);
        }
    });
});
