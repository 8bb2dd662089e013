import { supabaseDocumentClient } from "@pawl/client";
import { createClient, FunctionsHttpError } from "@supabase/supabase-js";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { checkedFetch } from "./support/contract.js";
import { define, key, sink, url } from "./support/server.js";
import { ok, refuses } from "./support/sink.js";

// An unmodified Supabase client that was pointed at Pawl.
const supabase = createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: checkedFetch },
});

describe("supabase-js", { concurrency: 4 }, () => {
    test("functions.invoke: health", async () => {
        const body = { action: "health" };
        const { data, error } = await supabase.functions.invoke("workflow-enqueue", { body });
        assert.equal(error, null);
        assert.equal(data.success, true);
        assert.equal(data.data.status, "healthy");
    });

    test("functions.invoke: enqueue and status", async () => {
        const workflow = await define([{ name: "s", code: "noop" }]);
        const payload = { workflow, data: {} };
        const enqueued = await supabase.functions.invoke("workflow-enqueue", {
            body: { action: "enqueue", payload },
        });
        assert.equal(enqueued.error, null);
        const { execution_id } = enqueued.data.data;
        const status = await supabase.functions.invoke("workflow-enqueue", {
            body: { action: "status", payload: { execution_id } },
        });
        assert.equal(status.error, null);
        assert.equal(status.data.data.id, execution_id);
    });

    test("functions.invoke: an error keeps the answer with the reason", async () => {
        const body = { action: "enqueue", payload: { workflow: "nope", data: {} } };
        const { data, error } = await supabase.functions.invoke("workflow-enqueue", { body });
        assert.equal(data, null);
        assert.ok(error instanceof FunctionsHttpError);
        assert.equal(error.context.status, 400);
        assert.deepEqual(await error.context.json(), {
            success: false,
            error: "Workflow not found: nope",
        });
    });

    test("functions.invoke: the wrong key is an error", async () => {
        const stranger = createClient(url, "pawl_nobody", {
            auth: { persistSession: false, autoRefreshToken: false },
        });
        const body = { action: "health" };
        const { error } = await stranger.functions.invoke("workflow-enqueue", { body });
        assert.ok(error instanceof FunctionsHttpError);
        assert.equal(error.context.status, 401);
    });

    test("the document's three functions over a Supabase client", async () => {
        const client = supabaseDocumentClient(supabase);
        const f = sink.function().will(ok({ sent: true }));
        const workflow = await define([
            { name: "s", function: f.name, payload_template: { to: "{{to}}" } },
        ]);
        const correlation = randomUUID();
        const result = await client.triggerWorkflow(workflow, { to: "Ada" }, correlation);
        assert.equal(result.status, "queued");
        assert.equal(result.total_steps, 1);
        const again = await client.triggerWorkflow(workflow, { to: "Ada" }, correlation);
        assert.equal(again.execution_id, result.execution_id);
        assert.equal(again.message, "Workflow already exists (idempotent)");
        const looks: string[] = [];
        const final = await client.waitForWorkflow(result.execution_id, {
            pollInterval: 20,
            onProgress: (status) => void looks.push(status.status),
        });
        assert.equal(final.status, "completed");
        assert.equal(looks.at(-1), "completed");
        assert.deepEqual(final.context["step_0_result"], { sent: true });
        assert.equal((await client.getWorkflowStatus(result.execution_id)).status, "completed");
    });

    test("the three functions: errors tell the reason, failures are results", async () => {
        const client = supabaseDocumentClient(supabase);
        const workflow = await define(
            [
                {
                    name: "s",
                    function: sink.function().will(refuses("no")).name,
                    on_failure: "abort",
                },
            ],
            { required_fields: ["a", "b"] },
        );
        const missing = client.triggerWorkflow(workflow, {});
        await assert.rejects(missing, { message: "Missing required fields: a, b" });
        const { execution_id } = await client.triggerWorkflow(workflow, { a: 1, b: 2 });
        const final = await client.waitForWorkflow(execution_id, { pollInterval: 20 });
        assert.equal(final.status, "failed");
        assert.equal(final.error_message, "no");
        assert.equal(final.error_step, "s");
    });
});
