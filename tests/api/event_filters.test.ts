import { Pawl, type Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { checkedFetch, readProblem } from "./support/contract.js";
import { ended, start, waiting } from "./support/runs.js";
import { database, databaseUrl, define, pawl, request } from "./support/server.js";
import { Serve } from "./support/serve.js";
import { until } from "./support/until.js";

/** What every event brought that ended a wait of this run, in order. */
async function heard(run: string): Promise<unknown[]> {
    const { rows } = await database.query<{ data: unknown }>(
        `select e.data -> 'value' -> 'data' as data from pawl.event e
          where e.run_id = $1 and e.node = 'w' and e.data -> 'value' ? 'name' order by e.seq`,
        [run],
    );
    return rows.map((row) => row.data);
}

/** The log has so many messages by now. */
async function received(run: string, count: number): Promise<void> {
    await until("the run got them", async () => {
        const log = await pawl.events(run).all();
        return log.filter((one) => one.type === "signal_received").length >= count;
    });
}

describe("filters on events", { concurrency: 4 }, () => {
    const filter = { path: "event.data.total", operator: ">", value: "{{ least }}" };

    test("a wait goes on with the first event that its filter lets pass", async () => {
        const workflow = await define([
            { name: "w", wait: { event: "paid", key: "{{ order }}", filter } },
        ]);
        const order = randomUUID();
        const run = await start(workflow, { order, least: 100 });
        await waiting(run);
        for (const [i, total] of [5, 100, 7].entries()) {
            await pawl.inbox.publish({ name: "paid", key: order, data: { total } });
            await received(run, i + 1);
        }
        // A name that the event does not have never lets it pass.
        await pawl.inbox.publish({ name: "paid", key: order, data: { totl: 500 } });
        await received(run, 4);
        await waiting(run);
        await pawl.inbox.publish({ name: "paid", key: order, data: { total: 101 } });
        assert.deepEqual((await ended(run))["data"], { total: 101 });
    });

    test("what was passed over is there for the wait that it fits", async () => {
        const wait = (n: number): Record<string, unknown> => ({
            event: "n",
            key: "{{ key }}",
            filter: { path: "n", operator: "=", value: n },
        });
        const workflow = await define([
            { name: "second", wait: wait(2) },
            { name: "first", wait: wait(1) },
        ]);
        const key = randomUUID();
        const run = await start(workflow, { key });
        for (const n of [1, 2]) await pawl.inbox.publish({ name: "n", key, data: { n } });
        assert.deepEqual((await ended(run))["data"], { n: 1 });
    });

    test("exit_on ends the run only by an event that fits", async () => {
        const workflow = await define([{ name: "nap", wait: "1h" }], {
            exit_on: [
                { event: "left", filter: { path: "data.why", operator: "=", value: "{{ why }}" } },
            ],
        });
        const subject = randomUUID();
        const { id } = await pawl.start(workflow, { why: "moved" }, { subject });
        await waiting(id);
        await pawl.inbox.publish({ name: "left", key: subject, data: { why: "angry" } });
        await received(id, 1);
        await pawl.inbox.publish({ name: "left", key: subject, data: {} });
        await received(id, 2);
        await waiting(id);
        await pawl.inbox.publish({ name: "left", key: subject, data: { why: "moved" } });
        assert.deepEqual(await ended(id), { exited_by: "left" });
    });

    test("all of the same event twice needs two of them", async () => {
        const one = { event: "half", key: "{{ key }}" };
        const workflow = await define([{ name: "w", wait: { events: [one, one], mode: "all" } }]);
        const key = randomUUID();
        const run = await start(workflow, { key });
        await waiting(run);
        await pawl.inbox.publish({ name: "half", key, data: 1 });
        await received(run, 1);
        await waiting(run);
        await pawl.inbox.publish({ name: "half", key, data: 2 });
        const both = (await ended(run)) as unknown as { data: number }[];
        assert.deepEqual(
            both.map((half) => half.data),
            [1, 2],
        );
    });

    test("a filter that cannot be is refused", async () => {
        for (const wrong of [
            { path: "event.dta.total", operator: "=", value: 1 },
            { path: "input.total", operator: "=", value: 1 },
            { path: "data.total", operator: "=>", value: 1 },
        ]) {
            const steps = [{ name: "w", wait: { event: "e", filter: wrong } }];
            const body = { name: `w-${randomUUID()}`, steps };
            const response = await request("POST", "/v1/workflows", { body });
            assert.match((await readProblem(response, 422)).detail, /filter/);
        }
    });
});

describe("the order of events", () => {
    const servers = [1, 2].map(() => new Serve(databaseUrl));
    before(async () => {
        for (const server of servers) await server.start();
    });
    after(async () => {
        for (const server of servers) await server.stop();
    });

    test("a loop gets them as they were acknowledged, whichever worker has it", async () => {
        const rounds = 40;
        const name = `loop-${randomUUID()}`;
        await pawl.workflows.apply({
            name,
            nodes: [
                { id: "l", type: "loop", config: { times: rounds } },
                { id: "w", type: "wait", config: { event: "tick", key: "{{ input.key }}" } },
            ],
            edges: [
                { from: "l", to: "w", handle: "each" },
                { from: "w", to: "l" },
            ],
        } as unknown as Definition);
        const clients = servers.map(({ url, key }) => new Pawl({ url, key, fetch: checkedFetch }));
        const keys = Array.from({ length: 8 }, () => randomUUID());
        const runs = await Promise.all(keys.map((key) => start(name, { key })));
        // Each key by itself: the next one is sent when the one before was acknowledged.
        await Promise.all(
            keys.map(async (key, k) => {
                for (let n = 0; n < rounds; ++n) {
                    const client = clients[(n + k) % clients.length]!;
                    await client.inbox.publish({ name: "tick", key, data: n });
                }
            }),
        );
        for (const run of runs) {
            const whole = await pawl.wait(run, { timeout: 60_000 });
            assert.equal(whole.status, "completed", JSON.stringify(whole.error));
            assert.deepEqual(await heard(run), [...Array(rounds).keys()]);
        }
    });
});
