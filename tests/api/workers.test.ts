import { Pawl } from "@pawl/client";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand, Program } from "./support/process.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { never, Sink } from "./support/sink.js";
import { until } from "./support/until.js";

// The workers csr, bdr, sdr and va: C++ workflows, with people, email and a model.

const ticket = { email: "ann@example.com", subject: "Broken", body: "It does not start" };

interface SandboxCall {
    function: string;
    payload: { to?: string; subject?: string; text?: string };
}

describe("workers in the sandbox of pawl dev", () => {
    let program: Program;
    let url = "";
    let pawl: Pawl;
    let env: Record<string, string> = {};
    let client: pg.Client;
    before(async () => {
        program = new Program(["dev", "--ephemeral", "--listen", "127.0.0.1:0", "-o", "json"]);
        const ready = await program.printed<{ url: string; env_file: string }>();
        url = ready.url;
        const lines = readFileSync(ready.env_file, "utf8").split("\n");
        env = Object.fromEntries(
            lines.filter((line) => line.includes("=")).map((line) => line.split(/=(.*)/s, 2)),
        ) as Record<string, string>;
        pawl = new Pawl({ url, key: env["PAWL_API_KEY"] ?? "", fetch: checkedFetch });
        client = new pg.Client({ connectionString: env["DATABASE_URL"] ?? "" });
        await client.connect();
    });
    after(async () => {
        await client.end();
        await program.stop();
    });

    async function calls(name: string): Promise<SandboxCall[]> {
        const response = await fetch(`${url}/sandbox/calls`);
        const { data } = (await response.json()) as { data: SandboxCall[] };
        return data.filter((call) => call.function === name);
    }
    /** The task of a run, once it is open. */
    function taskOf(run: string): Promise<{ id: string; data: unknown }> {
        return until("a review is asked for", async () =>
            (await pawl.tasks.list({ run }).all()).find((task) => task.state === "open"),
        ) as Promise<{ id: string; data: unknown }>;
    }

    test("csr: an edited draft is sent, and kept with its diff", async () => {
        const before = (await calls("model")).length;
        await client.query(
            "insert into pawl.knowledge (id, title, body) values ('k1', 'Starting', 'Press start')",
        );
        const input = { ticket_id: "t1", ticket };
        const { id } = await pawl.start("csr", input);
        const task = await taskOf(id);
        const draft = task.data as { subject: string; body: string };
        assert.match(draft.body, /^Sandbox body about: /);
        const data = { ...draft, body: `${draft.body}\nKind regards` };
        await pawl.tasks.approve(task.id, { by: "bob", data });
        await until("the answer is sent", async () => (await calls("email")).length > 0);
        const mail = (await calls("email")).at(-1)?.payload;
        assert.equal(mail?.to, "ann@example.com");
        assert.match(mail?.text ?? "", /Kind regards$/);
        await pawl.inbox.publish({ name: "ticket.replied", key: "t1", data: { resolved: true } });
        const run = await pawl.wait(id, { timeout: 60_000 });
        const output = run.output as { status: string; review: { diff: string; by: string } };
        assert.equal(output.status, "resolved", JSON.stringify(run));
        assert.equal(output.review.by, "bob");
        assert.match(output.review.diff, /^\+ Kind regards$/m);
        assert.equal((await calls("model")).length, before + 1, "the model was asked once");

        const steps = JSON.stringify(await pawl.steps(id));
        assert.match(steps, /Press start/, "what is known was found");
        const shown = await pawlCommand(["runs", "show", id, "-o", "json"], env);
        assert.equal((JSON.parse(shown) as { status: string }).status, "completed");
    });

    test("csr: a model that fails is asked again; a ticket that is not there is not", async () => {
        const fail = JSON.stringify({ fail: "overloaded", times: 1 });
        const headers = { Authorization: `Bearer ${env["PAWL_API_KEY"]}` };
        const told = await fetch(`${url}/sandbox/functions/model`, {
            method: "POST",
            headers: { ...headers, "Content-Type": "application/json" },
            body: fail,
        });
        assert.equal(told.status, 200);
        const { id } = await pawl.start("csr", { ticket_id: "t2", ticket });
        await taskOf(id);
        const events = await pawl.events(id).all();
        const failed = events.find((event) => event.type === "step_failed");
        assert.equal((failed?.error as { message?: string }).message, "overloaded");

        const missing = await pawl.start("csr", { ticket_id: "unknown" });
        const run = await pawl.wait(missing.id, { timeout: 60_000 });
        assert.equal(run.error?.code, "no_ticket");
    });

    test("bdr, sdr and va go from a contact to their ends", async () => {
        await client.query(
            "insert into pawl.crm_contact (id, name, email) values ('c1', 'Ann', 'a@example.com')",
        );
        const usual = { contact_id: "c1", review: "never", reply_within: "1s" };
        const bdr = await pawl.start("bdr", { ...usual, goal: "a talk", reply_within: "1h" });
        const sdr = await pawl.start("sdr", { ...usual, interest: "pumps" });
        const va = await pawl.start("va", { ...usual, request: "lunch", meeting: true });
        await until("bdr waits", async () =>
            /contact.replied/.test(await pawlCommand(["runs", "why", bdr.id], env)),
        );
        const data = { interested: true };
        await pawl.inbox.publish({ name: "contact.replied", key: "c1", data });
        const ends = [];
        for (const { id } of [bdr, sdr, va]) {
            const run = await pawl.wait(id, { timeout: 30_000 });
            ends.push((run.output as { status: string } | undefined)?.status ?? run.error?.message);
        }
        assert.equal(ends[0], "meeting");
        assert.ok(["no_reply", "meeting"].includes(ends[1] ?? ""), ends[1]);
        assert.equal(ends[2], "sent");
        const booked = await client.query("select * from pawl.calendar_event");
        assert.ok((booked.rowCount ?? 0) >= 2);
        const noted = await client.query("select kind from pawl.crm_activity where contact = 'c1'");
        assert.equal(noted.rowCount, 3);
    });

    test("every tenant has them, with customers and knowledge of its own", async () => {
        await pawlCommand(["tenants", "create", "acme"], env);
        const key = await createKey(env["DATABASE_URL"]!, ["admin"], "acme");
        const acme = new Pawl({ url, key, fetch: checkedFetch });
        await until("it has the workers", async () => {
            const names = (await acme.workflows.list().all()).map((one) => one.name);
            return ["bdr", "csr", "sdr", "va"].every((name) => names.includes(name));
        });
        await client.query(`
            insert into pawl.knowledge (tenant, id, title, body)
            select t.id, 'pump', 'Pumps', 'The pump of ' || t.name from pawl.tenant t;
            insert into pawl.crm_contact (tenant, id, name, email)
            select t.id, 'c9', 'Eve', 'eve@acme.example' from pawl.tenant t where name = 'acme';
            insert into pawl.crm_ticket (tenant, id, contact, subject, body)
            select t.id, 't9', 'c9', 'Pump', 'It is loud: my pump' from pawl.tenant t
             where name = 'acme'`);
        const { id } = await acme.start("csr", { ticket_id: "t9", review: "never" });
        const found = await until("it has looked", async () => {
            const steps = await acme.steps(id);
            const step = steps.find((one) => one.step === "retrieve_context");
            return step?.status === "completed" && step;
        });
        const { passages } = found.result as { passages: { text: string }[] };
        assert.deepEqual(
            passages.map((one) => one.text),
            ["The pump of acme"],
        );
        await until("the answer is sent", async () =>
            (await calls("email")).some((call) => call.payload.to === "eve@acme.example"),
        );
        await acme.inbox.publish({ name: "ticket.replied", key: "t9", data: { resolved: true } });
        await acme.wait(id, { timeout: 60_000 });
        const { rows } = await client.query(
            `select t.name, c.status from pawl.crm_ticket c join pawl.tenant t on t.id = c.tenant
              where c.id = 't9'`,
        );
        assert.deepEqual(rows, [{ name: "acme", status: "resolved" }]);
        // The ticket of one is no ticket of another.
        const { id: stranger } = await pawl.start("csr", { ticket_id: "t9" });
        const run = await pawl.wait(stranger, { timeout: 60_000 });
        assert.equal(run.status, "failed");
        assert.match(JSON.stringify(run.error), /no_ticket/);
    });
});

