import { Pawl } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// Messages of queues start runs: on a server of their own, since workflow_queue is there once.

type Row = Record<string, any>;

let server: Serve;
let client: pg.Client;
let pawl: Pawl;
before(async () => {
    server = new Serve(await freshDatabase());
    await server.start();
    client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    pawl = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch, retries: 50 });
});
after(async () => {
    await client.end();
    await server.stop();
});

async function rows(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await client.query<Row>(text, values)).rows;
}
async function send(queue: string, message: unknown, headers: unknown = {}): Promise<number> {
    const text = "select send::int as id from pgmq.send($1, $2::jsonb, $3::jsonb)";
    return (await rows(text, [queue, JSON.stringify(message), JSON.stringify(headers)]))[0]!["id"];
}
async function define(rest: Record<string, unknown> = {}, code = "echo"): Promise<string> {
    const name = `w-${randomUUID()}`;
    const retry = { attempts: 1 };
    const steps = [{ name: "say", code, input: { said: "{{ word }}" }, retry }];
    await pawl.workflows.apply({ name, steps, ...rest } as never);
    return name;
}
async function runsOf(workflow: string, count: number): Promise<Row[]> {
    return await until(`${count} runs of ${workflow}`, async () => {
        const text =
            "select * from workflow_executions where workflow_name = $1 order by created_at";
        const found = await rows(text, [workflow]);
        const ended = found.filter((run) => ["completed", "failed"].includes(run["status"]));
        return ended.length >= count ? found : undefined;
    });
}
async function gone(queue: string): Promise<void> {
    await until(`${queue} is empty`, async () => {
        const [row] = await rows("select queue_length::int as n from pgmq.metrics($1)", [queue]);
        return row!["n"] === 0;
    });
}

