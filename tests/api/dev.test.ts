import { Pawl } from "@pawl/client";
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { Program } from "./support/process.js";
import { until } from "./support/until.js";

// What `make run` starts: a private Postgres, the samples, a key, and functions that answer.

interface Ready {
    url: string;
    env_file: string;
}

describe("pawl dev", () => {
    let program: Program;
    let ready: Ready;
    let pawl: Pawl;
    let databaseUrl = "";
    before(async () => {
        const args = ["dev", "--ephemeral", "--listen", "127.0.0.1:0", "-o", "json"];
        program = new Program(args);
        ready = await program.printed<Ready>();
        const env = readFileSync(ready.env_file, "utf8");
        assert.match(env, new RegExp(`^PAWL_URL=${ready.url}$`, "m"));
        databaseUrl = /^DATABASE_URL=(.+)$/m.exec(env)?.[1] ?? "";
        const key = /^PAWL_API_KEY=(.+)$/m.exec(env)?.[1] ?? "";
        pawl = new Pawl({ url: ready.url, key, fetch: checkedFetch });
    });
    after(async () => {
        await program.stop();
        assert.ok(!existsSync(ready.env_file), "nothing is left of an ephemeral one");
    });

    test("the key of its env file starts a sample", async () => {
        const { id } = await pawl.start("hello", { name: "Ada" });
        const run = await pawl.wait(id, { timeout: 60_000 });
        assert.deepEqual(run.output, { greeting: "Hello, Ada!" });
    });

    test("the functions of the document's workflows answer, and show what they got", async () => {
        const user = { user_email: "c@example.com", user_name: "Cy", first_name: "Cy" };
        const data = { ...user, welcome_email_template_id: "w", signup_date: "2026-01-01" };
        const { id } = await pawl.start("user_signup_complete", data);
        const run = await pawl.wait(id, { timeout: 60_000 });
        assert.equal(run.status, "completed", run.error?.message);
        const response = await fetch(`${ready.url}/sandbox/calls`);
        const calls = JSON.stringify(await response.json());
        assert.match(calls, /send-email/);
        assert.match(calls, /c@example\.com/);
        const page = await fetch(`${ready.url}/sandbox`);
        assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
        assert.equal(page.headers.get("access-control-allow-origin"), null);
    });

    test("messages of the database end in the sandbox", async () => {
        const client = new pg.Client({ connectionString: databaseUrl });
        await client.connect();
        try {
            await client.query(
                `select comms.kickoff_send_email_task(
                     comms.create_email_message('dev@example.com', 'Hello', 'text'))`,
            );
            const sent = await until("the email was sent", async () => {
                const { rows } = await client.query<{ provider_message_id: string }>(
                    "select provider_message_id from comms.send_email_task_succeeded",
                );
                return rows[0];
            });
            assert.match(sent.provider_message_id, /^sandbox-/);
        } finally {
            await client.end();
        }
        const response = await fetch(`${ready.url}/sandbox/calls`);
        const calls = JSON.stringify(await response.json());
        assert.match(calls, /dev@example\.com/);
    });
});
