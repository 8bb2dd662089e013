import type { Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { database, define, pawl, request, sink } from "./support/server.js";
import { fails, ok } from "./support/sink.js";
import { until } from "./support/until.js";

// Document 002: its tables as views, and its routes.

type Row = Record<string, any>;

async function rows(text: string, ...values: unknown[]): Promise<Row[]> {
    return (await database.query<Row>(text, values)).rows;
}
const stepsOf = (run: string): Promise<Row[]> =>
    rows("select * from workflow_steps where run_id = $1 order by seq", run);

async function body(method: string, path: string, sent?: unknown): Promise<[number, any]> {
    const response = await request(method, path, sent === undefined ? {} : { body: sent });
    return [response.status, await response.json()];
}

/** Starts by the document's route and waits for the end. */
async function runToEnd(workflow_type: string, payload: Row = {}): Promise<Row> {
    const [status, run] = await body("POST", "/workflows", { workflow_type, payload });
    assert.equal(status, 201);
    await pawl.wait(run.id, { timeout: 60_000 });
    return run;
}

describe("document 002: tables", { concurrency: 4 }, () => {
    test("workflow_runs has the document's columns, and the context as payload", async () => {
        const f = sink.function().will(ok({ mail: 7 }));
        const workflow = await define([{ name: "one", function: f.name, action: "a" }], {
            version: "1.2.0",
        });
        const { id } = await runToEnd(workflow, { who: "Ada" });
        const [run] = await rows("select * from workflow_runs where id = $1", id);
        const { created_at, updated_at, ...rest } = run!;
        assert.deepEqual(rest, {
            id,
            workflow_type: workflow,
            workflow_version: "1.2.0",
            status: "completed",
            payload: { who: "Ada", mail: 7, step_0_result: { mail: 7 } },
        });
        assert.ok(updated_at >= created_at);
        const asks = await define([{ name: "ask", type: "human", title: "May we?" }]);
        const { id: open } = await pawl.start(asks);
        const status = async (): Promise<string> =>
            (await rows("select status from workflow_runs where id = $1", open))[0]!["status"];
        assert.equal(await status(), "running");
        assert.ok((await request("POST", `/v1/runs/${open}/pause`, { body: {} })).ok);
        await until("it is paused", async () => (await status()) === "paused");
    });

    test("workflow_steps: attempts, retries, the key of the effect, the worker", async () => {
        const [first, second] = [sink.function(), sink.function()];
        first.will(fails(503, "busy"), ok({ id: 1 }));
        const release = second.waits();
        const retry = { attempts: 3, base: "10ms" };
        const workflow = await define([
            {
                name: "first",
                function: first.name,
                action: "a",
                payload_template: { to: "{{ who }}" },
                retry,
            },
            { name: "second", function: second.name, action: "b", on_failure: "abort" },
            { name: "third", wait: "1h" },
        ]);
        const { id } = await pawl.start(workflow, { who: "Ada" }, { priority: 3 });
        await second.called(1);
        const [one, two, ...none] = await until("the first is committed", async () => {
            const found = await stepsOf(id);
            return found[0]?.["status"] === "completed" && found;
        });
        assert.deepEqual(none, []);
        assert.equal(one!["step_name"], "first");
        assert.deepEqual(one!["result"], { id: 1 });
        assert.deepEqual(one!["input"], { to: "{{ who }}" });
        assert.equal(one!["attempts"], 2);
        assert.equal(one!["max_attempts"], 3);
        assert.equal(one!["error"], null);
        assert.equal(one!["idempotency_key"], first.calls[1]!.headers["idempotency-key"]);
        assert.equal(two!["status"], "in_progress");
        assert.equal(two!["attempts"], 0);
        assert.equal(two!["max_attempts"], 1);
        assert.equal(two!["idempotency_key"], second.calls[0]!.headers["idempotency-key"]);
        assert.match(two!["lock_owner"], /^[0-9a-f-]{36}$/);
        assert.ok(Date.now() - two!["last_heartbeat"].getTime() < 30_000);
        assert.ok(two!["claimed_at"] >= one!["created_at"]);
        assert.equal(two!["priority"], 3);
        release();
        const third = await until("it waits", async () => {
            const found = await stepsOf(id);
            return found[2]?.["status"] === "waiting" && found[2];
        });
        assert.ok(third["next_attempt_at"].getTime() > Date.now() + 3_000_000);
        assert.equal(third["lock_owner"], null);
        const ids = (await stepsOf(id)).map((step) => step["id"]);
        assert.deepEqual(ids.slice(0, 2), [one!["id"], two!["id"]], "a step keeps its id");
    });

    test("workflow_steps: branches, loops and lists have the keys of their effects", async () => {
        const [left, right, again, item] = Array.from({ length: 4 }, () => sink.function());
        const call = (id: string, f: { name: string }): Row => ({
            id,
            type: "function",
            config: { function: f.name, action: id },
        });
        const name = `graph-${Date.now()}`;
        await pawl.workflows.apply({
            name,
            nodes: [
                { id: "both", type: "parallel" },
                call("left", left!),
                call("right", right!),
                { id: "meet", type: "join" },
                { id: "loop", type: "loop", config: { times: 2 } },
                call("again", again!),
                { id: "list", type: "foreach", config: { items: [1, 2, 3] } },
                call("item", item!),
            ],
            edges: [
                { from: "both", to: "left" },
                { from: "both", to: "right" },
                { from: "left", to: "meet" },
                { from: "right", to: "meet" },
                { from: "meet", to: "loop" },
                { from: "loop", to: "again", handle: "each" },
                { from: "again", to: "loop" },
                { from: "loop", to: "list" },
                { from: "list", to: "item", handle: "each" },
            ],
        } as never);
        const { id } = await runToEnd(name);
        const steps = await stepsOf(id);
        for (const [step, f] of Object.entries({ left, right, again, item })) {
            const keys = steps.filter((one) => one["step_name"] === step);
            assert.deepEqual(
                keys.map((one) => one["idempotency_key"]).sort(),
                f!.calls.map((one) => one.headers["idempotency-key"]).sort(),
                step,
            );
            assert.ok(keys.every((one) => one["status"] === "completed"));
        }
        const unique = (column: string): number => new Set(steps.map((one) => one[column])).size;
        assert.equal(unique("id"), steps.length);
        assert.equal(unique("seq"), steps.length);
    });

    test("workflow_steps: what undoes comes after what it undoes, with its key", async () => {
        const undoes = sink.function().will(ok(), fails(400), ok());
        const name = `w-${randomUUID()}`;
        const nodes = [
            { id: "x", code: "echo", compensate: "ux" },
            { id: "y", code: "echo", compensate: "uy" },
            { id: "z", type: "exit", config: { status: "failed", reason: "no stock" } },
            { id: "ux", function: undoes.name, action: "a" },
            { id: "uy", function: undoes.name, action: "a" },
        ];
        const edges = [
            { from: "x", to: "y" },
            { from: "y", to: "z" },
        ];
        await pawl.workflows.apply({ name, nodes, edges } as Definition);
        const sent = (): unknown[] => undoes.calls.map((call) => call.headers["idempotency-key"]);
        const undoing = async (run: string): Promise<Row[]> =>
            (await stepsOf(run)).filter((step) => step["step_name"].startsWith("u"));
        const { id } = await runToEnd(name);
        const steps = await stepsOf(id);
        assert.deepEqual(
            steps.map((step) => step["step_name"]),
            ["x", "y", "z", "uy", "ux"],
        );
        for (const [i, step] of steps.entries()) {
            assert.ok(i === 0 || step["created_at"] >= steps[i - 1]!["updated_at"], `${i}`);
        }
        assert.deepEqual(
            (await undoing(id)).map((step) => [step["status"], step["idempotency_key"]]),
            [
                ["completed", sent()[0]],
                ["failed", sent()[1]],
            ],
        );
        assert.deepEqual(sent(), [`${id}:undo-1:uy`, `${id}:undo-0:ux`]);
        // A retry goes on undoing, under the key of the first.
        const again = (await pawl.retry(id)).id;
        await pawl.wait(again, { timeout: 60_000 });
        assert.equal(sent()[2], `${id}:undo-0:ux`);
        const last = (await undoing(again)).at(-1)!;
        assert.deepEqual([last["step_name"], last["idempotency_key"]], ["ux", sent()[2]]);
    });

    test("no time of a run is before the run or the event before it", async () => {
        const f = sink.function().will(ok(), fails(400), ok());
        const workflow = await define([
            { name: "one", function: f.name, action: "a" },
            { name: "two", function: f.name, action: "a" },
        ]);
        const { id } = await runToEnd(workflow);
        // As if the clock of the process that made the id were ahead of that of the database.
        await rows("update pawl.event set at = at - interval '1 min' where run_id = $1", id);
        await rows(
            "update pawl.run set closed_at = closed_at - interval '1 min' where run_id = $1",
            id,
        );
        const again = (await pawl.retry(id)).id;
        await pawl.wait(again, { timeout: 60_000 });
        for (const run of [id, again]) {
            const created = (await pawl.get(run)).created_at;
            const [, log] = await body("GET", `/v1/runs/${run}/events`);
            const [, steps] = await body("GET", `/v1/runs/${run}/steps`);
            const shown = log.data.map((event: Row) => event["at"]);
            assert.deepEqual(shown, [...shown].sort());
            assert.ok(shown[0] >= created, `${shown[0]} ${created}`);
            for (const step of steps.data) assert.ok(step.attempts[0].at >= shown[0]);
            const [row] = await rows("select * from workflow_executions where id = $1", run);
            assert.ok(row!["completed_at"] >= row!["created_at"]);
            assert.ok(row!["started_at"] >= row!["created_at"]);
            const [whole] = await rows("select * from workflow_runs where id = $1", run);
            assert.ok(whole!["updated_at"] >= whole!["created_at"]);
            const logged = await rows("select * from step_logs where run_id = $1", run);
            for (const line of logged) assert.ok(line["created_at"] >= row!["created_at"]);
            for (const step of await stepsOf(run)) {
                assert.ok(step["created_at"] >= row!["created_at"]);
                assert.ok(step["updated_at"] >= step["created_at"]);
            }
        }
    });

    test("step_logs and retry_meta say what happened to a step that gave up", async () => {
        const f = sink.function().will(fails(503, "down"));
        const retry = { attempts: 2, base: "10ms" };
        const workflow = await define([{ name: "call", function: f.name, action: "a", retry }]);
        const { id } = await runToEnd(workflow);
        const [step] = await stepsOf(id);
        assert.equal(step!["status"], "failed");
        assert.match(step!["error"], /down/);
        const logs = await rows(
            "select * from step_logs where step_id = $1 order by created_at, (meta ->> 'seq')::int",
            step!["id"],
        );
        assert.deepEqual(
            logs.map((log) => [log["level"], log["meta"]["attempt"]]),
            [
                ["warn", 1],
                ["error", 2],
            ],
        );
        assert.match(logs[1]!["message"], /^step_failed: .*down/);
        assert.deepEqual(
            await rows(
                "select attempts, dead_letter from retry_meta where step_id = $1",
                step!["id"],
            ),
            [{ attempts: 2, dead_letter: true }],
        );
    });

    test("a dead letter is an event of the outbox", async () => {
        const f = sink.function().will(fails(400, "wrong"));
        const workflow = await define([{ name: "call", function: f.name, action: "a" }]);
        await rows(
            `with target as (
                 insert into pawl.outbox_target (tenant, kind, address, events, workflows)
                 values (1, 'notify', 'dead_letters', '{dead_letter.created}', array[$1])
                 returning id)
             insert into pawl.outbox_lease (target, shard, tenant)
             select id, shard, 1 from target, generate_series(0, 1) as shard`,
            workflow,
        );
        const { id } = await runToEnd(workflow);
        const [event] = await until("it is told", async () => {
            const found = await rows("select * from outbox_events where run_id = $1", id);
            return found[0]?.["published"] && found;
        });
        assert.equal(event!["event_type"], "dead_letter.created");
        assert.equal(event!["payload"].data.step, "call");
        assert.match(event!["payload"].data.error.message, /wrong/);
    });
});

describe("document 002: routes", { concurrency: 4 }, () => {
    test("POST and GET /workflows start and list runs", async () => {
        const f = sink.function();
        const workflow = await define([
            { name: "s", function: f.name, action: "a", payload_template: { to: "{{ who }}" } },
        ]);
        const [missing, problem] = await body("POST", "/workflows", { workflow_type: workflow });
        assert.equal(missing, 422);
        assert.match(problem.detail, /who/);
        assert.equal(problem.errors[0].pointer, "/payload/who");
        for (const workflow_version of [1, "1"]) {
            const wanted = { workflow_type: workflow, workflow_version, payload: { who: "Eve" } };
            const [created, run] = await body("POST", "/workflows", wanted);
            assert.equal(created, 201);
            await pawl.wait(run.id, { timeout: 60_000 });
        }
        assert.equal((await body("POST", "/workflows", { workflow_type: "nope" }))[0], 404);
        assert.equal((await body("POST", "/workflows", { workflow: "x" }))[0], 422);
        const ids: string[] = [];
        for (const who of ["Ada", "Bob"])
            ids.unshift((await runToEnd(workflow, { who }))["id"] as string);
        const [status, page] = await body("GET", `/workflows?workflow_type=${workflow}&limit=1`);
        assert.equal(status, 200);
        assert.deepEqual(
            page.data.map((run: Row) => [run["id"], run["status"]]),
            [[ids[0], "completed"]],
        );
        const more = `&cursor=${page.next_cursor}`;
        const [, next] = await body(
            "GET",
            `/workflows?workflow_type=${workflow}&status=completed&limit=1${more}`,
        );
        assert.deepEqual(
            next.data.map((run: Row) => run["id"]),
            [ids[1]],
        );
        assert.equal((await body("GET", "/workflows?status=done"))[0], 400);
        const [, none] = await body("GET", `/workflows?workflow_type=${workflow}&status=paused`);
        assert.deepEqual(none.data, []);
    });

    test("GET /workflows/{run}, its steps and its logs", async () => {
        const f = sink.function().will(ok({ sent: true }));
        const workflow = await define([{ name: "s", function: f.name, action: "a" }]);
        const { id } = await runToEnd(workflow);
        const [, run] = await body("GET", `/workflows/${id}`);
        assert.equal(run.workflow_type, workflow);
        assert.equal(run.steps.length, 1);
        const [, steps] = await body("GET", `/workflows/${id}/steps`);
        assert.deepEqual(steps.data, run.steps);
        assert.deepEqual(steps.data[0].result, { sent: true });
        const [, logs] = await body("GET", `/workflows/${id}/logs`);
        assert.deepEqual(
            logs.data.map((log: Row) => [log["step_id"], log["message"]]),
            [[steps.data[0].id, "step_completed"]],
        );
        for (const path of ["", "/steps", "/logs"]) {
            const unknown = "00000000-0000-7000-8000-000000000000";
            assert.equal((await body("GET", `/workflows/${unknown}${path}`))[0], 404);
        }
    });

    test("POST /workflows/{run}/reject decides as a person does", async () => {
        const workflow = await define([{ name: "ask", type: "human", title: "May we?" }]);
        const { id } = await pawl.start(workflow);
        await until("it waits", async () => (await stepsOf(id))[0]?.["status"] === "waiting");
        const [status, task] = await body("POST", `/workflows/${id}/reject`, {
            by: "ann",
            reason: "no",
        });
        assert.equal(status, 200);
        assert.equal(task.state, "rejected");
        assert.equal((await body("POST", `/workflows/${id}/reject`, {}))[0], 409);
    });
});
