import type { Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { pawlCommand } from "./support/process.js";
import { database, databaseUrl, define, pawl, request, sink } from "./support/server.js";
import { fails, ok } from "./support/sink.js";
import { until } from "./support/until.js";

// A run that stops waits for what is under way, logs it and undoes it.

async function types(run: string): Promise<string[]> {
    const { rows } = await database.query<{ type: string }>(
        `select pawl.event_type_name(e.type) as type
           from pawl.event e where e.run_id = $1 order by e.seq`,
        [run],
    );
    return rows.map((row) => row.type);
}

/** The run that a run called, once it did. */
async function childOf(run: string): Promise<string | undefined> {
    const { rows } = await database.query<{ run: string }>(
        `select e.data ->> 'run' as run from pawl.event e
          where e.run_id = $1 and e.data ->> 'for' = 'child'`,
        [run],
    );
    return rows[0]?.run;
}

/** Publishes a graph under a name of its own. */
async function graph(nodes: unknown[], edges: unknown[]): Promise<string> {
    const name = `w-${randomUUID()}`;
    await pawl.workflows.apply({ name, nodes, edges } as Definition);
    return name;
}

const cancel = (run: string, body: unknown = {}): Promise<Response> =>
    request("POST", `/v1/runs/${run}/cancel`, { body });

describe("stopping", { concurrency: 4 }, () => {
    async function charging(): Promise<{
        run: string;
        open: () => void;
        refund: ReturnType<typeof sink.function>;
    }> {
        const charge = sink.function();
        const refund = sink.function();
        const open = charge.waits(ok({ charge: 7 }));
        const workflow = await graph(
            [
                { id: "charge", function: charge.name, action: "a", compensate: "refund" },
                { id: "ship", code: "echo" },
                { id: "refund", function: refund.name, action: "a", payload: "{{ undo.result }}" },
            ],
            [{ from: "charge", to: "ship" }],
        );
        const run = (await pawl.start(workflow, {})).id;
        await charge.called(1);
        return { run, open, refund };
    }

    test("a cancel waits for the step under way and undoes it", async () => {
        const { run, open, refund } = await charging();
        assert.equal((await cancel(run)).status, 202);
        await until("it stops", async () => (await types(run)).includes("run_stopping"));
        assert.equal((await cancel(run, { reason: "again" })).status, 202);
        open();
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal(whole.status, "cancelled");
        assert.deepEqual(refund.calls[0]!.body.payload, { charge: 7 });
        assert.equal(refund.calls.length, 1);
        assert.deepEqual(await types(run), [
            "run_started",
            "run_stopping",
            "step_completed",
            "compensation_started",
            "step_completed",
            "run_cancelled",
        ]);
    });

    test("force ends at once and says what was left alone", async () => {
        const { run, open, refund } = await charging();
        assert.equal((await cancel(run, { force: true })).status, 202);
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal(whole.status, "cancelled");
        assert.deepEqual(await types(run), ["run_started", "step_failed", "run_cancelled"]);
        open();
        assert.equal(refund.calls.length, 0);
    });

    const skip = (run: string, node: string): Promise<Response> =>
        request("POST", `/v1/runs/${run}/skip`, { body: { node, reason: "by hand" } });

    test("the call of a step that was skipped is waited for and undone", async () => {
        const { run, open, refund } = await charging();
        assert.equal((await skip(run, "charge")).status, 202);
        await until("the run has gone on", async () =>
            (await types(run)).includes("step_completed"),
        );
        assert.equal((await pawl.get(run)).status, "running");
        open();
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal(whole.status, "completed");
        assert.deepEqual(refund.calls[0]!.body.payload, { charge: 7 });
        const response = await request("GET", `/v1/runs/${run}/steps`);
        const { data } = (await response.json()) as { data: { step: string; status: string }[] };
        assert.equal(data.find((one) => one.step === "charge")?.status, "skipped");
    });

    test("the child of a call that was skipped ends", async () => {
        const child = await graph([{ id: "hold", type: "wait", config: { signal: "go" } }], []);
        const workflow = await graph(
            [
                { id: "c", type: "call", config: { workflow: child } },
                { id: "after", code: "echo" },
            ],
            [{ from: "c", to: "after" }],
        );
        const run = (await pawl.start(workflow, {})).id;
        await until("the child waits", async () => (await types(run)).includes("wait_started"));
        assert.equal((await skip(run, "c")).status, 202);
        assert.equal((await pawl.wait(run, { timeout: 60_000 })).status, "completed");
        const { rows } = await database.query<{ status: string }>(
            "select status from workflow_runs where workflow_type = $1",
            [child],
        );
        assert.deepEqual(
            rows.map((row) => row.status),
            ["cancelled"],
        );
    });

    test("what could not be undone is a dead letter, and a retry goes on undoing", async () => {
        const refund = sink.function().will(fails(400), ok());
        const workflow = await graph(
            [
                { id: "charge", code: "echo", compensate: "refund" },
                { id: "stop", type: "exit", config: { status: "failed", reason: "no stock" } },
                { id: "refund", function: refund.name, action: "a" },
            ],
            [{ from: "charge", to: "stop" }],
        );
        const run = (await pawl.start(workflow, {})).id;
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal(whole.status, "failed");
        assert.equal(whole.error?.not_undone?.[0]?.step, "charge");
        for (const list of ["runs", "dead-letters"]) {
            const response = await request("GET", `/v1/${list}?workflow=${workflow}`);
            const [one] = ((await response.json()) as any).data;
            assert.equal(one.error.not_undone[0].step, "charge", list);
            const shown = await pawlCommand([list, "list", "--workflow", workflow], {
                DATABASE_URL: databaseUrl,
            });
            assert.match(shown, /not undone: charge/, list);
        }
        const again = await pawl.retry(run);
        const after = await pawl.wait(again.id, { timeout: 60_000 });
        assert.equal(after.status, "failed");
        assert.equal(after.error?.not_undone, undefined);
        assert.equal(refund.calls.length, 2);
        const keys = new Set(refund.calls.map((call) => call.headers["idempotency-key"]));
        assert.equal(keys.size, 1);
    });

    test("a cancelled run tells what its child could not undo", async () => {
        const undo = sink.function().will(fails(400));
        const child = await graph(
            [
                { id: "book", code: "echo", compensate: "unbook" },
                { id: "hold", type: "wait", config: { signal: "go" } },
                { id: "unbook", function: undo.name, action: "a" },
            ],
            [{ from: "book", to: "hold" }],
        );
        const parent = await define([{ name: "call", call: { workflow: child } }]);
        const run = (await pawl.start(parent, {})).id;
        const childRun = await until("the child", () => childOf(run));
        await until("it waits", async () => (await types(childRun)).includes("wait_started"));
        await cancel(run);
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal(whole.status, "cancelled");
        assert.equal(whole.error?.code, "children_not_undone");
        const [left] = whole.error?.children_not_undone ?? [];
        assert.deepEqual([left?.run, left?.step, left?.by], [childRun, "book", "unbook"]);
        const { rows } = await database.query<{ run: string }>(
            "select d.run_id as run from pawl.dead_letter d where d.run_id in ($1, $2)",
            [run, childRun],
        );
        assert.deepEqual(rows, [{ run: childRun }], "the child is the dead letter");
    });

    test("a child ends with its parent and undoes what it did", async () => {
        const undo = sink.function();
        const child = await graph(
            [
                { id: "book", code: "echo", compensate: "unbook" },
                { id: "hold", type: "wait", config: { signal: "go" } },
                { id: "unbook", function: undo.name, action: "a" },
            ],
            [{ from: "book", to: "hold" }],
        );
        const parent = await define([{ name: "call", call: { workflow: child } }]);
        const run = (await pawl.start(parent, {})).id;
        const childRun = await until("the child", () => childOf(run));
        await until("it waits", async () => (await types(childRun)).includes("wait_started"));
        await cancel(run);
        assert.equal((await pawl.wait(run, { timeout: 60_000 })).status, "cancelled");
        assert.equal((await pawl.get(childRun)).status, "cancelled");
        assert.equal(undo.calls.length, 1);
    });

    test("the child of a call that ran out of time ends and undoes what it did", async () => {
        const undo = sink.function();
        const child = await graph(
            [
                { id: "book", code: "echo", compensate: "unbook" },
                { id: "hold", type: "wait", config: { signal: "go" } },
                { id: "unbook", function: undo.name, action: "a" },
            ],
            [{ from: "book", to: "hold" }],
        );
        const parent = await define([{ name: "c", call: { workflow: child }, timeout: "1s" }]);
        const run = (await pawl.start(parent, {})).id;
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal(whole.status, "failed");
        assert.equal(whole.error?.code, "timeout");
        const { rows } = await database.query<{ status: string }>(
            "select status from workflow_runs where workflow_type = $1",
            [child],
        );
        assert.deepEqual(rows, [{ status: "cancelled" }]);
        assert.equal(undo.calls.length, 1);
    });
});
