import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checkedFetch } from "./support/contract.js";
import { Journeys, newSecret, signedHook } from "./support/journeys.js";
import { pawlCommand } from "./support/process.js";
import { metricsOf, Serve } from "./support/serve.js";

// Connectors, accounts at providers, and who may call their hooks.

const pigeon = {
    name: "pigeon",
    title: "Pigeon post",
    channels: ["webhook"],
    credentials: { api_key: { required: true } },
    request: {
        url: "https://pigeon.example/send",
        auth: { bearer: "{{ credentials.api_key }}" },
        json: { to: "{{ to }}", text: "{{ content.text }}" },
    },
    answers: [
        { status: "2xx", means: "accepted", id: "body.id" },
        { status: "5xx", means: "unknown" },
        { status: "4xx", means: "refused" },
    ],
};

describe("connectors and accounts", () => {
    const world = new Journeys();
    before(() => world.start("ann", "bob"));
    after(() => world.stop());

    const accounts = "/v1/connectors/sendgrid/accounts";
    const put = (who: string, name: string, body: unknown) =>
        world.call(who, "PUT", `${accounts}/${name}`, body);

    test("those that come with Pawl are listed with what they need", async () => {
        const { json } = await world.call("ann", "GET", "/v1/connectors");
        const names = json.data.map((one: { name: string }) => one.name);
        for (const name of ["fcm", "line", "resend", "sendgrid", "smtp", "twilio", "webhook"]) {
            assert.ok(names.includes(name), name);
        }
        const { json: one } = await world.call("ann", "GET", "/v1/connectors/sendgrid");
        assert.equal(one.own, false);
        assert.deepEqual(one.channels, ["email"]);
        assert.ok(one.credentials.find((f: any) => f.name === "api_key" && f.required));
        assert.equal((await world.call("ann", "GET", "/v1/connectors/nope")).status, 404);
    });

    test("credentials go in and never come out", async () => {
        const secret = `SG.${newSecret()}`;
        const made = await put("ann", "shop", {
            credentials: { api_key: secret },
            settings: { from: "Shop <news@shop.example>" },
        });
        assert.equal(made.status, 200, made.text);
        assert.match(made.json.hook_url, /\/v1\/hooks\/sendgrid\/[A-Za-z0-9_-]{32}$/);
        assert.deepEqual(made.json.settings, { from: "Shop <news@shop.example>" });
        const listed = await world.call("ann", "GET", accounts);
        // Changed without them, they stay; so does the address of the hooks.
        const changed = await put("ann", "shop", { settings: { from: "other@shop.example" } });
        assert.equal(changed.status, 200, changed.text);
        assert.equal(changed.json.hook_url, made.json.hook_url);
        const texts = made.text + listed.text + changed.text + world.server.log;
        assert.ok(!texts.includes(secret));
        const other = await put("ann", "shop2", { credentials: { api_key: 5, secret } });
        assert.equal(other.status, 422);
        assert.ok(!other.text.includes(secret));
        assert.deepEqual((await world.call("bob", "GET", accounts)).json.data, []);
        assert.equal((await world.call("bob", "DELETE", `${accounts}/shop`)).status, 404);
    });

    test("credentials are not sent to a host that was changed without them", async () => {
        await put("ann", "leak", {
            credentials: { api_key: "k" },
            settings: { from: "a@shop.example" },
        });
        const settings = { from: "a@shop.example", base_url: "https://evil.example" };
        const moved = await put("ann", "leak", { settings });
        assert.equal(moved.status, 422);
        assert.equal(moved.json.errors[0].pointer, "/settings/base_url");
        const both = await put("ann", "leak", { credentials: { api_key: "k" }, settings });
        assert.equal(both.status, 200, both.text);
    });

    test("what the connector does not know or needs is told with its place", async () => {
        const places = async (body: unknown, name = "wrong") => {
            const { status, json } = await put("ann", name, body);
            assert.equal(status, 422);
            return json.errors.map((one: { pointer: string }) => one.pointer);
        };
        const settings = { from: "a@shop.example" };
        assert.deepEqual(await places({ settings }), ["/credentials"]);
        assert.deepEqual(await places({ credentials: {}, settings }), ["/credentials/api_key"]);
        assert.deepEqual(await places({ credentials: { api_key: "a\nb" }, settings }), [
            "/credentials/api_key",
        ]);
        assert.deepEqual(await places({ credentials: { api_key: "k", nope: 1 }, settings }), [
            "/credentials/nope",
        ]);
        assert.deepEqual(await places({ credentials: { api_key: "k" } }), ["/settings/from"]);
        assert.deepEqual(
            await places({ credentials: { api_key: "k" }, settings: { ...settings, default: 1 } }),
            ["/settings/default"],
        );
        assert.deepEqual(await places({ credentials: { api_key: "k" }, settings }, "%2Fetc"), [
            "/account",
        ]);
        assert.deepEqual(await places({ credentials: [] }), ["/credentials"]);
        const shared = await world.call("ann", "PUT", "/v1/connectors/line_reply/accounts/a", {
            credentials: {},
        });
        assert.equal(shared.status, 409);
        assert.equal(shared.json.code, "shares_accounts");
    });

    test("a server without a key for secrets says so", async () => {
        const plain = new Serve(world.databaseUrl);
        await plain.start();
        try {
            const response = await checkedFetch(`${plain.url}/v1/connectors/webhook/accounts/a`, {
                method: "PUT",
                headers: {
                    Authorization: `Bearer ${plain.key}`,
                    "Content-Type": "application/json",
                },
                body: JSON.stringify({ credentials: {} }),
            });
            assert.equal(response.status, 409);
            assert.equal(((await response.json()) as any).code, "no_secret_key");
        } finally {
            await plain.stop();
        }
    });

    test("a tenant has connectors of its own", async () => {
        const path = "/v1/connectors/pigeon";
        const made = await world.call("ann", "PUT", path, pigeon);
        assert.equal(made.status, 200, made.text);
        assert.equal(made.json.own, true);
        assert.deepEqual((await world.call("ann", "GET", path)).json.definition, pigeon);
        assert.equal((await world.call("bob", "GET", path)).status, 404);
        const account = `${path}/accounts/loft`;
        assert.equal(
            (await world.call("ann", "PUT", account, { credentials: { api_key: "k" } })).status,
            200,
        );
        const held = await world.call("ann", "DELETE", path);
        assert.equal(held.json.code, "has_accounts");
        assert.equal((await world.call("ann", "DELETE", account)).status, 200);
        assert.equal((await world.call("ann", "DELETE", path)).status, 200);
        assert.equal((await world.call("ann", "DELETE", path)).status, 404);
    });

    test("a wrong connector is refused with all that is wrong", async () => {
        const wrong = {
            ...pigeon,
            channels: ["sky"],
            replay: "perhaps",
            answers: [{ status: 200, means: "fine" }],
        };
        const refused = await world.call("ann", "PUT", "/v1/connectors/pigeon", wrong);
        assert.equal(refused.status, 422, refused.text);
        const places = refused.json.errors.map((one: { pointer: string }) => one.pointer);
        assert.ok(places.includes("/replay"), refused.text);
        assert.ok(places.includes("/channels"), refused.text);
        assert.ok(places.includes("/answers/0/means"), refused.text);
        const other = await world.call("ann", "PUT", "/v1/connectors/dove", pigeon);
        assert.equal(other.json.errors[0].pointer, "/name");
        for (const place of ["account_of", "fallback"]) {
            const alone = { ...pigeon, [place]: "raven" };
            const answer = await world.call("ann", "PUT", "/v1/connectors/pigeon", alone);
            assert.equal(answer.status, 422, answer.text);
            assert.equal(answer.json.errors[0].pointer, `/${place}`);
        }
        const taken = await world.call("ann", "PUT", "/v1/connectors/line", {
            ...pigeon,
            name: "line",
        });
        assert.equal(taken.json.code, "name_taken");
        assert.equal((await world.call("ann", "DELETE", "/v1/connectors/line")).status, 409);
    });

    test("a workflow that no connector could send for is not published", async () => {
        const publish = (connector: string, channel: string) =>
            world.call("bob", "POST", "/v1/workflows", {
                name: "by_pigeon",
                nodes: [{ id: "send", message: { channel, connector, text: "Hi" } }],
                edges: [],
            });
        const mine = await world.call("ann", "PUT", "/v1/connectors/pigeon", pigeon);
        assert.equal(mine.status, 200, mine.text);
        const unknown = await publish("pigeon", "webhook");
        assert.equal(unknown.status, 422, unknown.text);
        assert.match(unknown.json.detail, /^send\.connector: there is no connector 'pigeon': /);
        const other = await publish("twilio", "email");
        assert.equal(other.status, 422, other.text);
        assert.match(other.json.detail, /connector 'twilio' sends by sms, not by email/);
        assert.equal((await world.call("bob", "GET", "/v1/workflows/by_pigeon")).status, 404);
        await world.call("bob", "PUT", "/v1/connectors/pigeon", pigeon);
        assert.ok((await publish("pigeon", "webhook")).status < 300);
        for (const who of ["ann", "bob"]) {
            await world.call(who, "DELETE", "/v1/connectors/pigeon");
        }
    });

    test("a hook without the right signature is refused and leaves nothing", async () => {
        const { secret, hookUrl } = await world.account("bob", "signed");
        const count = async () =>
            (await world.call("bob", "GET", "/v1/suppressions")).json.data.length as number;
        const fact = {
            type: "message.complained",
            data: { address: "https://bob.example/", external_id: "x" },
        };
        const before = await count();
        const bare = await checkedFetch(hookUrl, { method: "POST", body: "{}" });
        assert.equal(bare.status, 401);
        const forged = await checkedFetch(hookUrl, signedHook(newSecret(), fact));
        assert.equal(forged.status, 401);
        assert.equal(((await forged.json()) as any).code, "bad_signature");
        const right = signedHook(secret, fact);
        const changed = await checkedFetch(hookUrl, { ...right, body: right.body + " " });
        assert.equal(changed.status, 401);
        const stale = await checkedFetch(hookUrl, signedHook(secret, { ...fact, age: 310 }));
        assert.equal(stale.status, 401, "five minutes");
        assert.equal(await count(), before);
        assert.match(
            await metricsOf(world.server),
            /pawl_hooks_total\{connector="webhook",outcome="bad_signature"\} 4/,
        );
        assert.equal((await checkedFetch(hookUrl, right)).status, 200);
        assert.equal(await count(), before + 1);
        assert.equal((await checkedFetch(hookUrl, right)).status, 200, "twice is once");
        assert.equal(await count(), before + 1);
        const patient = await world.call("bob", "PUT", "/v1/connectors/webhook/accounts/signed", {
            settings: { webhook_window: "1h" },
        });
        assert.equal(patient.status, 200, patient.text);
        const late = await checkedFetch(hookUrl, signedHook(secret, { ...fact, age: 310 }));
        assert.equal(late.status, 200, "as the account says");
    });

    test("an endpoint that is none is not there, whatever comes", async () => {
        const { secret, hookUrl } = await world.account("bob", "gone");
        const base = world.server.url;
        const token = hookUrl.split("/").at(-1)!;
        const hook = signedHook(secret, { type: "message.sent", data: {} });
        assert.equal((await checkedFetch(hookUrl)).status, 200);
        for (const path of [`webhook/${token.slice(1)}x`, `line/${token}`, `nope/${token}`]) {
            const url = `${base}/v1/hooks/${path}`;
            assert.equal((await checkedFetch(url, hook)).status, 404, path);
            assert.equal((await checkedFetch(url)).status, 404, path);
        }
        const long = "x".repeat(100_000);
        const stranger = await fetch(`${base}/v1/hooks/webhook/${"a".repeat(32)}`, {
            method: "POST",
            body: long,
        });
        assert.equal(stranger.status, 404);
        // A signed one that cannot be read, and one that says nothing.
        const nothing = signedHook(secret, { type: "message.unheard_of", data: { long } });
        assert.equal((await checkedFetch(hookUrl, nothing)).status, 200);
        await world.call("bob", "DELETE", "/v1/connectors/webhook/accounts/gone");
        assert.equal((await checkedFetch(hookUrl, hook)).status, 404);
        assert.ok(!world.server.log.includes(token));
    });

    test("LINE checks an address with no events", async () => {
        const { createHmac } = await import("node:crypto");
        const made = await world.call("bob", "PUT", "/v1/connectors/line/accounts/main", {
            credentials: { channel_access_token: "t", channel_secret: "s" },
        });
        assert.equal(made.status, 200, made.text);
        const body = JSON.stringify({ destination: "U1", events: [] });
        const sign = createHmac("sha256", "s").update(body).digest("base64");
        const headers = { "Content-Type": "application/json", "x-line-signature": sign };
        const url = made.json.hook_url as string;
        assert.equal((await checkedFetch(url, { method: "POST", headers, body })).status, 200);
    });

    test("the command line puts and lists accounts", async () => {
        const env = {
            PAWL_URL: world.server.url,
            PAWL_API_KEY: world.keyOf("ann"),
        };
        const listed = await pawlCommand(["connectors", "list"], env);
        assert.match(listed, /sendgrid +email +api_key/);
        const { mkdtempSync, writeFileSync } = await import("node:fs");
        const folder = mkdtempSync(`${process.env["TMPDIR"] ?? "/tmp"}/accounts-`);
        writeFileSync(`${folder}/a.yaml`, `credentials: {secret: "${newSecret()}"}\n`);
        const put = ["connectors", "accounts", "put", "webhook", "by_cli", "-f"];
        const url = await pawlCommand([...put, `${folder}/a.yaml`], env);
        assert.match(url, /\/v1\/hooks\/webhook\//);
        const accounts = ["connectors", "accounts", "list", "webhook", "-o", "json"];
        assert.ok((await pawlCommand(accounts, env)).includes(url.trim()));
    });
});