describe("queues that start runs", () => {
    test("a message of the document's kind starts the workflow it names", async () => {
        const workflow = await define();
        const execution_id = randomUUID();
        const message = {
            execution_id,
            workflow_name: workflow,
            workflow_version: 1,
            steps: [],
            current_step: 0,
            context: { word: "hello" },
            visibility_timeout: 60,
            max_retries: 3,
        };
        await send("workflow_queue", message);
        const [run] = await runsOf(workflow, 1);
        assert.equal(run!["status"], "completed");
        assert.equal(run!["context"]["said"], "hello");
        assert.equal(run!["triggered_by"], "queue");
        assert.equal(run!["correlation_id"], execution_id);
        await send("workflow_queue", message);
        await gone("workflow_queue");
        assert.equal((await runsOf(workflow, 1)).length, 1, "the same execution once");
    });

    test("a message that names its rule starts that workflow", async () => {
        const workflow = await define();
        const [head] = await rows("select id from workflow_definitions where name = $1", [
            workflow,
        ]);
        await rows("select pgmq.create('workflow_execution_queue')");
        await send("workflow_execution_queue", {
            execution_id: randomUUID(),
            rule_id: head!["id"],
            trigger_type: "form_submitted",
            organization_id: randomUUID(),
            attempt: 1,
            trigger_data: { trigger_type: "form_submitted", word: "form" },
        });
        assert.equal((await runsOf(workflow, 1))[0]!["context"]["said"], "form");
        await gone("workflow_execution_queue");
    });

    test("a message about a run that exists starts nothing", async () => {
        const workflow = await define();
        const { id } = await pawl.start(workflow, { word: "first" });
        await send("workflow_queue", { execution_id: id, workflow_name: workflow, context: {} });
        await gone("workflow_queue");
        assert.equal((await runsOf(workflow, 1)).length, 1);
    });

    test("a trigger with filter, subject and input; unwanted messages are archived", async () => {
        const queue = `orders_${randomUUID().slice(0, 8)}`;
        const trigger = {
            queue,
            filter: { path: "total", operator: ">", value: 10 },
            subject: "customer {{ customer }}",
            input: { word: "{{ event.data.customer }}" },
        };
        const workflow = await define({ triggers: [trigger] });
        const [stored] = (await pawl.workflows.get(workflow)).definition["triggers"] as Row[];
        assert.equal(stored!["queue"], queue);
        const unwanted = await send(queue, { total: 5, customer: "ann" });
        await send(queue, { total: 50, customer: "bob" }, { correlation_id: "c1" });
        const [run] = await runsOf(workflow, 1);
        assert.equal(run!["context"]["said"], "bob");
        assert.equal(run!["correlation_id"], "c1");
        await gone(queue);
        assert.deepEqual(await rows(`select msg_id::int as id from pgmq.a_${queue}`), [
            { id: unwanted },
        ]);
    });

    test("a queue of one workflow, by a row, with an archive", async () => {
        const queue = `rows_${randomUUID().slice(0, 8)}`;
        const workflow = await define();
        await rows("select pgmq.create($1)", [queue]);
        const text = "insert into pawl.queue (name, workflow, archive) values ($1, $2, true)";
        await rows(text, [queue, workflow]);
        await send(queue, { word: "by row" });
        assert.equal((await runsOf(workflow, 1))[0]!["context"]["said"], "by row");
        assert.equal((await rows(`select from pgmq.a_${queue}`)).length, 1);
    });

    test("what cannot start a run goes to the dead-letter queue with the reason", async () => {
        const workflow = await define();
        await rows("update pawl.queue set reads_max = 2 where name = 'workflow_queue'");
        const bad = [
            { workflow_name: "no-such", tag: randomUUID(), context: {} },
            { workflow_name: workflow, tag: randomUUID(), context: {} },
            { tag: randomUUID(), context: { word: "x" } },
            { workflow_name: workflow, tag: randomUUID(), current_step: 2, context: { word: "x" } },
        ];
        for (const one of bad) await send("workflow_queue", one);
        const found = await until("dead letters", async () => {
            const letters = await rows(
                "select message from pgmq.q_workflow_dlq where message ->> 'tag' = any($1)",
                [bad.map((one) => one.tag)],
            );
            return letters.length === bad.length ? letters : undefined;
        });
        const errors = bad.map(
            (one) => found.find((letter) => letter["message"]["tag"] === one.tag)!["message"],
        );
        assert.equal(errors[0]!["error"], "Workflow not found: no-such");
        assert.match(errors[1]!["error"], /word/);
        assert.match(errors[2]!["error"], /does not name a workflow/);
        assert.match(errors[3]!["error"], /first step/);
        assert.equal(errors[0]!["total_attempts"], 2);
        assert.equal(errors[0]!["queue"], "workflow_queue");
        assert.ok(Date.parse(errors[0]!["failed_at"]) > 0);
        assert.equal(
            (await rows("select from workflow_executions where workflow_name = $1", [workflow]))
                .length,
            0,
        );
    });

    test("a run that failed for good is in workflow_dlq", async () => {
        const workflow = await define({}, "fail");
        await send("workflow_queue", {
            workflow_name: workflow,
            context: { word: "x", organization_id: "org-7" },
        });
        const [run] = await runsOf(workflow, 1);
        assert.equal(run!["status"], "failed");
        const message = await until("the dead run", async () => {
            const text =
                "select message from pgmq.q_workflow_dlq where message ->> 'execution_id' = $1";
            return (await rows(text, [run!["id"]]))[0]?.["message"] as Row | undefined;
        });
        assert.equal(message["workflow_name"], workflow);
        assert.equal(message["workflow_version"], 1);
        assert.equal(message["current_step"], 0);
        assert.equal(message["steps"].length, 1);
        assert.equal(message["context"]["word"], "x");
        assert.equal(message["organization_id"], "org-7");
        assert.equal(message["trigger_type"], "queue");
        assert.equal(message["error"], run!["error_message"]);
        assert.equal(message["total_attempts"], message["attempt"]);
        assert.ok(message["total_attempts"] >= 1);
        for (const key of ["visibility_timeout", "max_retries", "rule_id", "failed_at"]) {
            assert.notEqual(message[key], undefined, key);
        }
    });

    test("2,000 messages, and workers that are killed: 2,000 runs", async () => {
        const queue = `many_${randomUUID().slice(0, 8)}`;
        const workflow = await define({ triggers: [{ queue }] });
        const count = async (text: string) => Number((await rows(text, [workflow]))[0]!["n"]);
        const total = 2000;
        const other = new Serve(server.databaseUrl);
        await other.start();
        const runs = `select (select count(*) from pawl.live_run where workflow = w.id)
            + (select count(*) from pawl.run where workflow = w.id) as n
            from pawl.workflow w where w.name = $1`;
        for (let sent = 0; sent < total; sent += 100) {
            const text = `select from pgmq.send_batch($1, array(
                select jsonb_build_object('word', i) from generate_series($2::int, $3::int) i))`;
            await rows(text, [queue, sent + 1, sent + 100]);
            // In the middle of it, again and again, one at a time or both.
            if (sent === 300 || sent === 1100) {
                await until("some have started", async () => (await count(runs)) > sent / 4);
                await server.kill();
                if (sent === 1100) await other.kill();
                await server.start();
            }
        }
        await until("all have ended", async () => (await count(runs)) >= total, 60_000);
        await gone(queue);
        await runsOf(workflow, total);
        assert.equal(await count(runs), total);
        const words = `select count(distinct e.data -> 'input' -> 'word') as n from pawl.event e
            join pawl.run r using (bucket, run_id) join pawl.workflow w on w.id = r.workflow
            where e.seq = 0 and w.name = $1`;
        assert.equal(await count(words), total, "each message once");
    });
});
