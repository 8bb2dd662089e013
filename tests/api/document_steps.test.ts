import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ended, enqueued } from "./support/executions.js";
import { define, functionsKey, pawl, sink } from "./support/server.js";
import { fails, ok, refuses } from "./support/sink.js";

// The contract of document 000 about steps: how functions are called, and what failures do.

const quick = { attempts: 3, base: "10ms" };

describe("document 000, steps", { concurrency: 4 }, () => {
    test("hollow orchestrator: how a function is called, and what its answer means", async () => {
        const [data, bare] = [sink.function(), sink.function()];
        data.will(ok({ id: 7, tags: ["x"] }));
        bare.will(() => ({ body: { plain: "yes" } }));
        const workflow = await define([
            { name: "a", function: data.name, action: "send", payload_template: { to: "{{who}}" } },
            {
                name: "b",
                function: bare.name,
                action: "note",
                payload_template: { id: "{{step_0_result.id}}", spread: "{{id}}" }, // 7 by then
            },
        ]);
        const { execution_id: id } = await enqueued(workflow, { who: "Ada", id: 1 });
        const row = await ended(id);
        assert.equal(row["status"], "completed");
        assert.equal(data.calls[0]?.headers["authorization"], `Bearer ${functionsKey}`);
        assert.match(data.calls[0]?.headers["content-type"] ?? "", /^application\/json/);
        assert.deepEqual(data.calls[0]?.body, { action: "send", payload: { to: "Ada" } });
        assert.deepEqual(bare.calls[0]?.body, { action: "note", payload: { id: 7, spread: 7 } });
        assert.deepEqual(row["context"].step_1_result, { plain: "yes" });
        assert.equal(row["context"].plain, "yes");
    });

    for (const [name, answer, message] of [
        ["a status that is not 2xx", fails(500, "no mail today"), /^no mail today$/],
        ["a status without words", fails(502), /^f-\S+\/go failed with status 502$/],
        ["success: false", refuses("address unknown"), /^address unknown$/],
    ] as const) {
        test(`hollow orchestrator: a step fails by ${name}`, async () => {
            const f = sink.function().will(answer);
            const step = { name: "s", function: f.name, action: "go", on_failure: "abort" };
            const { execution_id: id } = await enqueued(await define([step]), {});
            const row = await ended(id);
            assert.equal(row["status"], "failed");
            assert.match(row["error_message"], message);
            assert.equal(row["error_step"], "s");
            assert.equal(f.calls.length, 1);
        });
    }

    test("on_failure continue: the next step runs, and sees the error", async () => {
        const [bad, good] = [sink.function().will(refuses("nope")), sink.function()];
        const workflow = await define([
            { name: "a", function: bad.name, action: "a", on_failure: "continue" },
            { name: "b", function: good.name, payload_template: { why: "{{step_0_error}}" } },
        ]);
        const row = await ended((await enqueued(workflow, {})).execution_id);
        assert.equal(row["status"], "completed");
        assert.equal(row["context"].step_0_error, "nope");
        assert.deepEqual(good.calls[0]?.body.payload, { why: "nope" });
    });

    test("on_failure abort: no further step, and a dead letter", async () => {
        const [bad, good] = [sink.function().will(refuses("nope")), sink.function()];
        const workflow = await define([
            { name: "a", function: bad.name, action: "a", on_failure: "abort" },
            { name: "b", function: good.name, action: "b" },
        ]);
        const row = await ended((await enqueued(workflow, {})).execution_id);
        assert.equal(row["status"], "failed");
        assert.equal(row["completed_at"] === null, false);
        assert.equal(good.calls.length, 0);
        const [letter] = await pawl.deadLetters.list({ workflow }).take(1);
        assert.equal(letter?.run_id, row["id"]);
        assert.equal(letter?.error.message, "nope");
    });

    test("on_failure retry: until it works, with one idempotency key", async () => {
        const f = sink.function().will(fails(500), refuses("not yet"), ok({ done: true }));
        const workflow = await define([{ name: "s", function: f.name, action: "a", retry: quick }]);
        const row = await ended((await enqueued(workflow, {})).execution_id);
        assert.equal(row["status"], "completed");
        assert.equal(row["retry_count"], 2);
        assert.equal(f.calls.length, 3);
        const keys = f.calls.map((call) => call.headers["idempotency-key"]);
        assert.ok(keys[0]);
        assert.equal(new Set(keys).size, 1);
    });

    test("max_retries: so many more attempts, then a dead letter", async () => {
        const f = sink.function().will(fails(500, "down"));
        const step = { name: "s", function: f.name, action: "a", on_failure: "retry" };
        const workflow = await define([step], { max_retries: 1 });
        const row = await ended((await enqueued(workflow, {})).execution_id);
        assert.equal(row["status"], "failed");
        assert.equal(row["error_message"], "down");
        assert.equal(f.calls.length, 2);
        assert.equal((await pawl.deadLetters.list({ workflow }).take(2)).length, 1);
    });
});
