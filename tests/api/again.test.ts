import type { Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { database, pawl, request, sink } from "./support/server.js";
import { fails, ok, type StepFunction } from "./support/sink.js";
import { openTask, result } from "./support/tasks.js";
import { until } from "./support/until.js";

// Runs that go on from others: what is tried again, and under which key.

async function graph(nodes: unknown[], edges: unknown[]): Promise<string> {
    const name = `w-${randomUUID()}`;
    await pawl.workflows.apply({ name, nodes, edges } as Definition);
    return name;
}

async function ended(id: string): Promise<string> {
    return (await pawl.wait(id, { timeout: 60_000 })).status;
}

const keys = (called: StepFunction): unknown[] =>
    called.calls.map((call) => call.headers["idempotency-key"]);

async function rerun(id: string, from: string): Promise<string> {
    const response = await request("POST", `/v1/runs/${id}/rerun`, { body: { from } });
    assert.equal(response.status, 201, await response.clone().text());
    return ((await response.json()) as { id: string }).id;
}

describe("again", { concurrency: 4 }, () => {
    test("a retry tries the items that failed, each at its step and under its key", async () => {
        const first = sink.function();
        const broken = new Set(["b", "c"]);
        const second = sink.function().will((call) => {
            const item = String(call.body.payload?.item);
            return broken.has(item) ? fails(400)(call) : ok({ item })(call);
        });
        const items = { items: ["a", "b", "c"], fail_fast: false };
        const payload = { item: "{{ item }}" };
        const workflow = await graph(
            [
                { id: "each", type: "foreach", config: items },
                { id: "first", function: first.name, action: "a", payload },
                { id: "second", function: second.name, action: "a", payload },
            ],
            [
                { from: "each", to: "first", handle: "each" },
                { from: "first", to: "second" },
            ],
        );
        const run = (await pawl.start(workflow, {})).id;
        assert.equal(await ended(run), "failed");
        const before = second.calls.length;
        assert.equal(before, 3);
        broken.clear();
        const again = (await pawl.retry(run)).id;
        assert.equal(await ended(again), "completed");
        assert.equal(first.calls.length, 3);
        const repeated = second.calls.slice(before);
        assert.deepEqual(repeated.map((call) => call.body.payload?.item).sort(), ["b", "c"]);
        for (const call of repeated) {
            const same = second.calls.find(
                (one) => one.body.payload?.item === call.body.payload?.item,
            );
            assert.equal(call.headers["idempotency-key"], same?.headers["idempotency-key"]);
        }
    });

    test("a scope goes on at the step that failed, with all of its time", async () => {
        const first = sink.function();
        const second = sink.function().will(fails(400), ok());
        const workflow = await graph(
            [
                { id: "group", type: "scope", config: { timeout: "30s" } },
                { id: "first", function: first.name, action: "a" },
                { id: "second", function: second.name, action: "a" },
            ],
            [
                { from: "group", to: "first", handle: "body" },
                { from: "first", to: "second" },
            ],
        );
        const run = (await pawl.start(workflow, {})).id;
        assert.equal(await ended(run), "failed");
        await database.query(
            `update pawl.event e
                set at = e.at - interval '1 hour',
                    data = case when e.data ? 'until' then e.data || jsonb_build_object(
                               'until', (e.data ->> 'until')::bigint - 3600000000) else e.data end
              where e.run_id = $1`,
            [run],
        );
        const again = (await pawl.retry(run)).id;
        assert.equal(await ended(again), "completed");
        assert.equal(await ended(await rerun(again, "second")), "completed");
        assert.equal(first.calls.length, 1);
        assert.equal(keys(second)[0], keys(second)[1]);
        assert.notEqual(keys(second)[1], keys(second)[2]);
    });

    test("runs that go on from the same step undo it under one key", async () => {
        const refund = sink.function();
        const workflow = await graph(
            [
                { id: "charge", code: "echo", compensate: "refund" },
                { id: "ship", type: "wait", config: { signal: "shipped" } },
                { id: "refund", function: refund.name, action: "a" },
            ],
            [{ from: "charge", to: "ship" }],
        );
        const run = (await pawl.start(workflow, {})).id;
        const waits = (id: string): Promise<boolean> =>
            until("it waits", async () => (await pawl.status(id)).status === "waiting");
        await waits(run);
        const second = await rerun(run, "ship");
        await waits(second);
        const third = await rerun(second, "ship");
        await waits(third);
        for (const id of [run, second, third]) {
            await request("POST", `/v1/runs/${id}/cancel`, { body: {} });
            assert.equal(await ended(id), "cancelled");
        }
        assert.equal(refund.calls.length, 3);
        assert.deepEqual(new Set(keys(refund)), new Set([`${run}:undo-0:refund`]));
    });

    test("what was not undone keeps its key when a run begins anew", async () => {
        const charge = sink.function();
        const mail = sink.function();
        const ship = sink.function().will(fails(400), ok());
        const refund = sink.function();
        const workflow = await graph(
            [
                { id: "charge", function: charge.name, action: "a", compensate: "refund" },
                { id: "mail", function: mail.name, action: "a" },
                { id: "ship", function: ship.name, action: "a" },
                { id: "refund", function: refund.name, action: "a" },
            ],
            [
                { from: "charge", to: "mail" },
                { from: "mail", to: "ship" },
            ],
        );
        const run = (await pawl.start(workflow, {})).id;
        assert.equal(await ended(run), "failed");
        const again = (await pawl.retry(run)).id;
        assert.equal(await ended(again), "completed");
        assert.deepEqual(keys(charge), [`${run}:0:charge:1`, `${again}:0:charge:1`]);
        assert.deepEqual(keys(mail), [`${run}:0:mail:1`, `${run}:0:mail:1`]);
        assert.deepEqual(keys(ship), [`${run}:0:ship:1`, `${run}:0:ship:1`]);
        assert.deepEqual(keys(refund), [`${run}:undo-0:refund`]);
        const { rows } = await database.query<{ step: string; key: string }>(
            `select s.step_name as step, s.idempotency_key as key
               from workflow_steps s where s.run_id = $1 order by s.seq`,
            [again],
        );
        const sent = [charge, mail, ship].map((called) => keys(called)[1]);
        assert.deepEqual(
            rows.map((row) => row.key),
            sent,
        );
    });

    test("a wait that was in vain begins anew, with all of its time", async () => {
        const before = sink.function();
        const workflow = await graph(
            [
                { id: "first", function: before.name, action: "a" },
                { id: "w", wait: { signal: "go", timeout: "3s" } },
            ],
            [{ from: "first", to: "w" }],
        );
        const run = (await pawl.start(workflow, {})).id;
        assert.equal(await ended(run), "failed");
        const again = (await pawl.retry(run)).id;
        await until("it waits", async () => (await pawl.status(again)).status === "waiting");
        await pawl.signal(again, "go", {});
        assert.equal(await ended(again), "completed");
        assert.equal(before.calls.length, 1);
    });

    test("a person who did not answer in time is asked anew", async () => {
        const workflow = await graph(
            [{ id: "ask", human: { title: "?", assignee: "ann", remind_after: "1s", due: "3s" } }],
            [],
        );
        const run = (await pawl.start(workflow, {})).id;
        const late = await openTask(run);
        assert.equal(await ended(run), "failed");
        const again = (await pawl.retry(run)).id;
        const task = await openTask(again);
        assert.ok(Date.parse(task.due_at ?? "") > Date.parse(late.due_at ?? "") + 2_000);
        await pawl.tasks.approve(task.id, { by: "ann" });
        assert.equal((await result(again)).decision, "approved");
    });

    test("waits of other branches begin anew in a run that begins at a step", async () => {
        const last = sink.function();
        const workflow = await graph(
            [
                { id: "both", type: "parallel" },
                { id: "paid", wait: { signal: "paid", timeout: "1h" } },
                { id: "ask", human: { title: "?", due: "1h" } },
                { id: "go", wait: { signal: "go" } },
                { id: "last", function: last.name, action: "a" },
            ],
            [
                { from: "both", to: "paid" },
                { from: "both", to: "ask" },
                { from: "both", to: "go" },
                { from: "go", to: "last" },
            ],
        );
        const run = (await pawl.start(workflow, {})).id;
        const old = await openTask(run);
        await pawl.signal(run, "go", {});
        await last.called(1);
        // As if the hour were over.
        await database.query(
            `update pawl.event
                set data = data || jsonb_build_object(
                        'until', (data ->> 'until')::bigint - 3600000000)
              where run_id = $1 and type = 3 and data ? 'until'`,
            [run],
        );
        const again = await rerun(run, "last");
        await last.called(2);
        const task = await openTask(again);
        assert.ok(Date.parse(task.due_at ?? "") >= Date.parse(old.due_at ?? ""));
        await pawl.tasks.approve(task.id, { by: "ann" });
        await pawl.signal(again, "paid", {});
        assert.equal(await ended(again), "completed");
    });

    test("a rule lets a wait and a person be tried again", async () => {
        const rule = { errors: ["timeout"], attempts: 50, base: "100ms", factor: 1 };
        const event = `e-${randomUUID()}`;
        const workflow = await graph(
            [
                { id: "w", wait: { event, key: "k", timeout: "1s" }, retry: [rule] },
                { id: "ask", human: { title: "?", due: "4s" }, retry: [rule] },
            ],
            [{ from: "w", to: "ask" }],
        );
        const run = (await pawl.start(workflow, {})).id;
        await until("it waits anew", async () => {
            const { rows } = await database.query<{ count: string }>(
                "select count(*) from pawl.event where run_id = $1 and node = 'w' and type = 3",
                [run],
            );
            return Number(rows[0]?.count) >= 2;
        });
        await pawl.inbox.publish({ name: event, key: "k" });
        const late = await openTask(run);
        await until("it is due", async () => (await pawl.tasks.get(late.id)).state === "timed_out");
        const task = await openTask(run);
        assert.notEqual(task.id, late.id);
        await pawl.tasks.approve(task.id, { by: "ann" });
        assert.equal((await result(run)).decision, "approved");
    });
});
