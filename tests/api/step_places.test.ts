import type { Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { database, pawl, request, sink } from "./support/server.js";
import { fails, ok, type StepFunction } from "./support/sink.js";
import { until } from "./support/until.js";

// workflow_steps of runs with lists, scopes and branches, and of steps that were skipped.

type Row = Record<string, any>;

async function stepsOf(run: string, name?: string): Promise<Row[]> {
    const { rows } = await database.query<Row>(
        "select * from workflow_steps where run_id = $1 order by seq",
        [run],
    );
    return rows.filter((row) => name === undefined || row["step_name"] === name);
}

async function graph(nodes: unknown[], edges: unknown[]): Promise<string> {
    const name = `w-${randomUUID()}`;
    await pawl.workflows.apply({ name, nodes, edges } as Definition);
    return name;
}

const keys = (called: StepFunction): unknown[] =>
    called.calls.map((call) => call.headers["idempotency-key"]);

const step = (id: string, called: StepFunction, more: object = {}): object => ({
    id,
    function: called.name,
    action: "a",
    ...more,
});

describe("workflow_steps by place", { concurrency: 4 }, () => {
    test("a skipped step has one row, with the key that was sent", async () => {
        const [slow, after] = [sink.function(), sink.function()];
        const release = slow.waits();
        const workflow = await graph(
            [step("slow", slow), step("after", after)],
            [{ from: "slow", to: "after" }],
        );
        const { id } = await pawl.start(workflow, {});
        await slow.called(1);
        const body = { node: "slow", reason: "too slow", value: { skipped: true } };
        const answer = await request("POST", `/v1/runs/${id}/skip`, { body });
        assert.equal(answer.status, 202, await answer.clone().text());
        await after.called(1);
        release();
        await pawl.wait(id, { timeout: 60_000 });
        const [row, ...more] = await until("its call is over", async () => {
            const rows = await stepsOf(id, "slow");
            return rows[0]?.["attempts"] === 1 && rows;
        });
        assert.deepEqual(more, []);
        assert.equal(row!["status"], "completed");
        assert.deepEqual(row!["result"], { skipped: true });
        assert.deepEqual([row!["idempotency_key"]], keys(slow));
    });

    test("steps of items begin with their item, and have their place", async () => {
        const [first, item, last] = [sink.function(), sink.function(), sink.function()];
        const workflow = await graph(
            [
                step("first", first),
                { id: "list", type: "foreach", config: { items: [1, 2, 3], concurrency: 2 } },
                step("item", item),
                step("last", last),
            ],
            [
                { from: "first", to: "list" },
                { from: "list", to: "item", handle: "each" },
                { from: "list", to: "last" },
            ],
        );
        const { id } = await pawl.start(workflow, {});
        await pawl.wait(id, { timeout: 60_000 });
        const steps = await stepsOf(id);
        assert.deepEqual(
            steps.map((row) => row["step_name"]),
            ["first", "list", "item", "item", "item", "last"],
        );
        const before = steps[0]!["updated_at"];
        for (const row of steps.slice(2)) assert.ok(row["created_at"] >= before, row["seq"]);
        const ends = [steps[2]!["updated_at"], steps[3]!["updated_at"]].sort((a, b) => a - b);
        assert.deepEqual(steps[4]!["created_at"], ends[0]);
    });

    test("what undoes in a scope, an item and a branch has the key that is sent", async () => {
        const undo = { scope: sink.function(), item: sink.function(), branch: sink.function() };
        const [breaks, item] = [sink.function().will(fails(400)), sink.function()];
        item.will((call) => (call.body.payload?.n === 2 ? fails(400) : ok())(call));
        const workflow = await graph(
            [
                { id: "trip", type: "scope" },
                { id: "twice", type: "loop", config: { times: 2 } },
                { id: "book", code: "echo", compensate: "unbook" },
                step("breaks", breaks),
                {
                    id: "list",
                    type: "foreach",
                    config: { items: [1, 2], undo_failed_items: true, tolerated_failures: 1 },
                },
                { id: "hold", code: "echo", compensate: "unhold" },
                step("item", item, { payload: { n: "{{ item }}" } }),
                { id: "both", type: "parallel" },
                { id: "left", code: "echo", compensate: "unleft" },
                { id: "never", type: "wait", config: { signal: "never" } },
                { id: "right", type: "wait", config: { duration: "200ms" } },
                {
                    id: "meet",
                    type: "join",
                    config: { mode: "any", cancel_rest: true, undo_rest: true },
                },
                step("unbook", undo.scope),
                step("unhold", undo.item),
                step("unleft", undo.branch),
            ],
            [
                { from: "trip", to: "twice", handle: "body" },
                { from: "twice", to: "book", handle: "each" },
                { from: "book", to: "twice" },
                { from: "twice", to: "breaks" },
                { from: "trip", to: "list", handle: "error" },
                { from: "list", to: "hold", handle: "each" },
                { from: "hold", to: "item" },
                { from: "list", to: "both" },
                { from: "both", to: "left" },
                { from: "left", to: "never" },
                { from: "never", to: "meet" },
                { from: "both", to: "right" },
                { from: "right", to: "meet" },
            ],
        );
        const { id } = await pawl.start(workflow, {});
        assert.equal((await pawl.wait(id, { timeout: 60_000 })).status, "completed");
        const wanted = { unbook: undo.scope, unhold: undo.item, unleft: undo.branch };
        for (const [name, called] of Object.entries(wanted)) {
            const rows = await stepsOf(id, name);
            assert.ok(rows.length > 0, name);
            assert.deepEqual(
                rows.map((row) => row["idempotency_key"]),
                keys(called),
                name,
            );
        }
    });
});
