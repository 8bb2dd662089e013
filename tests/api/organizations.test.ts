import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Pawl } from "@pawl/client";
import { checkedFetch } from "./support/contract.js";
import { freshDatabase, Serve } from "./support/serve.js";

interface Counts {
    messagesProcessed: number;
    succeeded: number;
    failed: number;
    dlqRouted: number;
    errors: string[];
}

interface Results {
    success: boolean;
    correlationId: string;
    results: Record<string, Counts>;
}

const path = "/functions/v1/workflow-executor-worker";

describe("document 004: the worker of an organization", () => {
    let api: Serve;
    let worker: Serve;
    let database: pg.Client;

    before(async () => {
        const url = await freshDatabase();
        database = new pg.Client({ connectionString: url });
        await database.connect();
        api = new Serve(url, ["--no-worker"]);
        worker = new Serve(url);
        await api.start();
    });
    after(async () => {
        await api.stop();
        await worker.stop();
        await database.end();
    });

    async function call(): Promise<Counts> {
        const headers = { Authorization: `Bearer ${api.key}` };
        const response = await checkedFetch(api.url + path, { method: "POST", headers });
        assert.equal(response.status, 200);
        const answer = (await response.json()) as Results;
        assert.equal(answer.success, true);
        assert.match(answer.correlationId, /^[0-9a-f-]{36}$/);
        const { rows } = await database.query("select organization from pawl.tenant where id = 1");
        assert.deepEqual(Object.keys(answer.results), [rows[0].organization]);
        return Object.values(answer.results)[0] as Counts;
    }

    test("what is due is done, and counted", async () => {
        const pawl = new Pawl({ url: api.url, key: api.key });
        await pawl.workflows.apply({ name: "good", steps: [{ name: "s", code: "noop" }] });
        await pawl.workflows.apply({
            name: "bad",
            steps: [{ name: "s", type: "transform", config: { jq: 'error("broken rule")' } }],
        } as never);
        await pawl.start("good", {});
        await pawl.start("good", {});
        const failing = await pawl.start("bad", {});
        await worker.start();
        const counts = await call();
        assert.ok(counts.messagesProcessed <= 3);
        assert.equal(counts.messagesProcessed, counts.succeeded + counts.failed);
        assert.equal(counts.dlqRouted, counts.failed);
        if (counts.failed === 1) {
            assert.match(counts.errors[0] ?? "", new RegExp(`^${failing.id}: .*broken rule`));
        }
        const { rows } = await database.query("select * from pawl.fw_module_settings");
        assert.equal(rows[0].worker_running, false);
        assert.ok(rows[0].worker_last_run_at);
        assert.deepEqual(await call(), {
            messagesProcessed: 0,
            succeeded: 0,
            failed: 0,
            dlqRouted: 0,
            errors: [],
        });
    });

    test("messages of the queue are done, and one without a rule is told of", async () => {
        const pawl = new Pawl({ url: api.url, key: api.key });
        const step = { name: "s", code: "echo", input: { said: "{{ submission_data.word }}" } };
        await pawl.workflows.apply({ name: "rule", steps: [step] });
        const { rows } = await database.query(
            `select d.id as rule, t.organization from pawl.definition d
             join pawl.tenant t on t.id = d.tenant where d.name = 'rule'`,
        );
        const { rule, organization } = rows[0] as { rule: string; organization: string };
        const send = async (rule_id: string, execution_id: string): Promise<void> => {
            const trigger_data = {
                trigger_type: "form_submitted",
                organization_id: organization,
                submission_data: { word: "hi" },
            };
            const message = {
                execution_id,
                rule_id,
                trigger_type: "form_submitted",
                organization_id: organization,
                attempt: 1,
                trigger_data,
            };
            await database.query("select pgmq.send('workflow_execution_queue', $1::jsonb)", [
                JSON.stringify(message),
            ]);
        };
        const [fine, lost] = [randomUUID(), randomUUID()];
        await database.query(
            "update pawl.queue set reads_max = 1 where name = 'workflow_execution_queue'",
        );
        await send(rule, fine);
        await send("missing", lost);
        const counts = await call();
        assert.deepEqual(counts.errors, [`${lost}: Rule not found: missing`]);
        assert.equal(counts.failed, 1);
        assert.equal(counts.dlqRouted, 1);
        const runs = await database.query(
            "select status from fw_workflow_executions where workflow_name = 'rule'",
        );
        assert.deepEqual(runs.rows, [{ status: "completed" }]);
        const letters = await database.query(
            "select message from pgmq.q_workflow_dlq where message ->> 'execution_id' = $1",
            [lost],
        );
        const { error, organization_id, total_attempts } = letters.rows[0].message;
        assert.equal(error, "Rule not found: missing");
        assert.equal(organization_id, organization);
        assert.equal(total_attempts, 1);
    });

    test("a second caller does nothing while one works", async () => {
        await database.query("select pawl.enter_organization(1, interval '1 minute')");
        assert.equal((await call()).messagesProcessed, 0);
        const { rows } = await database.query("select * from pawl.fw_module_settings");
        assert.equal(rows[0].worker_running, true);
        await database.query("select pawl.leave_organization(1, 0)");
    });

    test("a refusal has the document's shape", async () => {
        const response = await checkedFetch(api.url + path, { method: "POST" });
        assert.equal(response.status, 401);
        const body = (await response.json()) as Record<string, unknown>;
        assert.equal(body["category"], "AUTH");
        assert.equal(body["status"], 401);
        assert.match(String(body["correlationId"]), /^[0-9a-f-]{36}$/);
        assert.equal(typeof body["error"], "string");
    });
});
