import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { freshDatabase, Serve } from "./support/serve.js";

interface Webhook {
    id: number;
    secret?: string;
}

describe("a webhook and Idempotency-Key", () => {
    const secretKey = Buffer.alloc(32, 7).toString("base64");
    let server: Serve;
    let database: pg.Client;

    before(async () => {
        server = new Serve(await freshDatabase(), [], { PAWL_SECRET_KEY: secretKey });
        await server.start();
        database = new pg.Client({ connectionString: server.databaseUrl });
        await database.connect();
    });
    after(async () => {
        await database.end();
        await server.stop();
    });

    async function post(path: string, body: unknown, key: string): Promise<Webhook> {
        const response = await checkedFetch(`${server.url}/v1/webhooks${path}`, {
            method: "POST",
            headers: {
                Authorization: `Bearer ${server.key}`,
                "Content-Type": "application/json",
                "Idempotency-Key": key,
            },
            body: JSON.stringify(body),
        });
        assert.ok(response.ok, String(response.status));
        return (await response.json()) as Webhook;
    }

    test("the same request makes one, and gives its secret again", async () => {
        const key = randomUUID();
        const made = await post("", { url: "https://example.com/hook" }, key);
        assert.match(made.secret ?? "", /^whsec_/);
        assert.deepEqual(await post("", { url: "https://example.com/hook" }, key), made);
        const turned = await post(`/${made.id}/rotate`, {}, `${key}-rotate`);
        assert.notEqual(turned.secret, made.secret);
        assert.deepEqual(await post(`/${made.id}/rotate`, {}, `${key}-rotate`), turned);
        const count = await database.query("select 1 from pawl.outbox_target");
        assert.equal(count.rowCount, 1);
    });

    test("the secret is not kept for everyone to read", async () => {
        const key = randomUUID();
        await post("", { url: "https://example.com/hook" }, key);
        const { rows } = await database.query<{ text: string }>(
            "select k::text as text from pawl.idempotency_key k where key = $1",
            [key],
        );
        assert.equal(rows.length, 1);
        assert.doesNotMatch(rows[0]!.text, /whsec_/);
    });
});