describe("csr in a server that is killed", () => {
    const sink = new Sink();
    let server: Serve;
    let pawl: Pawl;
    const model = sink.function("m/chat/completions");
    const mail = sink.function("r/emails");
    before(async () => {
        const place = await sink.start();
        const folder = mkdtempSync(join(tmpdir(), "pawl-workers-"));
        writeFileSync(join(folder, "model.yaml"), `model: {url: "${place}/m", model: m}\n`);
        const email = `email: {provider: resend, url: "${place}/r", key: k, from: a@example.com}\n`;
        writeFileSync(join(folder, "messages.yaml"), email);
        server = new Serve(await freshDatabase(), [
            ...["--model", join(folder, "model.yaml")],
            ...["--messages", join(folder, "messages.yaml")],
        ]);
        await server.start();
        pawl = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch, retries: 50 });
    });
    after(async () => {
        await server.stop();
        sink.stop();
    });

    test("kill -9 after the model's reply: it is not asked, and not paid, again", async () => {
        const reply = { subject: "Re", body: "Hello", confidence: 1, needs_human: false };
        const choice = { message: { content: JSON.stringify(reply) }, finish_reason: "stop" };
        const usage = { prompt_tokens: 10, completion_tokens: 5 };
        model.will(() => ({ body: { id: "c1", choices: [choice], usage } }));
        // The step after the reply hangs: the reply is in the log, nothing else has happened.
        mail.will(never, () => ({ body: { id: "mail-1" } }));
        const input = { ticket_id: "t1", ticket, review: "never", confirm_within: "1s" };
        const { id } = await pawl.start("csr", input);
        await mail.called(1);
        await server.kill();
        await server.start();
        const run = await pawl.wait(id, { timeout: 60_000 });
        assert.equal((run.output as { status: string }).status, "resolved", JSON.stringify(run));
        assert.equal(model.calls.length, 1);
        const keys = mail.calls.map((call) => call.headers["idempotency-key"]);
        assert.equal(keys.length, 2);
        assert.equal(keys[0], keys[1], "the second try has the key of the first");
    });
});
