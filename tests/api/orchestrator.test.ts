import { Pawl } from "@pawl/client";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { Sink } from "./support/sink.js";
import { until } from "./support/until.js";

// {action: process} of workflow-orchestrator does what is due, and says how much that was.

describe("document 000: workflow-orchestrator", () => {
    const sink = new Sink();
    let api: Serve;
    let worker: Serve;
    let pawl: Pawl;
    before(async () => {
        const url = await freshDatabase();
        const functions = ["--functions-url", await sink.start()];
        api = new Serve(url, ["--no-worker"]);
        worker = new Serve(url, functions);
        await api.start();
        pawl = new Pawl({ url: api.url, key: api.key, fetch: checkedFetch });
    });
    after(async () => {
        await api.stop();
        await worker.stop();
        sink.stop();
    });

    /** The request has noted what is due, and looks what becomes of it. */
    async function looksHowFarTheyAre(): Promise<boolean> {
        const client = new pg.Client({ connectionString: api.databaseUrl });
        await client.connect();
        const found = await client.query(
            `select 1 from pg_stat_activity where datname = current_database()
              and query like '%pawl.runs_done(%' and pid <> pg_backend_pid()`,
        );
        await client.end();
        return found.rowCount! > 0;
    }

    async function processed(key = api.key): Promise<number> {
        const response = await checkedFetch(`${api.url}/functions/v1/workflow-orchestrator`, {
            method: "POST",
            headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
            body: JSON.stringify({ action: "process", payload: { triggered_by: "cron" } }),
        });
        assert.equal(response.status, 200);
        const answer = (await response.json()) as { success: boolean; data: { processed: number } };
        assert.equal(answer.success, true);
        return answer.data.processed;
    }

    test("no worker: nothing is processed; one: what is due is done then", async () => {
        const f = sink.function();
        const release = f.waits();
        const steps = [{ name: "s", function: f.name, action: "a" }];
        await pawl.workflows.apply({ name: "three", steps });
        const ids: string[] = [];
        for (let i = 0; i < 3; ++i) ids.push((await pawl.start("three")).id);
        assert.equal(await processed(), 0);
        assert.equal(await processed(), 0, "asked again, it is the same");

        await worker.start();
        await f.called(3);
        const asked = processed();
        await until("the request looks how far they are", looksHowFarTheyAre);
        release();
        assert.equal(await asked, 3);
        for (const id of ids) assert.equal((await pawl.get(id)).status, "completed");
        assert.equal(await processed(), 0, "nothing is left");
    });

    test("a step of another run that takes long is not waited for", async () => {
        const f = sink.function();
        const release = f.waits();
        await pawl.workflows.apply({
            name: "long",
            steps: [{ name: "s", function: f.name, action: "a" }],
        });
        const { id } = await pawl.start("long");
        await f.called(1);
        const began = Date.now();
        assert.equal(await processed(), 0, "nothing happened to it");
        assert.ok(Date.now() - began < 5000);
        release();
        await pawl.wait(id, { timeout: 60_000 });
    });

    test("what other tenants have is not counted", async () => {
        await pawlCommand(["tenants", "create", "other"], { DATABASE_URL: api.databaseUrl });
        const key = await createKey(api.databaseUrl, ["admin"], "other");
        const f = sink.function();
        const release = f.waits();
        await pawl.workflows.apply({
            name: "held",
            steps: [{ name: "s", function: f.name, action: "a" }],
        });
        const { id } = await pawl.start("held");
        await f.called(1);
        assert.equal(await processed(key), 0);
        release();
        await pawl.wait(id, { timeout: 60_000 });
    });
});
