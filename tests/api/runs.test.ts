import { PawlError, type RunEvent } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { hostname } from "node:os";
import { readProblem } from "./support/contract.js";
import { database, define, pawl, request, runToEnd, sink } from "./support/server.js";
import { fails, ok, refuses } from "./support/sink.js";
import { until } from "./support/until.js";

const echo = { name: "echo", code: "echo", input: { said: '{{ word | default: "nothing" }}' } };

describe("runs", { concurrency: 4 }, () => {
    test("a start answers 201 with the id, and where the run is", async () => {
        const workflow = await define([echo]);
        const body = { workflow, data: { word: "hi" }, subject: "customer-1", priority: -3 };
        const response = await request("POST", "/v1/runs", { body });
        assert.equal(response.status, 201);
        const started = (await response.json()) as { id: string };
        assert.deepEqual(started, { id: started.id, workflow, version: 1, created: true });
        assert.equal(response.headers.get("location"), `/v1/runs/${started.id}`);
        const run = await pawl.wait(started.id, { timeout: 60_000 });
        assert.equal(run.status, "completed");
        assert.deepEqual(run.output, { said: "hi" });
        assert.deepEqual(run.input, { word: "hi" });
        assert.equal(run.subject, "customer-1");
        assert.match(run.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        assert.deepEqual(await pawl.status(started.id), run);
    });

    test("a second start with a correlation_id answers 200 with the first run", async () => {
        const workflow = await define([echo]);
        const correlationId = randomUUID();
        const first = await pawl.start(workflow, {}, { correlationId });
        const body = { workflow, correlation_id: correlationId };
        const response = await request("POST", "/v1/runs", { body });
        assert.equal(response.status, 200);
        assert.deepEqual(await response.json(), { ...first, created: false });
    });

    test("wait answers 200 with the closed run, or 202 with the open one", async () => {
        const f = sink.function();
        const release = f.waits(ok({ x: 1 }));
        const workflow = await define([{ name: "s", function: f.name, action: "a" }]);
        const body = { workflow };
        const early = await request("POST", "/v1/runs?wait=100ms", { body });
        assert.equal(early.status, 202);
        assert.equal(((await early.json()) as { status: string }).status, "running");
        const late = request("POST", "/v1/runs?wait=30s", { body });
        await f.called(2);
        release();
        assert.equal((await late).status, 200);
        const run = (await (await late).json()) as { status: string; output: unknown };
        assert.equal(run.status, "completed");
        assert.deepEqual(run.output, { x: 1 });
    });

    test("wait says whether the run is a new one", async () => {
        const body = { workflow: await define([echo]), correlation_id: "once" };
        for (const expected of [true, false]) {
            const response = await request("POST", "/v1/runs?wait=30s", { body });
            const { created } = (await response.json()) as { created: boolean };
            assert.equal(created, expected);
        }
    });

    test("delay and start_at put a start off", async () => {
        const workflow = await define([echo]);
        const before = Date.now();
        const delayed = await pawl.start(workflow, {}, { delay: "1h" });
        const dated = await pawl.start(workflow, {}, { startAt: new Date(before + 7_200_000) });
        const soon = await pawl.start(workflow, {}, { delay: 300 });
        for (const [id, hours] of [
            [delayed.id, 1],
            [dated.id, 2],
        ] as const) {
            const run = await pawl.get(id);
            assert.equal(run.status, "waiting");
            const due = Date.parse(run.due_at ?? "") - before;
            assert.ok(Math.abs(due - hours * 3_600_000) < 30_000, `due in ${due} ms`);
        }
        const run = await pawl.wait(soon.id, { timeout: 60_000 });
        assert.ok(Date.parse(run.closed_at ?? "") - before >= 300);
    });

    test("startMany: all or none, in the order of the requests", async () => {
        const workflow = await define([echo], { required_fields: ["word"] });
        const correlationId = randomUUID();
        const requests = ["a", "b", "c"].map((word) => ({ workflow, data: { word } }));
        const started = await pawl.startMany([...requests, { ...requests[0]!, correlationId }]);
        assert.equal(started.length, 4);
        assert.equal(new Set(started.map((one) => one.id)).size, 4);
        const runs = await Promise.all(
            started.map((one) => pawl.wait(one.id, { timeout: 60_000 })),
        );
        assert.deepEqual(
            runs.map((run) => (run.output as { said: string }).said),
            ["a", "b", "c", "a"],
        );

        const body = {
            runs: [
                { workflow, data: { word: "d" } },
                { workflow, data: {} },
            ],
        };
        const response = await request("POST", "/v1/runs/batch", { body });
        const problem = await readProblem(response, 422);
        assert.equal(problem.errors?.[0]?.pointer, "/runs/1/data/word");
        assert.equal((await pawl.list({ workflow }).take(10)).length, 4);
    });

    test("counts by status, of those that match", async () => {
        const workflow = await define([echo]);
        await runToEnd(workflow);
        await runToEnd(workflow);
        const response = await request("GET", `/v1/runs/counts?workflow=${workflow}`);
        assert.equal(response.status, 200);
        type Count = { status: string; count: number; complete: boolean };
        const { data } = (await response.json()) as { data: Count[] };
        assert.deepEqual(
            data.map(({ status, count }) => [status, count]),
            [
                ["queued", 0],
                ["running", 0],
                ["waiting", 0],
                ["completed", 2],
                ["failed", 0],
                ["cancelled", 0],
            ],
        );
        assert.ok(data.every(({ complete }) => complete));
        const failed = await request(
            "GET",
            `/v1/runs/counts?workflow=${workflow}&status=failed,completed`,
        );
        const some = (await failed.json()) as { data: Count[] };
        assert.deepEqual(
            some.data.map(({ status }) => status),
            ["completed", "failed"],
        );
        const wrong = await request("GET", "/v1/runs/counts?status=odd");
        assert.equal((await readProblem(wrong, 400)).errors?.[0]?.parameter, "status");
        const unknown = await request("GET", "/v1/runs/counts?limit=3");
        await readProblem(unknown, 400);
    });

    test("the log: events in order, page by page", async () => {
        const f = sink.function().will(fails(500, "first"), ok({ a: 1 }));
        const retry = { attempts: 2, base: "10ms" };
        const step = { name: "call", function: f.name, action: "a", retry };
        const run = await runToEnd(await define([step, echo]));
        const events: RunEvent[] = [];
        for await (const event of pawl.events(run.id, { limit: 2 })) events.push(event);
        assert.deepEqual(
            events.map(({ seq, type, step: name, attempt }) => [seq, type, name, attempt]),
            [
                [0, "run_started", undefined, undefined],
                [1, "step_failed", "call", 1],
                [2, "step_completed", "call", 2],
                [3, "step_completed", "echo", 1],
                [4, "run_completed", undefined, undefined],
            ],
        );
        assert.equal(events[1]?.error?.message, "first");
        assert.deepEqual(events[2]?.data, { a: 1 });
    });

    test("steps: each with its attempts, results and errors", async () => {
        const f = sink.function().will(fails(500, "first"), ok({ a: 1 }));
        const gate = sink.function();
        const release = gate.waits();
        const retry = { attempts: 2, base: "10ms" };
        const workflow = await define([
            { name: "call", function: f.name, action: "a", retry },
            { name: "gate", function: gate.name, action: "a" },
            echo,
        ]);
        const { id } = await pawl.start(workflow);
        await gate.called(1);
        const [call, second, third] = await pawl.steps(id);
        assert.equal(call?.status, "completed");
        assert.deepEqual(call?.result, { a: 1 });
        assert.deepEqual(
            call?.attempts.map((one) => one.outcome),
            ["failed", "completed"],
        );
        assert.equal(call?.attempts[0]?.error?.message, "first");
        assert.match(call.attempts[0].worker ?? "", new RegExp(`^${hostname()}/[0-9]+$`));
        assert.equal(call.attempts[1]?.worker, undefined);
        assert.equal(second?.status, "running");
        assert.equal(third?.status, "pending");
        release();
        await pawl.wait(id, { timeout: 60_000 });
        const after = await pawl.steps(id);
        assert.deepEqual(
            after.map((one) => one.status),
            ["completed", "completed", "completed"],
        );
        assert.deepEqual(
            after.map((one) => one.type),
            ["function", "function", "code"],
        );
    });

    test("list: filters, newest first, and cursors that neither skip nor repeat", async () => {
        const workflow = await define([
            { ...echo },
            { name: "fail", code: "fail", on_failure: "abort" },
        ]);
        const subject = randomUUID();
        const ids: string[] = [];
        for (let i = 0; i < 3; ++i) {
            ids.push((await pawl.start(workflow, {}, { subject, delay: "1h" })).id);
        }
        const middle = await database
            .query<{ at: Date }>("select clock_timestamp() + interval '5 ms' as at")
            .then((result) => result.rows[0]?.at);
        await until("the clock goes on", () => Date.now() > Number(middle) + 5);
        for (let i = 0; i < 4; ++i) ids.push((await pawl.start(workflow, {}, { subject })).id);
        for (const id of ids.slice(3)) await pawl.wait(id, { timeout: 60_000 });
        const list = async (filter: object): Promise<string[]> => {
            const found: string[] = [];
            for await (const run of pawl.list({ workflow, limit: 2, ...filter }))
                found.push(run.id);
            return found;
        };
        const newestFirst = [...ids].reverse();
        assert.deepEqual(await list({}), newestFirst);
        assert.deepEqual(await list({ subject }), newestFirst);
        assert.deepEqual(await list({ subject: "other" }), []);
        assert.deepEqual(await list({ status: "failed" }), newestFirst.slice(0, 4));
        assert.deepEqual(await list({ status: ["waiting", "queued"] }), newestFirst.slice(4));
        assert.deepEqual(await list({ status: "completed" }), []);
        assert.deepEqual(await list({ createdBefore: middle }), newestFirst.slice(4));
        assert.deepEqual(await list({ createdAfter: middle }), newestFirst.slice(0, 4));
        const page = await pawl.list({ workflow, limit: 7 }).page();
        assert.deepEqual([page.has_more, page.next_cursor], [false, null]);
    });

    test("list by correlation_id", async () => {
        const workflow = await define([echo]);
        const correlationId = randomUUID();
        const { id } = await pawl.start(workflow, {}, { correlationId });
        await pawl.start(workflow);
        const found = await pawl.list({ correlationId }).take(5);
        assert.deepEqual(
            found.map((run) => run.id),
            [id],
        );
        await pawl.wait(id, { timeout: 60_000 });
        assert.equal((await pawl.get(id)).correlation_id, correlationId);
        assert.equal((await pawl.list({ correlationId }).take(5)).length, 1);
    });

    test("cancel: 202 while the run is still open, 200 once it has closed", async () => {
        const f = sink.function();
        const release = f.waits();
        const workflow = await define([
            { name: "gate", function: f.name, action: "a" },
            { name: "nap", wait: "1h" },
        ]);
        const { id } = await pawl.start(workflow);
        await f.called(1);
        const body = { reason: "not needed" };
        const first = await request("POST", `/v1/runs/${id}/cancel`, { body });
        const answer = (await first.json()) as { status: string };
        assert.equal(first.status, answer.status === "cancelled" ? 200 : 202);
        release();
        const run = await pawl.wait(id, { timeout: 60_000 });
        assert.equal(run.status, "cancelled");
        const events = await pawl.events(id).take(10);
        assert.match(JSON.stringify(events.at(-1)), /not needed/);
        const second = await request("POST", `/v1/runs/${id}/cancel`);
        assert.equal(second.status, 200);
        assert.equal(((await second.json()) as { status: string }).status, "cancelled");
    });

    test("retry: a new run goes on at the failed step, with the results before it", async () => {
        const [good, bad] = [sink.function().will(ok({ a: 1 })), sink.function()];
        bad.will(refuses("down"), ok({ b: 2 }));
        const workflow = await define([
            { name: "good", function: good.name, action: "a" },
            {
                name: "bad",
                function: bad.name,
                payload_template: { a: "{{step_0_result.a}}" },
                on_failure: "abort",
            },
        ]);
        const failed = await runToEnd(workflow);
        assert.equal(failed.status, "failed");
        await pawl.workflows.apply({ name: workflow, steps: [echo] } as never);
        const retried = await pawl.retry(failed.id);
        assert.equal(retried.created, true);
        assert.equal(retried.version, failed.version);
        assert.notEqual(retried.id, failed.id);
        const run = await pawl.wait(retried.id, { timeout: 60_000 });
        assert.equal(run.status, "completed");
        assert.equal(run.parent, failed.id);
        assert.equal(good.calls.length, 1);
        assert.deepEqual(
            bad.calls.map((call) => call.body.payload),
            [{ a: 1 }, { a: 1 }],
        );
        const seqs = (await pawl.events(run.id).take(20)).map((event) => event.seq);
        assert.deepEqual(
            seqs,
            seqs.map((_, place) => place),
        );
        assert.equal((await pawl.get(failed.id)).status, "failed");

        const again = await pawl.retry(failed.id);
        assert.deepEqual(again, { ...retried, created: false });
        await assert.rejects(pawl.retry(run.id), (error: PawlError) => error.status === 409);
    });

    test("rerun: from the first step, with the same data or an edited one", async () => {
        const workflow = await define([echo]);
        const first = await runToEnd(workflow, { word: "one" });
        const same = await pawl.rerun(first.id);
        const edited = await pawl.rerun(first.id, { data: { word: "two" } });
        const runs = [await pawl.wait(same.id), await pawl.wait(edited.id)];
        assert.deepEqual(
            runs.map((run) => run.output),
            [{ said: "one" }, { said: "two" }],
        );
        assert.deepEqual(
            runs.map((run) => run.parent),
            [first.id, first.id],
        );
    });

    test("a deactivated workflow cannot be started; runs under way go on", async () => {
        const f = sink.function();
        const release = f.waits();
        const workflow = await define([{ name: "s", function: f.name, action: "a" }]);
        const { id } = await pawl.start(workflow);
        await f.called(1);
        await pawl.workflows.deactivate(workflow);
        const response = await request("POST", "/v1/runs", { body: { workflow } });
        assert.equal((await readProblem(response, 409)).code, "workflow_inactive");
        release();
        assert.equal((await pawl.wait(id, { timeout: 60_000 })).status, "completed");
        await pawl.workflows.activate(workflow);
        assert.equal((await runToEnd(workflow)).status, "completed");
    });

    test("a run that is not there is 404 on every route", async () => {
        const id = randomUUID();
        for (const path of ["", "/events", "/steps", "/stream"]) {
            const response = await request("GET", `/v1/runs/${id}${path}`);
            assert.equal((await readProblem(response, 404)).code, "not_found");
        }
        for (const path of ["/cancel", "/retry", "/rerun"]) {
            const response = await request("POST", `/v1/runs/${id}${path}`);
            assert.equal((await readProblem(response, 404)).code, "not_found");
        }
        await readProblem(await request("GET", "/v1/runs/not-an-id"), 404);
    });

    test("missing data is named with pointers, all at once", async () => {
        const workflow = await define(
            [{ name: "s", code: "echo", input: { x: "{{user.email}}" } }],
            { required_fields: ["name"] },
        );
        const response = await request("POST", "/v1/runs", { body: { workflow, data: {} } });
        const problem = await readProblem(response, 422);
        assert.equal(problem.code, "validation_failed");
        assert.deepEqual(problem.errors?.map((place) => place.pointer).sort(), [
            "/data/name",
            "/data/user/email",
        ]);
        await until(
            "nothing was started",
            async () => (await pawl.list({ workflow }).take(1)).length === 0,
        );
    });
});
