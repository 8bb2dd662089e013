import { documentClient } from "@pawl/client";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countRuns, define, pawl, sink } from "./support/server.js";
import { ok } from "./support/sink.js";

const client = documentClient(pawl);

describe("the document's browser client", { concurrency: 4 }, () => {
    test("trigger, status, wait with progress", async () => {
        const f = sink.function();
        const release = f.waits(ok({ sent: true }));
        const workflow = await define([
            { name: "a", code: "noop" },
            { name: "b", function: f.name, payload_template: { to: "{{to}}" } },
        ]);
        const result = await client.triggerWorkflow(workflow, { to: "Ada" });
        assert.deepEqual(result, {
            execution_id: result.execution_id,
            workflow_name: workflow,
            status: "queued",
            total_steps: 2,
        });
        await f.called(1);
        const status = await client.getWorkflowStatus(result.execution_id);
        assert.equal(status.status, "running");
        assert.equal(status.current_step, 1);
        const looks: string[] = [];
        const waiting = client.waitForWorkflow(result.execution_id, {
            pollInterval: 10,
            onProgress(look) {
                looks.push(look.status);
                if (looks.length === 2) release();
            },
        });
        const final = await waiting;
        assert.equal(final.status, "completed");
        assert.deepEqual(looks.slice(0, 2), ["running", "running"]);
        assert.equal(looks.at(-1), "completed");
    });

    test("a timeout has the document's message", async () => {
        const workflow = await define([{ name: "nap", wait: "1h" }]);
        const { execution_id } = await client.triggerWorkflow(workflow, {});
        let looks = 0;
        const waiting = client.waitForWorkflow(execution_id, {
            pollInterval: 20,
            timeout: 2000,
            onProgress: () => void ++looks,
        });
        const message = `Workflow ${execution_id} timed out after 2000ms`;
        await assert.rejects(waiting, { message });
        assert.ok(looks >= 2, `${looks} looks`);
        await pawl.cancel(execution_id);
        const final = await client.waitForWorkflow(execution_id, { pollInterval: 10 });
        assert.equal(final.status, "cancelled");
    });

    test("what the server refuses is an error with its message", async () => {
        const wrong = client.triggerWorkflow("nope", {});
        await assert.rejects(wrong, { message: "Workflow not found: nope", status: 400 });
        const unknown = client.getWorkflowStatus("x");
        await assert.rejects(unknown, { message: "Execution not found: x" });
    });

    test("two calls without a correlation id are two runs", async () => {
        const workflow = await define([{ name: "s", code: "noop" }]);
        const one = await client.triggerWorkflow(workflow, {});
        const two = await client.triggerWorkflow(workflow, {});
        assert.notEqual(one.execution_id, two.execution_id);
        assert.equal(await countRuns(workflow), 2);
    });
});
