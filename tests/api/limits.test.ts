import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { database, databaseUrl, define, pawl, request } from "./support/server.js";
import { until } from "./support/until.js";

const waits = [{ name: "go", wait: { signal: "go" } }];

/** How many runs of a workflow have begun to wait, and how many are queued. */
async function counts(workflow: string): Promise<{ waiting: number; queued: number }> {
    const runs = await pawl.list({ workflow }).take(100);
    const of = (status: string): number => runs.filter((run) => run.status === status).length;
    return { waiting: of("waiting"), queued: of("queued") };
}

async function untilCounts(workflow: string, waiting: number, queued: number): Promise<void> {
    await until(`${waiting} runs wait and ${queued} are queued`, async () => {
        const now = await counts(workflow);
        return now.waiting === waiting && now.queued === queued ? true : undefined;
    });
}

describe("limits", { concurrency: 4 }, () => {
    test("hold runs back by key, and are changed while they run", async () => {
        const flow = { concurrency: { key: "{{ customer }}", limit: 2 } };
        const workflow = await define(waits, { flow });
        const ids: string[] = [];
        for (let i = 0; i < 4; i++) ids.push((await pawl.start(workflow, { customer: 7 })).id);
        await pawl.start(workflow, { customer: 8 });
        await untilCounts(workflow, 3, 2);
        const [seven, eight] = await pawl.limits.list({ workflow }).all();
        assert.deepEqual(seven, {
            scope: "workflow",
            workflow,
            name: "concurrency",
            key: "7",
            limit: 2,
            defined: 2,
            set: null,
            running: 2,
            waiting: 2,
        });
        assert.equal(eight?.running, 1);
        await pawl.limits.set({ workflow, name: "concurrency" }, 3);
        await untilCounts(workflow, 4, 1);
        await pawl.limits.set({ workflow, name: "concurrency", key: "7" }, 4);
        await untilCounts(workflow, 5, 0);
        await pawl.limits.clear({ workflow, name: "concurrency" });
        await pawl.limits.clear({ workflow, name: "concurrency", key: "7" });
        await pawl.start(workflow, { customer: 7 });
        await untilCounts(workflow, 5, 1);
        for (const id of ids) await pawl.signal(id, "go");
        await untilCounts(workflow, 2, 0);
        assert.equal(
            (await database.query("select * from pawl.flow_problems(0::smallint)")).rowCount,
            0,
        );
    });

    test("a queued run can be cancelled", async () => {
        const workflow = await define(waits, { flow: { concurrency: { limit: 1 } } });
        await pawl.start(workflow);
        const { id } = await pawl.start(workflow);
        await untilCounts(workflow, 1, 1);
        const why = (await (await request("GET", `/v1/runs/${id}/why`)).json()) as {
            sentence: string;
            what_helps: string;
        };
        assert.equal(why.sentence, "It waits at the limit concurrency: 1 of 1 are inside, 1 wait.");
        assert.match(
            why.what_helps,
            new RegExp(`pawl limits set concurrency 2 --workflow ${workflow}$`),
        );
        await pawl.cancel(id, { reason: "not needed" });
        const run = await pawl.wait(id, { timeout: 60_000 });
        assert.equal(run.status, "cancelled");
    });

    test("a start that lacks what a key needs is refused", async () => {
        const flow = { concurrency: { key: "{{ customer }}", limit: 2 } };
        const workflow = await define(waits, { flow });
        const problem = await readProblem(
            await request("POST", "/v1/runs", { body: { workflow } }),
            422,
        );
        assert.match(JSON.stringify(problem), /customer/);
    });

    test("a rate spreads runs, or drops them", async () => {
        const rate = { limit: 1, per: "1h", burst: 2 };
        const steps = [{ name: "s", code: "noop" }];
        const spread = await define(steps, { flow: { rate } });
        for (let i = 0; i < 4; i++) await pawl.start(spread);
        await until("two are done", async () => {
            const runs = await pawl.list({ workflow: spread, status: ["completed"] }).take(10);
            return runs.length === 2 ? true : undefined;
        });
        await untilCounts(spread, 2, 0);
        const dropped = await define(steps, { flow: { rate: { ...rate, over: "drop" } } });
        for (let i = 0; i < 4; i++) await pawl.start(dropped);
        await until("two are dropped", async () => {
            const runs = await pawl.list({ workflow: dropped, status: ["cancelled"] }).take(10);
            return runs.length === 2 ? true : undefined;
        });
    });

    test("a debounce keeps the last input, a batch all of them", async () => {
        const step = [{ name: "s", code: { function: "echo", input: "{{ input }}" } }];
        const debounce = { key: "{{ c }}", period: "1s" };
        const last = await define(step, { flow: { debounce } });
        const first = await pawl.start(last, { c: 1, n: 1 });
        const second = await pawl.start(last, { c: 1, n: 2 });
        assert.deepEqual([second.id, second.created], [first.id, false]);
        const run = await pawl.wait(first.id, { timeout: 60_000 });
        assert.equal(run.status, "completed");
        assert.deepEqual((run.output as { s: unknown }).s ?? run.output, { c: 1, n: 2 });
        assert.deepEqual(run.input, { c: 1, n: 2 });
        const batch = { size: 3, max_wait: "1h" };
        const all = await define(
            [{ name: "s", code: { function: "echo", input: "{{ items }}" } }],
            {
                flow: { batch },
            },
        );
        const started = await pawl.startMany(
            [1, 2, 3].map((n) => ({ workflow: all, data: { n } })),
        );
        assert.equal(new Set(started.map((one) => one.id)).size, 1);
        const together = await pawl.wait(started[0]!.id, { timeout: 60_000 });
        assert.match(JSON.stringify(together.output), /"n":1.*"n":2.*"n":3/);
        assert.deepEqual(together.input, { items: [{ n: 1 }, { n: 2 }, { n: 3 }] });
        const again = await pawl.rerun(together.id);
        const same = await pawl.wait(again.id, { timeout: 60_000 });
        assert.deepEqual([same.input, same.output], [together.input, together.output]);
    });

    test("say what is wrong with a request", async () => {
        const wrong = async (body: unknown, status: number): Promise<void> => {
            await readProblem(await request("POST", "/v1/limits", { body }), status);
        };
        await wrong({ name: "x" }, 422);
        await wrong({ name: "a/b", limit: 1 }, 422);
        await wrong({ name: "x", limit: -1 }, 422);
        await wrong({ name: "x", limit: 1, speed: 2 }, 422);
        await wrong({ name: "x", limit: 1, workflow: "no-such" }, 404);
        const flow = { concurrency: { limit: 2 }, rate: { limit: 1, per: "1s" } };
        const workflow = await define(waits, { flow });
        const body = { name: "concurency", limit: 1, workflow };
        const problem = await readProblem(await request("POST", "/v1/limits", { body }), 404);
        assert.match(problem.detail, /did you mean 'concurrency'\?; it has: concurrency, rate/);
        await wrong({ name: `unknown-${Date.now()}`, limit: 1 }, 404);
        assert.deepEqual(await pawl.limits.list({ workflow }).all(), []);
        await pawl.limits.set({ workflow, name: "rate" }, 5);
        await pawl.limits.clear({ workflow, name: "rate" });
    });

    test("the command line shows and changes them", async () => {
        const env = { DATABASE_URL: databaseUrl };
        const name = `shared-${Date.now()}`;
        await define(waits, { flow: { concurrency: { name, limit: 3, scope: "tenant" } } });
        await pawlCommand(["limits", "set", name, "7"], env);
        const listed = await pawlCommand(["limits", "list", "-o", "json"], env);
        assert.match(JSON.stringify(listed), new RegExp(name));
        await pawlCommand(["limits", "clear", name], env);
        assert.ok(!(await pawl.limits.list().all()).some((limit) => limit.name === name));
    });
});
