import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { define, invoke, pawl, runToEnd, sink } from "./support/server.js";
import { never, ok, refuses } from "./support/sink.js";
import { until } from "./support/until.js";

// What document 000 got wrong and Pawl puts right. Each of these fails on the document's own logic.
// That a retry survives a worker that dies, and that a start is one transaction: crash.test.ts.

describe("document 000, defects put right", { concurrency: 4 }, () => {
    test("a last step that fails with continue still ends the run", async () => {
        const f = sink.function().will(refuses("nope"));
        const step = { name: "last", function: f.name, action: "a", on_failure: "continue" };
        const run = await runToEnd(await define([step]));
        assert.equal(run.status, "completed");
        const { body } = await invoke("status", { execution_id: run.id });
        assert.equal(body.data.status, "completed");
        assert.equal(body.data.context.step_0_error, "nope");
    });

    test("nested paths and arrays are interpolated, and keep their types", async () => {
        const [one, two] = [sink.function(), sink.function()];
        one.will(ok({ items: [{ id: 1 }, { id: 2 }], total: 3 }));
        const workflow = await define([
            {
                name: "a",
                function: one.name,
                payload_template: {
                    to: "{{user.email}}",
                    list: ["{{user.name}}", { nested: "Dear {{ user.name }}!" }, 5],
                },
            },
            {
                name: "b",
                function: two.name,
                payload_template: {
                    second: "{{step_0_result.items[1].id}}",
                    whole: "{{step_0_result.items}}",
                    text: "total {{step_0_result.total}}",
                },
            },
        ]);
        const data = { user: { email: "a@example.com", name: "Ada" } };
        assert.equal((await runToEnd(workflow, data)).status, "completed");
        assert.deepEqual(one.calls[0]?.body.payload, {
            to: "a@example.com",
            list: ["Ada", { nested: "Dear Ada!" }, 5],
        });
        assert.deepEqual(two.calls[0]?.body.payload, {
            second: 2,
            whole: [{ id: 1 }, { id: 2 }],
            text: "total 3",
        });
    });

    test("a missing value is never a silent blank", async () => {
        const [one, two] = [sink.function().will(ok({ id: 1 })), sink.function()];
        const workflow = await define([
            { name: "a", function: one.name, action: "a" },
            {
                name: "b",
                function: two.name,
                payload_template: { to: "{{step_0_result.email}}" },
                on_failure: "abort",
            },
        ]);
        const run = await runToEnd(workflow);
        assert.equal(run.status, "failed");
        assert.match(run.error?.message ?? "", /step_0_result\.email/);
        assert.equal(two.calls.length, 0);
    });

    test("timeout_seconds is enforced", async () => {
        const f = sink.function().will(never);
        const step = { name: "s", function: f.name, action: "a", on_failure: "retry" };
        // What is under way is waited for to its own time; nothing is begun after it.
        const workflow = await define([step], { timeout_seconds: 1, visibility_timeout: 2 });
        const run = await runToEnd(workflow);
        assert.equal(run.status, "failed");
        const took = Date.parse(run.closed_at ?? "") - Date.parse(run.created_at);
        assert.ok(took >= 900 && took < 10_000, `${took} ms`);
        const { body } = await invoke("status", { execution_id: run.id });
        assert.equal(body.data.status, "failed");
        assert.ok(body.data.error_message);
    });

    test("visibility_timeout is the time that a step may take", async () => {
        const f = sink.function().will(never, ok());
        const step = { name: "s", function: f.name, action: "a", on_failure: "retry" };
        const workflow = await define([step], { visibility_timeout: 1, max_retries: 1 });
        const run = await runToEnd(workflow);
        assert.equal(run.status, "completed");
        assert.equal(f.calls.length, 2);
    });

    test("a cancelled run stops", async () => {
        const [one, two] = [sink.function(), sink.function()];
        const release = one.waits();
        const workflow = await define([
            { name: "a", function: one.name, action: "a" },
            { name: "b", function: two.name, action: "b" },
        ]);
        const { id } = await pawl.start(workflow);
        await one.called(1);
        await pawl.cancel(id, { reason: "changed my mind" });
        // It waits for the step under way, and for nothing else.
        release();
        const run = await pawl.wait(id, { timeout: 60_000 });
        assert.equal(run.status, "cancelled");
        const { body } = await invoke("status", { execution_id: id });
        assert.equal(body.data.status, "cancelled");
        assert.equal(two.calls.length, 0);
    });

    test("a run that waits stops, too, when it is cancelled", async () => {
        const workflow = await define([{ name: "nap", wait: "1h" }]);
        const { id } = await pawl.start(workflow);
        await until("the run waits", async () => (await pawl.get(id)).status === "waiting");
        await pawl.cancel(id);
        assert.equal((await pawl.wait(id, { timeout: 60_000 })).status, "cancelled");
    });
});
