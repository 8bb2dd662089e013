import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { ended, enqueued } from "./support/executions.js";
import {
    countRuns,
    database,
    define,
    execution,
    invoke,
    request,
    sink,
    uncheckedRequest,
    url,
} from "./support/server.js";
import { ok } from "./support/sink.js";

// The contract of document 000, row by row.

describe("document 000", { concurrency: 4 }, () => {
    test("workflow_definitions: rows of SQL are workflows, an update a new version", async () => {
        const f = sink.function();
        const name = `sql_${randomUUID().slice(0, 8)}`;
        const step = { name: "one", function: f.name, action: "go", on_failure: "abort" };
        const steps = (text: string): string =>
            JSON.stringify([{ ...step, payload_template: { text } }]);
        const insert = `insert into workflow_definitions (name, description, steps, required_fields)
            values ($1, 'made by SQL', $2, '{who}') on conflict (name) do nothing`;
        await database.query(insert, [name, steps("first {{who}}")]);
        await database.query(insert, [name, steps("ignored {{who}}")]);

        const release = f.waits();
        const first = await enqueued(name, { who: "Ada" });
        await f.called(1);
        const update = "update workflow_definitions set steps = $2 where name = $1";
        await database.query(update, [name, steps("second {{who}}")]);
        const second = await enqueued(name, { who: "Ada" });
        await f.called(2);
        release();

        assert.equal((await ended(first.execution_id))["workflow_version"], 1);
        assert.equal((await ended(second.execution_id))["workflow_version"], 2);
        assert.deepEqual(
            f.calls.map((call) => call.body.payload),
            [{ text: "first Ada" }, { text: "second Ada" }],
        );
        const { rows } = await database.query(
            "select version, active, timeout_seconds, visibility_timeout, max_retries " +
                "from workflow_definitions where name = $1",
            [name],
        );
        assert.deepEqual(rows, [
            {
                version: 2,
                active: true,
                timeout_seconds: 300,
                visibility_timeout: 60,
                max_retries: 3,
            },
        ]);

        await database.query("update workflow_definitions set active = false where name = $1", [
            name,
        ]);
        const refused = await invoke("enqueue", { workflow: name, data: { who: "Ada" } });
        assert.equal(refused.status, 400);
        assert.equal(refused.body.error, `Workflow not found: ${name}`);
    });

    test("workflow_executions: every column, and context is the fold", async () => {
        const [one, two] = [sink.function(), sink.function()];
        one.will(ok({ message_id: "m1", shared: "one" }));
        two.will(ok({ sent: true, shared: "two" }));
        const workflow = await define([
            { name: "first", function: one.name, action: "a", payload_template: {} },
            { name: "second", function: two.name, action: "b", payload_template: {} },
        ]);
        const correlation = randomUUID();
        const { execution_id: id } = await enqueued(workflow, { who: "Ada" }, correlation);
        const row = await ended(id);
        const { created_at, started_at, completed_at, ...rest } = row;
        assert.deepEqual(rest, {
            id,
            workflow_name: workflow,
            workflow_version: 1,
            status: "completed",
            current_step: rest["current_step"],
            total_steps: 2,
            input_payload: { who: "Ada" },
            context: {
                who: "Ada",
                step_0_result: { message_id: "m1", shared: "one" },
                message_id: "m1",
                step_1_result: { sent: true, shared: "two" },
                sent: true,
                shared: "two",
            },
            error_message: null,
            error_step: null,
            retry_count: 0,
            correlation_id: correlation,
            triggered_by: "frontend",
        });
        assert.equal(rest["current_step"], 1);
        const moments = [created_at, started_at, completed_at].map((at) => Date.parse(at));
        assert.ok(moments.every((at) => !Number.isNaN(at)));
        assert.deepEqual(
            [...moments].sort((a, b) => a - b),
            moments,
        );
        const stored = await execution(id);
        assert.deepEqual(Object.keys(stored).sort(), Object.keys(row).sort());
        assert.deepEqual(stored["context"], row["context"]);
    });

    test("workflow-enqueue: enqueue, status and health in their envelopes", async () => {
        const workflow = await define([{ name: "s", function: sink.function().name, action: "a" }]);
        const data = await enqueued(workflow, {});
        assert.deepEqual(data, {
            execution_id: data.execution_id,
            workflow_name: workflow,
            status: "queued",
            total_steps: 1,
        });
        const health = await invoke("health");
        assert.equal(health.status, 200);
        assert.equal(health.body.data.status, "healthy");
        const age = Date.now() - Date.parse(health.body.data.timestamp);
        assert.ok(Math.abs(age) < 60_000);
    });

    test("workflow-enqueue: 400 on validation, with the document's messages", async () => {
        const id = randomUUID();
        const cases: [unknown, string | RegExp][] = [
            [{}, "action is required"],
            [{ action: "nonsense" }, "Unknown action: nonsense"],
            [{ action: "enqueue", payload: { data: {} } }, "workflow is required"],
            [{ action: "enqueue", payload: { workflow: "hello" } }, "data is required"],
            [
                { action: "enqueue", payload: { workflow: "nope", data: {} } },
                "Workflow not found: nope",
            ],
            [{ action: "status", payload: {} }, "execution_id is required"],
            [{ action: "status", payload: { execution_id: id } }, `Execution not found: ${id}`],
            [{ action: "status", payload: { execution_id: "x" } }, "Execution not found: x"],
        ];
        for (const [body, message] of cases) {
            const path = "/functions/v1/workflow-enqueue";
            const response = await request("POST", path, { body });
            assert.equal(response.status, 400, JSON.stringify(body));
            const answer = (await response.json()) as Record<string, unknown>;
            // Words may be added to what a validator says, not to what the route itself says.
            assert.equal(answer["success"], false);
            assert.equal(answer["error"], message);
        }
    });

    test("workflow-enqueue: 405 on other methods, and a CORS preflight", async () => {
        const path = "/functions/v1/workflow-enqueue";
        for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
            const response = await uncheckedRequest(method, path);
            assert.equal(response.status, 405, method);
            const body = await response.json();
            assert.deepEqual(body, { success: false, error: "Method not allowed" });
        }
        const preflight = await fetch(url + path, {
            method: "OPTIONS",
            headers: {
                Origin: "https://app.example.com",
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization,x-client-info,apikey,content-type",
            },
        });
        assert.equal(preflight.status, 200);
        assert.equal(await preflight.text(), "ok");
        assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
        const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase() ?? "";
        for (const header of ["authorization", "x-client-info", "apikey", "content-type"]) {
            assert.ok(allowed.includes(header), header);
        }
        assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /POST/);
    });

    test("dual validation: required fields, every placeholder; nothing is written", async () => {
        const workflow = await define(
            [
                { name: "a", function: "f", payload_template: { to: "{{guest_email}}" } },
                {
                    name: "b",
                    function: "f",
                    payload_template: {
                        deep: { list: ["{{ listing.address }}", "{{step_0_result.message_id}}"] },
                        name: "{{guest_name}}",
                    },
                },
            ],
            { required_fields: ["guest_email", "guest_name"] },
        );
        const first = await invoke("enqueue", { workflow, data: {} });
        assert.equal(first.status, 400);
        assert.equal(first.body.error, "Missing required fields: guest_email, guest_name");
        const data = { guest_email: "a@example.com", guest_name: "Ada", listing: {} };
        const second = await invoke("enqueue", { workflow, data });
        assert.equal(second.status, 400);
        assert.equal(
            second.body.error,
            "Missing template variables: listing.address. These placeholders exist in workflow " +
                "steps but were not provided in data.",
        );
        assert.equal(await countRuns(workflow), 0);
    });

    test("correlation_id: 100 concurrent identical calls are one run", async () => {
        const f = sink.function();
        const workflow = await define([{ name: "s", function: f.name, action: "a" }]);
        const correlation = randomUUID();
        const calls = Array.from({ length: 100 }, () => enqueued(workflow, {}, correlation));
        const answers = await Promise.all(calls);
        assert.equal(new Set(answers.map((answer) => answer.execution_id)).size, 1);
        assert.equal(answers.filter((answer) => answer.status === "queued").length, 1);
        const others = answers.filter((answer) => answer.message !== undefined);
        assert.equal(others.length, 99);
        for (const other of others) {
            assert.equal(other.message, "Workflow already exists (idempotent)");
            assert.match(other.status, /^(pending|running|completed)$/);
        }
        await ended(answers[0].execution_id);
        assert.equal(await countRuns(workflow), 1);
        assert.equal(f.calls.length, 1);
    });

    test("correlation_id: known once, whichever workflow it was used for", async () => {
        const f = sink.function();
        const steps = [{ name: "s", function: f.name, action: "a" }];
        const [one, two] = [await define(steps), await define(steps)];
        const needy = await define(steps, { required_fields: ["who"] });
        const correlation = randomUUID();
        const first = await enqueued(one, {}, correlation);
        assert.equal(first.status, "queued");
        const second = await enqueued(two, {}, correlation);
        assert.equal(second.execution_id, first.execution_id);
        assert.equal(second.workflow_name, two);
        assert.equal(second.message, "Workflow already exists (idempotent)");
        const refused = await invoke("enqueue", {
            workflow: needy,
            data: {},
            correlation_id: correlation,
        });
        assert.equal(refused.status, 400, "what is wrong with a call is said first");
        const { rows } = await database.query(
            `insert into workflow_executions (workflow_name, input_payload, correlation_id)
             values ($1, '{}', $2) returning id`,
            [two, correlation],
        );
        assert.equal(rows[0].id, first.execution_id, "by SQL too");
        assert.equal(await countRuns(two), 0);

        const together = randomUUID();
        const calls = Array.from({ length: 60 }, (_, i) =>
            enqueued(i % 2 === 0 ? one : two, {}, together),
        );
        const answers = await Promise.all(calls);
        assert.equal(new Set(answers.map((answer) => answer.execution_id)).size, 1);
        assert.equal(answers.filter((answer) => answer.status === "queued").length, 1);

        const freed = randomUUID();
        const wrong = { workflow: needy, data: {}, correlation_id: freed };
        assert.equal((await invoke("enqueue", wrong)).status, 400);
        assert.equal((await enqueued(one, {}, freed)).status, "queued", "nothing has that key");
    });

    test("immediate start: a run does not wait for a poll", async () => {
        const f = sink.function();
        const workflow = await define([{ name: "s", function: f.name, action: "a" }]);
        const took: number[] = [];
        for (let i = 1; i <= 3; ++i) {
            const began = Date.now();
            await enqueued(workflow, {});
            await f.called(i);
            took.push(Date.now() - began);
        }
        assert.ok(Math.min(...took) < 1000, `it took ${took.join(", ")} ms`); // of a busy machine
    });

    test("seeds: the three workflows of the document are there and run", async () => {
        const [email, slack] = [sink.function("send-email"), sink.function("slack")];
        const common = { email_template_id: "t", host_name: "Bob", listing_address: "Road 1" };
        const guest = { guest_email: "a@example.com", guest_name: "Ada" };
        const dates = { start_date: "2026-01-01", end_date: "2026-02-01", monthly_rent: 900 };
        const user = { user_email: "c@example.com", user_name: "Cy", first_name: "Cy" };
        const seeds: [string, Record<string, unknown>][] = [
            ["proposal_accepted", { ...common, ...guest, ...dates }],
            ["listing_submitted", { ...common, host_email: "b@example.com", listing_id: "l1" }],
            [
                "user_signup_complete",
                { ...user, welcome_email_template_id: "w", signup_date: "2026-01-01" },
            ],
        ];
        for (const [workflow, data] of seeds) {
            const row = await ended((await enqueued(workflow, data)).execution_id);
            assert.equal(row["status"], "completed", `${workflow}: ${row["error_message"]}`);
            const { status, body } = await invoke("enqueue", { workflow, data: {} });
            assert.equal(status, 400);
            assert.match(body.error ?? "", /^Missing required fields: /);
        }
        assert.deepEqual(
            email.calls.map((call) => call.body.payload?.["to_email"]),
            ["a@example.com", "b@example.com", "c@example.com"],
        );
        assert.equal(
            slack.calls[0]?.body.payload?.["message"],
            "New listing submitted: Road 1 by Bob",
        );
    });

    test("the routes ask for a key, in the document's envelope", async () => {
        for (const name of ["workflow-enqueue", "workflow-orchestrator"]) {
            const options = { key: undefined, body: { action: "health" } };
            const response = await request("POST", `/functions/v1/${name}`, options);
            assert.equal(response.status, 401);
            const body = (await response.json()) as Record<string, unknown>;
            assert.equal(body["success"], false);
            assert.equal(typeof body["error"], "string");
        }
    });
});
