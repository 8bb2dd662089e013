import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Browser } from "./support/browser.js";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand, pawlExit } from "./support/process.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

/** What is answered once it is as it should be. */
function seen<T>(ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T> {
    return until(String(good), async () => {
        const answer = await ask();
        return good(answer) ? answer : undefined;
    });
}

// What operators look at and steer: the database, workers, queues, targets, tenants, sessions.

describe("operations", { concurrency: 1 }, () => {
    let server: Serve;
    let database: pg.Client;
    let target: Server;
    let status = 503;
    let acme = "";
    before(async () => {
        const secretKey = Buffer.alloc(32, 7).toString("base64");
        server = new Serve(await freshDatabase(), ["--allow-outbound", "127.0.0.1"], {
            PAWL_SECRET_KEY: secretKey,
        });
        await server.start();
        database = new pg.Client({ connectionString: server.databaseUrl });
        await database.connect();
        target = createServer((request, response) => {
            request.resume();
            response.writeHead(status).end("as you like");
        });
        await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
    });
    after(async () => {
        await database.end();
        await server.stop();
        target.close();
    });

    const call = async (
        method: string,
        path: string,
        body?: unknown,
        key = server.key,
    ): Promise<{ status: number; json: any }> => {
        const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
        const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
        const response = await checkedFetch(server.url + path, init);
        return { status: response.status, json: await response.json() };
    };
    const keyOf = async (role: string): Promise<string> => {
        const args = ["keys", "create", "--name", role, "--role", role, "-o", "json"];
        const env = { DATABASE_URL: server.databaseUrl };
        return (JSON.parse(await pawlCommand(args, env)) as { key: string }).key;
    };

    test("a tenant is made with its first key, and limited", async () => {
        const made = await call("POST", "/v1/tenants", { name: "acme" });
        assert.equal(made.status, 201);
        acme = made.json.key;
        const session = await call("GET", "/v1/session", undefined, acme);
        assert.deepEqual([session.json.tenant, session.json.role], ["acme", "admin"]);
        assert.equal((await call("POST", "/v1/tenants", { name: "acme" })).status, 409);
        for (const name of ["", "7", "a b", "x".repeat(300)]) {
            assert.equal((await call("POST", "/v1/tenants", { name })).status, 422, name);
        }
        const limited = await call("PUT", "/v1/tenants/acme", { open_runs_max: 10 });
        assert.equal(limited.json.open_runs_max, 10);
        assert.equal((await call("PUT", "/v1/tenants/acme", { open_runs_max: 0 })).status, 422);
        assert.equal((await call("PUT", "/v1/tenants/nowhere", {})).status, 404);
        const free = await call("PUT", "/v1/tenants/acme", {});
        assert.equal(free.json.open_runs_max, null);
        const names = (await call("GET", "/v1/tenants")).json.data.map((one: any) => one.name);
        assert.deepEqual(names, ["default", "acme"]);
    });

    test("a tenant starts no more runs a second than it may", async () => {
        await call("PUT", "/v1/tenants/acme", { starts_per_second_max: 2 });
        const rest = { name: "rest", steps: [{ name: "w", wait: "1h" }] };
        assert.equal((await call("POST", "/v1/workflows", rest, acme)).status, 201);
        const many = (count: number) =>
            call("POST", "/v1/runs/batch", { runs: Array(count).fill({ workflow: "rest" }) }, acme);
        // Many at once are taken whole, and paid for by those that come next.
        assert.equal((await many(100)).status, 201);
        const refused = await call("POST", "/v1/runs", { workflow: "rest" }, acme);
        assert.equal(refused.status, 429);
        assert.equal(refused.json.code, "too_many_starts");
        await call("PUT", "/v1/tenants/acme", {});
    });

    test("what is of the whole database is not for other tenants, nor for viewers", async () => {
        const routes: [string, string][] = [
            ["GET", "/v1/doctor"],
            ["GET", "/v1/workers"],
            ["POST", `/v1/workers/${randomUUID()}/drain`],
            ["POST", `/v1/workers/${randomUUID()}/resume`],
            ["GET", "/v1/queues"],
            ["GET", "/v1/queues/workflow_queue/messages"],
            ["POST", "/v1/queues/workflow_queue/purge"],
            ["GET", "/v1/tenants"],
            ["POST", "/v1/tenants"],
            ["PUT", "/v1/tenants/acme"],
        ];
        const viewer = await keyOf("viewer");
        for (const [method, path] of routes) {
            const body = method === "GET" ? undefined : {};
            const strange = await call(method, path, body, acme);
            assert.equal(strange.status, 403, `acme: ${method} ${path}`);
            const small = await call(method, path, body, viewer);
            assert.equal(small.status, 403, `viewer: ${method} ${path}`);
        }
        const operator = await keyOf("operator");
        for (const path of ["/v1/doctor", "/v1/workers", "/v1/queues", "/v1/targets"]) {
            assert.equal((await call("GET", path, undefined, operator)).status, 200, path);
        }
        const peek = await call("GET", "/v1/queues/workflow_queue/messages", undefined, operator);
        assert.equal(peek.status, 403);
    });

    test("the doctor says what pawl doctor says about the database", async () => {
        const { json } = await call("GET", "/v1/doctor");
        // The database of the tests has settings that the doctor does not like.
        const { stdout: said } = await pawlExit(["doctor", "-o", "json"], {
            DATABASE_URL: server.databaseUrl,
        });
        const checks = (list: { check: string }[]): Set<string> =>
            new Set(list.map((one) => one.check));
        const here = checks(json.data);
        const there = checks(JSON.parse(said).data ?? JSON.parse(said));
        for (const check of here) assert.ok(there.has(check), check);
        for (const check of ["migrations", "workers", "backlog", "partitions", "queues"]) {
            assert.ok(here.has(check), check);
        }
        for (const one of json.data) {
            assert.equal(one.verdict === "ok", one.next === null, JSON.stringify(one));
        }
        const figuresOf = (code: string): unknown =>
            json.data.find((one: any) => one.code === code)?.values;
        assert.deepEqual(figuresOf("fsync_off"), {});
        assert.deepEqual(figuresOf("backlog"), { count: "0" });
        const version = await database.query("show server_version");
        assert.deepEqual(figuresOf("server"), { version: version.rows[0].server_version });
    });

    test("queues: what waits, a look that takes nothing, and a purge", async () => {
        await database.query("select pgmq.create('letters')");
        await database.query(
            "select pgmq.send('letters', jsonb_build_object('n', n)) from generate_series(1, 5) n",
        );
        await database.query("select pgmq.send('letters', to_jsonb(repeat('x', 70000)))");
        const { data } = (await call("GET", "/v1/queues")).json;
        const names = data.map((one: any) => one.name);
        for (const name of ["runs", "events", "webhook messages", "tasks", "workflow_queue"]) {
            assert.ok(names.includes(name), name);
        }
        const letters = data.find((one: any) => one.name === "letters");
        assert.deepEqual([letters.length, letters.visible, letters.starts], [6, 6, null]);
        const path = "/v1/queues/letters/messages";
        const first = (await call("GET", `${path}?limit=4`)).json;
        assert.deepEqual(
            first.data.map((one: any) => one.message.n),
            [1, 2, 3, 4],
        );
        const rest = (await call("GET", `${path}?limit=4&cursor=${first.next_cursor}`)).json;
        assert.deepEqual(
            rest.data.map((one: any) => [one.message?.n, one.bytes, one.reads]),
            [
                [5, 8, 0],
                [undefined, 70002, 0],
            ],
        );
        assert.equal(rest.has_more, false);
        assert.equal((await call("GET", `${path}?cursor=bm9uZQ`)).status, 400);
        const gone = await call("POST", "/v1/queues/letters/purge", {});
        assert.deepEqual(gone.json, { name: "letters", purged: 6 });
        for (const name of ["nope", "letters;drop", "q'x", "x".repeat(90), "meta"]) {
            const encoded = encodeURIComponent(name);
            assert.equal((await call("GET", `/v1/queues/${encoded}/messages`)).status, 404, name);
            assert.equal((await call("POST", `/v1/queues/${encoded}/purge`, {})).status, 404);
        }
    });

    test("a drained worker takes no more runs until it is resumed", async () => {
        const steps = [{ id: "a", type: "wait", duration: "0s" }];
        await call("POST", "/v1/workflows", { name: "quick", steps });
        const worker = async (): Promise<any> => (await call("GET", "/v1/workers")).json.data[0];
        const { id } = await seen(worker, (one) => one?.status === "working");
        await seen(
            () => call("POST", `/v1/workers/${id}/drain`, {}),
            (answer) => answer.status === 200,
        );
        await seen(worker, (one) => one.status === "drained");
        // It has said so itself.
        assert.match(server.log, /takes no more runs/);
        const run = (await call("POST", "/v1/runs", { workflow: "quick" })).json;
        const shown = async (): Promise<any> => (await call("GET", `/v1/runs/${run.id}`)).json;
        assert.equal((await shown()).status, "queued");
        const resumed = await call("POST", `/v1/workers/${id}/resume`, {});
        assert.equal(resumed.json.draining_since, null);
        await seen(shown, (one) => one.status === "completed");
        for (const wrong of [randomUUID(), "nope"]) {
            assert.equal((await call("POST", `/v1/workers/${wrong}/drain`, {})).status, 404);
        }
    });

    test("a target that fails is listed for its tenant, and closed on demand", async () => {
        const origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
        assert.deepEqual((await call("GET", "/v1/targets")).json.data, []);
        const steps = [{ id: "a", type: "http", url: `${origin}/x`, method: "POST" }];
        await call("POST", "/v1/workflows", { name: "caller", steps });
        for (let i = 0; i < 8; i++) await call("POST", "/v1/runs", { workflow: "caller" });
        const listed = async (): Promise<any> => (await call("GET", "/v1/targets")).json.data[0];
        const found = await seen(listed, (one) => one?.state === "open");
        assert.equal(found.target, origin);
        assert.ok(found.opened >= 1 && found.workers === 1);
        assert.match(found.error, /503/);
        assert.deepEqual((await call("GET", "/v1/targets", undefined, acme)).json.data, []);
        const body = { target: origin };
        assert.equal((await call("POST", "/v1/targets/close", body, acme)).status, 404);
        assert.equal((await call("POST", "/v1/targets/close", {})).status, 422);
        status = 200;
        const closing = await call("POST", "/v1/targets/close", body);
        assert.equal(closing.json.closing, true);
        const closed = await seen(listed, (one) => one.state === "closed" && !one.closing);
        assert.equal(closed.workers_open, 0);
    });

    test("where people are", async () => {
        await database.query("select pawl.redact('{income}')");
        assert.deepEqual((await call("GET", "/v1/person-source")).json, {
            source: null,
            redacted: ["income"],
        });
        await database.query(`create table public.customers (id int primary key, mail text)`);
        await database.query(
            `select pawl.set_person_source('public.customers', key => 'id',
                 address => '{"email": "mail"}')`,
        );
        const { source } = (await call("GET", "/v1/person-source")).json;
        assert.equal(source.table, "public.customers");
        assert.deepEqual(source.addresses, { email: "mail" });
        assert.equal((await call("GET", "/v1/person-source", undefined, acme)).json.source, null);
        await database.query("select pawl.redact('{}')");
        assert.deepEqual((await call("GET", "/v1/person-source")).json.redacted, []);
    });

    test("a delivery shows what is sent", async () => {
        const origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
        const hook = (await call("POST", "/v1/webhooks", { url: origin })).json;
        const test = (await call("POST", `/v1/webhooks/${hook.id}/test`, {})).json;
        const path = `/v1/webhooks/${hook.id}/deliveries`;
        const shown = await seen(
            async () => (await call("GET", `${path}/${test.id}`)).json,
            (one: any) => one.state === "published",
        );
        assert.equal(shown.body.type, "webhook.test");
        assert.equal(shown.body.data.message, "A test of Pawl.");
        assert.equal(shown.response, "as you like");
        assert.equal((await call("GET", `${path}/evt_x`)).status, 404);
        assert.equal((await call("GET", `${path}/${test.id}`, undefined, acme)).status, 404);
        const run = (await call("POST", "/v1/runs", { workflow: "quick", data: { a: 1 } })).json;
        const started = await seen(
            async () => (await call("GET", `${path}?limit=50`)).json.data,
            (list: any[]) => list.some((one) => one.run_id === run.id),
        );
        const of_run = started.find((one: any) => one.run_id === run.id);
        const body = (await call("GET", `${path}/${of_run.id}`)).json.body;
        assert.equal(body.data.run_id, run.id);
    });

    test("sessions: one's own alone, and one or all of them end", async () => {
        const operator = await keyOf("operator");
        const one = new Browser(server.url);
        const two = new Browser(server.url);
        await one.signIn({ key: operator });
        await two.signIn({ key: operator });
        const other = new Browser(server.url);
        await other.signIn({ key: server.key });
        const mine = await one.send("GET", "/v1/sessions");
        assert.equal(mine.json.data.length, 2);
        assert.equal(mine.json.data.filter((x: any) => x.current).length, 1);
        const byKey = await call("GET", "/v1/sessions", undefined, operator);
        assert.equal(byKey.json.data.length, 2);
        assert.ok(byKey.json.data.every((x: any) => !x.current));
        const theirs = (await other.send("GET", "/v1/sessions")).json.data;
        const strange = await one.send("DELETE", `/v1/sessions/${theirs[0].id}`);
        assert.equal(strange.status, 404);
        const second = mine.json.data.find((x: any) => !x.current);
        const ended = await call("DELETE", `/v1/sessions/${second.id}`, undefined, operator);
        assert.equal(ended.json.ended, 1);
        await seen(
            () => two.send("GET", "/v1/session"),
            (answer) => answer.status === 401,
        );
        assert.equal((await one.send("GET", "/v1/session")).status, 200);
    });
});

describe("what is kept of sessions and the audit list", () => {
    test("is as long as the flags say", async () => {
        const url = await freshDatabase();
        const database = new pg.Client({ connectionString: url });
        await database.connect();
        await database.query(
            `insert into pawl.audit (tenant, at, by, person, action, target, status, door)
             select 1, now() - n * interval '1 day', 'x', false, 'old', '/', 200, 'api'
               from generate_series(1, 20) n`,
        );
        const flags = ["--audit-retention", "10d", "--session-idle", "2m", "--session-life", "3m"];
        const server = new Serve(url, flags);
        await server.start();
        await seen(
            async () =>
                (
                    await database.query(
                        "select count(*)::int n from pawl.audit where action = 'old'",
                    )
                ).rows[0].n,
            (count) => count === 9 || count === 10,
        );
        const browser = new Browser(server.url);
        const session = await browser.signIn({ key: server.key });
        const left = Date.parse(session.expires_at!) - Date.now();
        assert.ok(left > 60_000 && left <= 120_000, `${left}`);
        const { rows } = await database.query(
            "select extract(epoch from expires_at - created_at)::int as life from pawl.session",
        );
        assert.equal(rows[0].life, 180);
        await database.end();
        await server.stop();
        await assert.rejects(
            pawlCommand(["serve", "--session-idle", "1s"], { DATABASE_URL: url }),
            /between 1m and 400d/,
        );
    });
});
