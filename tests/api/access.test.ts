import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ask, Browser } from "./support/browser.js";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand, pawlExit } from "./support/process.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";

// Roles, keys, members, and the list of what was done.

describe("access", { concurrency: 1 }, () => {
    let server: Serve;
    const env = (): Record<string, string> => ({ DATABASE_URL: server.databaseUrl });
    before(async () => {
        server = new Serve(await freshDatabase(), ["--no-worker"]);
        await server.start();
    });
    after(() => server.stop());

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
        return (JSON.parse(await pawlCommand(args, env())) as { key: string }).key;
    };

    test("a role is what it may do", async () => {
        const definition = { name: "roles", steps: [{ id: "a", type: "end" }] };
        const published = await call("POST", "/v1/workflows", definition);
        assert.equal(published.status, 201);
        const tries: [string, string, unknown][] = [
            ["GET", "/v1/runs", undefined],
            ["GET", "/v1/tasks", undefined],
            ["POST", "/v1/runs", { workflow: "roles" }],
            ["POST", "/v1/workflows", definition],
            ["POST", "/v1/tasks/0190b5d2-0000-7000-8000-000000000000/approve", { by: "x" }],
            ["GET", "/v1/keys", undefined],
        ];
        const may: Record<string, boolean[]> = {
            viewer: [true, true, false, false, false, false],
            operator: [true, true, true, false, false, false],
            editor: [true, true, true, true, false, false],
            approver: [true, true, false, false, true, false],
            admin: [true, true, true, true, true, true],
        };
        for (const [role, expected] of Object.entries(may)) {
            const key = await keyOf(role);
            const session = await call("GET", "/v1/session", undefined, key);
            assert.equal(session.json.role, role);
            for (const [i, [method, path, body]] of tries.entries()) {
                const { status } = await call(method, path, body, key);
                assert.equal(status !== 403, expected[i], `${role}: ${method} ${path}: ${status}`);
            }
        }
    });

    test("a role that is none, and a key without rights, are refused", async () => {
        const create = (...args: string[]) =>
            pawlExit(["keys", "create", "--name", "x", ...args], env());
        const wrong = await create("--role", "editr");
        assert.equal(wrong.code, 2);
        assert.match(wrong.stderr, /did you mean 'editor'/);
        const none = await create();
        assert.equal(none.code, 2);
        assert.match(none.stderr, /--role/);
        for (const body of [
            {},
            { name: "x" },
            { name: "x", role: "root" },
            { name: "x", scopes: ["runs:reed"] },
            { name: "x", scopes: [5] },
            { name: "x", role: "viewer", expires_in: "soon" },
            { name: "x", role: "viewer", expires_in: "-1d" },
            { name: "", role: "viewer" },
            { name: "y".repeat(300), role: "viewer" },
            { name: "x", role: "viewer", tenant: "acme" },
        ]) {
            assert.equal((await call("POST", "/v1/keys", body)).status, 422, JSON.stringify(body));
        }
    });

    test("keys are made, listed and revoked", async () => {
        const body = {
            name: "billing",
            role: "operator",
            scopes: ["tasks:write"],
            expires_in: "90d",
        };
        const made = await call("POST", "/v1/keys", body);
        assert.equal(made.status, 201);
        const { key, prefix } = made.json;
        assert.ok(key.startsWith(prefix));
        const session = await call("GET", "/v1/session", undefined, key);
        assert.deepEqual(session.json.scopes, [
            "workflows:read",
            "runs:read",
            "runs:write",
            "events:read",
            "events:write",
            "tasks:read",
            "tasks:write",
            "metrics:read",
        ]);
        const { json } = await call("GET", "/v1/keys");
        const listed = json.data.find((one: any) => one.prefix === prefix);
        assert.deepEqual([listed.role, listed.status], ["operator", "active"]);
        assert.ok(!JSON.stringify(json).includes(key), "the secret is nowhere");
        assert.match(await pawlCommand(["keys", "list"], env()), /operator tasks:write/);
        assert.equal((await call("DELETE", `/v1/keys/${prefix}`)).status, 200);
        assert.equal((await call("DELETE", "/v1/keys/nothing")).status, 404);
        const after = await call("GET", "/v1/keys");
        assert.equal(after.json.data.find((one: any) => one.prefix === prefix).status, "revoked");
    });

    test("a tenant's admin sees and revokes only its own", async () => {
        await pawlCommand(["tenants", "create", "acme"], env());
        const theirs = await createKey(server.databaseUrl, ["admin"], "acme");
        const { json } = await call("GET", "/v1/keys", undefined, theirs);
        assert.equal(json.data.length, 1);
        const mine = server.key.slice(5, 13);
        assert.equal((await call("DELETE", `/v1/keys/${mine}`, undefined, theirs)).status, 404);
        assert.equal((await call("GET", "/v1/session")).status, 200);
        await call("PUT", "/v1/members/eve", { role: "admin" }, theirs);
        const members = await call("GET", "/v1/members");
        assert.deepEqual(members.json.data, []);
        const audit = await call("GET", "/v1/audit", undefined, theirs);
        assert.deepEqual(
            audit.json.data.map((one: any) => [one.action, one.target]),
            [["putMember", "/v1/members/eve"]],
        );
    });

    test("members are put, paged and taken out", async () => {
        for (const name of ["a@x.test", "b@x.test", "c@x.test"]) {
            const path = `/v1/members/${encodeURIComponent(name)}`;
            assert.equal((await call("PUT", path, { role: "viewer" })).status, 200);
        }
        const changed = await call("PUT", "/v1/members/b%40x.test", { role: "editor" });
        assert.equal(changed.json.role, "editor");
        const first = await call("GET", "/v1/members?limit=2");
        assert.deepEqual(
            first.json.data.map((one: any) => [one.subject, one.role]),
            [
                ["a@x.test", "viewer"],
                ["b@x.test", "editor"],
            ],
        );
        const next = `/v1/members?limit=2&cursor=${first.json.next_cursor}`;
        const second = await call("GET", next);
        assert.deepEqual([second.json.data[0].subject, second.json.has_more], ["c@x.test", false]);
        assert.equal((await call("DELETE", "/v1/members/c%40x.test")).status, 200);
        assert.equal((await call("DELETE", "/v1/members/c%40x.test")).status, 404);
        for (const [path, body] of [
            ["/v1/members/x", { role: "root" }],
            ["/v1/members/x", {}],
            [`/v1/members/${"x".repeat(400)}`, { role: "viewer" }],
        ] as [string, object][]) {
            assert.ok([400, 422].includes((await call("PUT", path, body)).status));
        }
    });

    test("what was done is listed: who, what, when, from where", async () => {
        const begun = Date.now() - 1000;
        const browser = new Browser(server.url);
        const { subject } = await browser.signIn({ key: server.key });
        const id = "audit-1";
        const started = await browser.send(
            "POST",
            "/v1/runs",
            { workflow: "roles" },
            {
                "X-Request-Id": id,
            },
        );
        assert.equal(started.status, 201, started.body.toString());
        const byProgram = await call("POST", "/v1/runs", { workflow: "roles" });
        assert.equal(byProgram.status, 201);
        await browser.send("POST", "/v1/runs", { workflow: "nothing" });
        await call("POST", "/v1/workflows/roles/switch", { on: true });
        const { json } = await call("GET", "/v1/audit?limit=3");
        assert.deepEqual(
            json.data.map((one: any) => [one.action, one.target, one.door, one.status]),
            [
                ["switchWorkflow", "/v1/workflows/roles/switch", "api", 200],
                ["startRun", "/v1/runs", "ui", 201],
                ["createSession", "/v1/session", "ui", 200],
            ],
        );
        const entry = json.data[1];
        assert.deepEqual(
            [entry.by, entry.person, entry.peer, entry.request_id],
            [subject, false, "127.0.0.1", id],
        );
        assert.ok(Date.parse(entry.at) >= begun && Date.parse(entry.at) <= Date.now() + 1000);
        const seen: string[] = [];
        for (let path = "/v1/audit?limit=5"; ; ) {
            const page = await call("GET", path);
            seen.push(...page.json.data.map((one: any) => one.id));
            if (!page.json.has_more) break;
            path = `/v1/audit?limit=5&cursor=${page.json.next_cursor}`;
        }
        assert.deepEqual(
            seen,
            [...new Set(seen)].sort((a, b) => Number(b) - Number(a)),
        );
        const only = await call("GET", `/v1/audit?by=${subject}&action=startRun`);
        assert.equal(only.json.data.length, 1);
        assert.equal((await call("GET", "/v1/audit?cursor=eHg")).status, 400);
        assert.equal((await call("GET", "/v1/audit?who=x")).status, 400);
        const viewer = await keyOf("viewer");
        assert.equal((await call("GET", "/v1/audit", undefined, viewer)).status, 403);
        await ask("GET", `${server.url}/livez`);
    });
});
