import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { ended, start, waiting } from "./support/runs.js";
import { pawlCommand } from "./support/process.js";
import {
    database,
    databaseUrl,
    define,
    key,
    pawl,
    request,
    runToEnd,
    sink,
} from "./support/server.js";
import { until } from "./support/until.js";

describe("signals", { concurrency: 4 }, () => {
    const go = { name: "go", wait: { signal: "go" } };

    test("a step goes on with what it was sent, also when it was sent before", async () => {
        const f = sink.function();
        const release = f.waits();
        const workflow = await define([{ name: "s", function: f.name, action: "a" }, go]);
        const run = await start(workflow);
        await f.called(1);
        const sent = await pawl.signal(run, "go", { speed: 3 });
        assert.equal(sent.id, run);
        release();
        assert.deepEqual((await ended(run))["data"], { speed: 3 });
    });

    test("a message is left once by its key, also when its answer was not kept", async () => {
        const run = await start(await define([go, { ...go, name: "again" }]));
        const headers = { "Idempotency-Key": randomUUID() };
        const send = () =>
            request("POST", `/v1/runs/${run}/signals`, { body: { name: "go" }, headers });
        assert.equal((await send()).status, 202);
        // As if the server had died before it could keep its answer.
        const gone = await database.query("delete from pawl.idempotency_key where key = $1", [
            headers["Idempotency-Key"],
        ]);
        assert.equal(gone.rowCount, 1);
        assert.equal((await send()).status, 202);
        await until("the message is in the log", async () => {
            const log = await pawl.events(run).all();
            return log.some((one) => one.type === "signal_received");
        });
        const left = await database.query("select from pawl.signal where run_id = $1", [run]);
        assert.equal(left.rowCount, 0);
        const log = await pawl.events(run).all();
        assert.equal(log.filter((one) => one.type === "signal_received").length, 1);
        await pawl.signal(run, "go");
        await ended(run);
    });

    test("a name that the run has no use for is refused, unless it comes early", async () => {
        const workflow = await define([
            { name: "a", wait: { signal: "approved" } },
            { name: "b", wait: { signal: "shipped" } },
        ]);
        const run = await start(workflow);
        await waiting(run);
        const send = (body: unknown, headers = {}): Promise<Response> =>
            request("POST", `/v1/runs/${run}/signals`, { body, headers });
        for (const name of ["aproved", "shipped"]) {
            const problem = await readProblem(await send({ name }), 409);
            assert.equal(problem.code, "not_awaited");
            assert.match(problem.detail, /the run waits for approved/);
            assert.deepEqual((problem as { waits_for?: string[] }).waits_for, ["approved"]);
            assert.deepEqual(problem.values, { signal: name });
        }
        const cli = (...args: string[]): Promise<string> =>
            pawlCommand(["runs", "signal", run, ...args], { DATABASE_URL: databaseUrl });
        await assert.rejects(cli("aproved"), /waits for approved.*--early/s);
        await cli("shipped", "--early", "--data", "2");
        const headers = { "Idempotency-Key": randomUUID() };
        assert.equal((await send({ name: "approved" }, headers)).status, 202);
        assert.deepEqual((await ended(run))["data"], 2);
        const other = await start(await define([go]));
        const none = await readProblem(
            await request("POST", `/v1/runs/${other}/signals`, { body: { name: "gone" } }),
            409,
        );
        assert.match(none.detail, /waits for go/);
        await pawl.signal(other, "gone", undefined, { early: true });
        await pawl.signal(other, "go");
        await ended(other);
    });

    test("the same call again is answered, though the run waits for something else", async () => {
        const run = await start(await define([go, { name: "x", wait: { signal: "other" } }]));
        const headers = { "Idempotency-Key": randomUUID() };
        const send = () =>
            request("POST", `/v1/runs/${run}/signals`, { body: { name: "go" }, headers });
        assert.equal((await send()).status, 202);
        await until("the message is in the log", async () => {
            const log = await pawl.events(run).all();
            return log.some((one) => one.type === "node_passed");
        });
        await database.query("delete from pawl.idempotency_key where key = $1", [
            headers["Idempotency-Key"],
        ]);
        assert.equal((await send()).status, 202);
        await pawl.signal(run, "other");
        await ended(run);
    });

    test("pause holds a run before its next step, resume lets it go", async () => {
        const [first, second] = [sink.function(), sink.function()];
        const release = first.waits();
        const workflow = await define([
            { name: "a", function: first.name, action: "a" },
            { name: "b", function: second.name, action: "b" },
        ]);
        const run = await start(workflow);
        await first.called(1);
        await pawl.pause(run, { reason: "look at it first" });
        await until("paused", async () => {
            const log = await pawl.events(run).all();
            return log.some((one) => one.type === "run_paused");
        });
        release();
        await until("the first step ended", async () => {
            const log = await pawl.events(run).all();
            return log.some((one) => one.type === "step_completed");
        });
        assert.equal(second.calls.length, 0);
        await pawl.resume(run);
        await ended(run);
        assert.equal(second.calls.length, 1);
    });

    test("a step is skipped with a value, and the log says who and why", async () => {
        const f = sink.function();
        const release = f.waits();
        const workflow = await define([
            { name: "slow", function: f.name, action: "a" },
            { name: "next", code: "echo", input: { got: "{{steps.slow.result}}" } },
        ]);
        const run = await start(workflow);
        await f.called(1);
        await pawl.skip(run, "slow", { reason: "was done by hand", value: { by: "hand" } });
        // The run goes on at once, and ends when the call is over that was under way.
        await until("the next step is done", async () =>
            (await pawl.steps(run)).some((one) => one.step === "next" && one.result),
        );
        release();
        assert.deepEqual(await ended(run), { got: { by: "hand" } });
        const skipped = (await pawl.events(run).all()).find((one) => one.type === "step_skipped");
        assert.equal(skipped?.step, "slow");
        assert.equal((skipped?.data as any).reason, "was done by hand");
        assert.ok(key.includes((skipped?.data as any).by), "the prefix of the key");
        const [step] = await pawl.steps(run);
        assert.equal(step?.status, "skipped");
        assert.equal(step?.skipped?.reason, "was done by hand");
        assert.deepEqual(step?.result, { by: "hand" });
    });

    test("only a step that the run is at can be skipped", async () => {
        const workflow = await define([go, { name: "after", code: "noop" }]);
        const run = await start(workflow);
        await waiting(run);
        const skip = (body: unknown, id = run) => request("POST", `/v1/runs/${id}/skip`, { body });
        const reason = "r";
        const elsewhere = await readProblem(await skip({ node: "after", reason }), 409);
        assert.equal(elsewhere.code, "not_open");
        assert.match(elsewhere.detail ?? "", /not at the step 'after' now; it is at go$/);
        const unknown = await readProblem(await skip({ node: "aftr", reason }), 422);
        assert.match(unknown.detail ?? "", /no step 'aftr', did you mean 'after'\?/);
        assert.equal(unknown.errors?.[0]?.pointer, "/node");
        const empty = await readProblem(await skip({}), 422);
        assert.deepEqual(
            empty.errors?.map((one) => one.pointer),
            ["/node", "/reason"],
        );
        await readProblem(await skip({ node: "go", reason }, randomUUID()), 404);
        assert.equal((await skip({ node: "go", reason })).status, 202);
        await ended(run);
        assert.equal(
            (await readProblem(await skip({ node: "go", reason }), 409)).code,
            "run_closed",
        );
    });

    test("a run that is closed or not there gets nothing", async () => {
        const closed = await runToEnd(await define([{ name: "e", code: "echo", input: {} }]));
        for (const path of ["signals", "pause", "resume"]) {
            const body = path === "signals" ? { name: "go" } : {};
            const late = await request("POST", `/v1/runs/${closed.id}/${path}`, { body });
            const over = await readProblem(late, 409);
            assert.equal(over.code, "run_closed");
            assert.deepEqual(over.values, { status: "completed" });
            const gone = randomUUID();
            const none = await request("POST", `/v1/runs/${gone}/${path}`, { body });
            assert.deepEqual((await readProblem(none, 404)).values, { run: gone });
            const wrong = await request("POST", `/v1/runs/${closed.id}/${path}`, {
                body: { nonsense: 1 },
            });
            await readProblem(wrong, 422);
        }
    });
});
