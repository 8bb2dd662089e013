import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Pawl, type Definition } from "@pawl/client";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";

// Credentials of tenants, from the API to the request of a step, and limits of tenants.

const secret = `s3cret-${randomUUID()}`;
const oldKey = Buffer.alloc(32, 1).toString("base64");
const newKey = Buffer.alloc(32, 2).toString("hex");

describe("credentials and limits", () => {
    const seen: IncomingMessage["headers"][] = [];
    const paths: string[] = [];
    // Says what it was told, as careless peers do.
    const peer = createServer((request, response) => {
        seen.push(request.headers);
        response.setHeader("Content-Type", "application/json");
        const echo = request.headers["authorization"] ?? "";
        paths.push(request.url ?? "");
        const bytes = Buffer.from(echo);
        response.statusCode = request.url?.startsWith("/broken") ? 400 : 200;
        response.end(
            JSON.stringify({
                echo,
                headers: { Authorization: [...echo].reverse().join("") },
                [echo]: "as a key",
                again: JSON.stringify(JSON.stringify({ echo })),
                url: encodeURIComponent(echo),
                hex: bytes.toString("hex").toUpperCase(),
                base64: [0, 1, 2].map((n) =>
                    Buffer.concat([Buffer.from("xy".slice(0, n)), bytes]).toString("base64"),
                ),
            }),
        );
    });
    let server: Serve;
    let database: pg.Pool;
    let peerUrl = "";
    let databaseUrl = "";
    const keys: Record<string, string> = {};

    before(async () => {
        await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
        peerUrl = `http://127.0.0.1:${(peer.address() as AddressInfo).port}/`;
        databaseUrl = await freshDatabase();
        database = new pg.Pool({ connectionString: databaseUrl, max: 2 });
        server = new Serve(databaseUrl, [], { PAWL_SECRET_KEY: `${newKey},${oldKey}` });
        await server.start();
        for (const name of ["ann", "bob", "eve"]) {
            await pawlCommand(["tenants", "create", name], { DATABASE_URL: databaseUrl });
            keys[name] = await createKey(databaseUrl, ["admin"], name);
        }
    });

    after(async () => {
        await server.stop();
        await database.end();
        peer.close();
    });

    async function call(
        who: string,
        method: string,
        path: string,
        body?: unknown,
    ): Promise<{ status: number; text: string; retryAfter: string | null }> {
        const response = await checkedFetch(server.url + path, {
            method,
            headers: {
                Authorization: `Bearer ${keys[who]}`,
                "Content-Type": "application/json",
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const retryAfter = response.headers.get("retry-after");
        return { status: response.status, text: await response.text(), retryAfter };
    }

    const clientOf = (who: string): Pawl =>
        new Pawl({ url: server.url, key: keys[who]!, fetch: checkedFetch });

    async function callPeer(
        who: string,
        credential: string,
    ): Promise<{ status: string; text: string }> {
        const client = clientOf(who);
        const definition = {
            name: "caller",
            steps: [
                {
                    name: "call",
                    http: {
                        url: "{{ url }}",
                        headers: { Authorization: `Bearer {{ credentials.${credential} }}` },
                    },
                    retry: { attempts: 1 },
                },
            ],
        };
        await client.workflows.apply(definition as unknown as Definition);
        const { id } = await client.start("caller", { url: peerUrl });
        const run = await client.wait(id, { timeout: 60_000 });
        const log = await call(who, "GET", `/v1/runs/${id}/events`);
        return { status: run.status, text: JSON.stringify(run) + log.text };
    }

    test("are set, listed by name and never shown", async () => {
        const put = await call("ann", "PUT", "/v1/credentials/mail_token", { value: secret });
        assert.equal(put.status, 200, put.text);
        const listed = await call("ann", "GET", "/v1/credentials");
        assert.match(listed.text, /mail_token/);
        assert.doesNotMatch(put.text + listed.text, new RegExp(secret));
        assert.doesNotMatch((await call("bob", "GET", "/v1/credentials")).text, /mail_token/);
        assert.equal((await call("bob", "DELETE", "/v1/credentials/mail_token")).status, 404);
        for (const [name, body] of [
            ["mail token", { value: "x" }],
            ["1st", { value: "x" }],
            ["fine", {}],
            ["fine", { value: "" }],
            ["fine", { value: "x", more: 1 }],
        ] as const) {
            const path = `/v1/credentials/${encodeURIComponent(name)}`;
            const refused = await call("ann", "PUT", path, body);
            assert.ok([400, 422].includes(refused.status), `${name}: ${refused.status}`);
        }
    });

    test("nothing in the database can be read without the key", async () => {
        const { rows } = await database.query<{ found: boolean }>(
            "select bool_or(strpos(c::text, $1) > 0" +
                " or position(convert_to($2, 'UTF8') in c.box) > 0)" +
                " as found from pawl.credential c",
            [secret, secret],
        );
        assert.equal(rows[0]?.found, false);
    });

    test("go out with the request and stay out of the log", async () => {
        const { status, text } = await callPeer("ann", "mail_token");
        assert.equal(status, "completed", text);
        assert.equal(seen.at(-1)?.authorization, `Bearer ${secret}`);
        assert.match(text, /Bearer \(secret\)|"echo":"\(secret\)"/);
        const hex = Buffer.from(secret).toString("hex");
        const pieces = [secret, hex, hex.toUpperCase(), [...secret].reverse().join("")];
        for (let offset = 0; offset < 3; offset++) {
            const bytes = Buffer.from("xy".slice(0, offset) + secret);
            pieces.push(bytes.toString("base64").slice(4, 24));
        }
        for (const piece of pieces) assert.ok(!text.includes(piece), piece);
    });

    test("another tenant's are not there", async () => {
        const before = seen.length;
        const { status, text } = await callPeer("bob", "mail_token");
        assert.equal(status, "failed");
        assert.match(text, /there is no credential 'mail_token'/);
        assert.equal(seen.length, before, "nothing was sent");
    });

    test("the key can be changed", async () => {
        const env = { DATABASE_URL: databaseUrl, PAWL_SECRET_KEY: oldKey };
        const { rows } = await database.query<{ key_id: string }>(
            "select key_id from pawl.credential where name = 'mail_token'",
        );
        // Back to the old key, and then to the new one again.
        await pawlCommand(["credentials", "rotate"], {
            ...env,
            PAWL_SECRET_KEY: `${oldKey},${newKey}`,
        });
        const keyId = async (): Promise<string | undefined> =>
            (
                await database.query<{ key_id: string }>(
                    "select key_id from pawl.credential where name = 'mail_token'",
                )
            ).rows[0]?.key_id;
        assert.notEqual(await keyId(), rows[0]?.key_id);
        assert.equal((await callPeer("ann", "mail_token")).status, "completed");
        await assert.rejects(
            pawlCommand(["credentials", "rotate"], { ...env, PAWL_SECRET_KEY: newKey }),
            /which is not here/,
        );
        await pawlCommand(["credentials", "rotate"], {
            ...env,
            PAWL_SECRET_KEY: `${newKey},${oldKey}`,
        });
        assert.equal(await keyId(), rows[0]?.key_id);
        assert.equal((await call("ann", "DELETE", "/v1/credentials/mail_token")).status, 200);
    });

    test("a definition may use them only where they cannot be seen", async () => {
        const refused = async (step: unknown): Promise<string> => {
            const definition = { name: "wrong", steps: [step] };
            const answer = await call("ann", "POST", "/v1/workflows", definition);
            assert.equal(answer.status, 422, answer.text);
            return answer.text;
        };
        assert.match(
            await refused({ name: "s", transform: { jq: ".", input: "{{ credentials.x }}" } }),
            /http, function and agent steps only/,
        );
        assert.match(
            await refused({
                name: "s",
                http: { url: "http://x/", body: "{{ text }} {{ credentials.x }}" },
            }),
            /no other placeholders/,
        );
        assert.match(
            await refused({
                name: "s",
                http: {
                    url: "https://{{ host }}/x",
                    headers: { Authorization: "{{ credentials.x }}" },
                },
            }),
            /data may not stand in the host/,
        );
    });

    test("data cannot lead a credential elsewhere", async () => {
        await call("bob", "PUT", "/v1/credentials/token", { value: secret });
        const client = clientOf("bob");
        await client.workflows.apply({
            name: "order",
            steps: [
                {
                    name: "call",
                    http: {
                        url: `${peerUrl}orders/{{ id }}?note={{ id }}`,
                        headers: { Authorization: "Bearer {{ credentials.token }}" },
                    },
                    retry: { attempts: 1 },
                },
            ],
        } as unknown as Definition);
        const { id } = await client.start("order", { id: "../admin/delete-all?x#y" });
        assert.equal((await client.wait(id, { timeout: 60_000 })).status, "completed");
        const encoded = "..%2Fadmin%2Fdelete-all%3Fx%23y";
        assert.equal(paths.at(-1), `/orders/${encoded}?note=${encoded}`);
        const dots = await client.start("order", { id: ".." });
        const refused = await client.wait(dots.id, { timeout: 60_000 });
        assert.equal(refused.status, "failed");
        assert.match(JSON.stringify(refused.error), /'\.' or '\.\.'/);
        assert.equal(paths.at(-1), `/orders/${encoded}?note=${encoded}`, "nothing was sent");
    });

    test("limits of a tenant are kept to", async () => {
        const definition = { name: "long", steps: [{ name: "w", wait: "1h" }] };
        await clientOf("eve").workflows.apply(definition as unknown as Definition);
        const start = (data: unknown = {}): ReturnType<typeof call> =>
            call("eve", "POST", "/v1/runs", { workflow: "long", data });
        const env = { DATABASE_URL: databaseUrl };
        await pawlCommand(
            ["tenants", "limit", "eve", "--open-runs", "2", "--payload-bytes", "100"],
            env,
        );
        const large = await start({ text: "x".repeat(100) });
        assert.equal(large.status, 413, large.text);
        assert.equal((await start()).status, 201);
        assert.equal((await start()).status, 201);
        const third = await start();
        assert.equal(third.status, 429, third.text);
        assert.equal(third.retryAfter, "1");
        assert.match(third.text, /too_many_open_runs/);
        assert.equal(
            (await call("ann", "POST", "/v1/runs", { workflow: "caller", data: { url: "x" } }))
                .status,
            201,
        );
        const client = await database.connect();
        try {
            await client.query("select pawl.use_tenant('eve')");
            await assert.rejects(client.query("select pawl.start('long')"), /may have 2 open runs/);
            const big = JSON.stringify({ text: "x".repeat(100) });
            await assert.rejects(client.query("select pawl.start('long', $1)", [big]), /bytes/);
        } finally {
            client.release(true);
        }
    });
});
