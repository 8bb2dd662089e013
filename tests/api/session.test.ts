import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { ask, Browser, type Session } from "./support/browser.js";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand, Program } from "./support/process.js";
import { RawStream } from "./support/raw_stream.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// Signing in at the web UI: a cookie that stands for a key, and what other sites cannot do with it.

describe("a session", { concurrency: 1 }, () => {
    let server: Serve;
    let database: pg.Pool;
    before(async () => {
        server = new Serve(await freshDatabase(), ["--no-worker"]);
        await server.start();
        database = new pg.Pool({ connectionString: server.databaseUrl, max: 2 });
    });
    after(async () => {
        await database.end();
        await server.stop();
    });
    const count = async (): Promise<number> => {
        const { rows } = await database.query("select count(*)::int as n from pawl.session");
        return rows[0].n as number;
    };

    test("a key signs in; the cookie is no script's and no other site's", async () => {
        const browser = new Browser(server.url);
        const answer = await browser.send("POST", "/v1/session", { key: server.key });
        assert.equal(answer.status, 200);
        const cookie = String(answer.headers["set-cookie"]);
        assert.match(
            cookie,
            /^pawl_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
        );
        const session = answer.json as Session;
        assert.equal(session.subject, server.key.slice(5, 13));
        const named = "select name from pawl.api_key where prefix = $1";
        const { rows: keys } = await database.query(named, [session.subject]);
        assert.equal(session.name, keys[0].name);
        assert.deepEqual(session.scopes, ["admin"]);
        assert.equal(session.tenant, "default");
        assert.deepEqual(session.tenants, [{ name: "default", role: null }]);
        assert.equal(session.person, false);
        assert.ok(Date.parse(session.expires_at!) > Date.now() + 7 * 3600_000);
        const { rows } = await database.query("select s::text as row from pawl.session s");
        const token = browser.cookie.split("=")[1]!;
        assert.ok(!rows.some(({ row }) => row.includes(token)), "the token itself is not kept");
        const shown = await browser.send("GET", "/v1/session");
        assert.deepEqual({ ...shown.json, expires_at: null }, { ...session, expires_at: null });
        assert.equal((await browser.send("GET", "/v1/runs")).status, 200);
    });

    test("over HTTPS the cookie goes nowhere else", async () => {
        const headers = { "X-Forwarded-Proto": "https" };
        const body = { key: server.key };
        const answer = await ask("POST", `${server.url}/v1/session`, headers, body);
        assert.match(String(answer.headers["set-cookie"]), /; SameSite=Strict; Secure$/);
    });

    test("a write needs what a page of another site does not know", async () => {
        const browser = new Browser(server.url);
        const { csrf } = await browser.signIn({ key: server.key });
        const write = (headers: Record<string, string>): Promise<any> =>
            browser.send("PUT", "/v1/members/x%40example.com", { role: "viewer" }, headers);
        for (const headers of [
            { "X-Pawl-Csrf": "" },
            { "X-Pawl-Csrf": `${csrf}x` },
            { "X-Pawl-Csrf": csrf!.replace(/^./, (c) => (c === "A" ? "B" : "A")) },
        ]) {
            const answer = await write(headers);
            assert.equal(answer.status, 403);
            assert.equal(answer.json.code, "csrf");
        }
        const { rows } = await database.query("select count(*)::int as n from pawl.member");
        assert.equal(rows[0].n, 0, "nothing was changed");
        assert.equal((await write({})).status, 200);
        const other = new Browser(server.url);
        const theirs = await other.signIn({ key: server.key });
        assert.notEqual(theirs.csrf, csrf, "each session has its own");
        assert.equal((await write({ "X-Pawl-Csrf": theirs.csrf! })).status, 403);
    });

    test("a page of another origin cannot write or sign in", async () => {
        const allowed = new Serve(
            server.databaseUrl,
            ["--no-worker", "--cors-origin", "https://evil.test"],
            {},
        );
        await allowed.start();
        const browser = new Browser(allowed.url);
        await browser.signIn({ key: server.key });
        const Origin = "https://evil.test";
        const put = await browser.send("PUT", "/v1/members/y", { role: "viewer" }, { Origin });
        assert.deepEqual([put.status, put.json.code], [403, "csrf"]);
        const signIn = await browser.send("POST", "/v1/session", { key: server.key }, { Origin });
        assert.deepEqual([signIn.status, signIn.json.code], [403, "csrf"]);
        assert.equal(signIn.headers["set-cookie"], undefined);
        const read = await browser.send("GET", "/v1/session", undefined, { Origin });
        assert.equal(read.headers["access-control-allow-origin"], undefined);
        await allowed.stop();
    });

    test("a stream works with the cookie, and ends with the session", async () => {
        const browser = new Browser(server.url);
        await browser.signIn({ key: server.key });
        const headers = { Cookie: browser.cookie };
        const stream = new RawStream(await fetch(`${server.url}/v1/stream`, { headers }));
        assert.equal((await browser.send("DELETE", "/v1/session")).status, 200);
        const messages = await stream.rest();
        assert.deepEqual(
            messages.map((one) => [one.event, one.data.status]),
            [["refused", 401]],
        );
    });

    test("signing out ends it at once, everywhere all of them", async () => {
        const key = await createKey(server.databaseUrl, ["runs:read"]);
        const browsers = [1, 2, 3].map(() => new Browser(server.url));
        for (const browser of browsers) await browser.signIn({ key });
        const [first, second, third] = browsers as [Browser, Browser, Browser];
        const cookie = first.cookie;
        const out = await first.send("DELETE", "/v1/session");
        assert.deepEqual([out.status, out.json], [200, { ended: 1 }]);
        assert.match(String(out.headers["set-cookie"]), /^pawl_session=; .*Max-Age=0/);
        const headers = { Cookie: cookie };
        assert.equal((await ask("GET", `${server.url}/v1/runs`, headers)).status, 401);
        assert.equal((await second.send("GET", "/v1/runs")).status, 200);
        const all = await third.send("DELETE", "/v1/sessions");
        assert.deepEqual(all.json, { ended: 2 });
        assert.equal((await second.send("GET", "/v1/runs")).status, 401);
        const mine = new Browser(server.url);
        await mine.signIn({ key: server.key });
        assert.equal((await mine.send("GET", "/v1/runs")).status, 200, "others are not touched");
        await first.signIn({ key });
        const bearer = { Authorization: `Bearer ${key}` };
        const byKey = await ask("DELETE", `${server.url}/v1/sessions`, bearer);
        assert.deepEqual(byKey.json, { ended: 1 }, "a key ends those that were begun with it");
        assert.equal((await first.send("GET", "/v1/runs")).status, 401);
        assert.equal((await mine.send("GET", "/v1/runs")).status, 200);
    });

    test("a session has the rights of its key, and no longer than it", async () => {
        const key = await createKey(server.databaseUrl, ["runs:read"]);
        const browser = new Browser(server.url);
        await browser.signIn({ key });
        assert.equal((await browser.send("GET", "/v1/runs")).status, 200);
        const refused = await browser.send("POST", "/v1/runs", { workflow: "hello" });
        assert.equal(refused.status, 403);
        assert.match(refused.json.detail, /runs:write/);
        const env = { DATABASE_URL: server.databaseUrl };
        await pawlCommand(["keys", "revoke", key.slice(5, 13)], env);
        await until("the session ends with its key", async () => {
            return (await browser.send("GET", "/v1/runs")).status === 401;
        });
        const wrong = await browser.send("POST", "/v1/session", { key });
        assert.equal(wrong.status, 401);
    });

    test("it ends when it is not used, and at its absolute end", async () => {
        for (const change of [
            "used_at = now() - interval '8 hours 1 second'",
            "expires_at = now() - interval '1 second'",
        ]) {
            const browser = new Browser(server.url);
            await browser.signIn({ key: server.key });
            await database.query(`update pawl.session set ${change}`);
            const answer = await ask("GET", `${server.url}/v1/runs`, { Cookie: browser.cookie });
            // What was looked up a moment ago is remembered for five seconds.
            if (answer.status !== 401) {
                await until("it is looked up again", async () => {
                    return (await browser.send("GET", "/v1/runs")).status === 401;
                });
            }
        }
        const before = await count();
        assert.ok(before > 1);
        await database.query("update pawl.session set expires_at = now() - interval '1 second'");
        await new Browser(server.url).signIn({ key: server.key });
        assert.equal(await count(), 1, "those that have ended are removed");
    });

    test("hostile cookies and bodies are refused", async () => {
        for (const cookie of [
            "pawl_session=",
            "pawl_session=x",
            `pawl_session=${"A".repeat(43)}`,
            `pawl_session=${"A".repeat(43)}'; drop table pawl.session`,
            `x=${"y".repeat(5000)}; pawl_session`,
            `pawl_sessionx=${"A".repeat(43)}`,
        ]) {
            const answer = await ask("GET", `${server.url}/v1/session`, { Cookie: cookie });
            assert.equal(answer.status, 401, cookie);
        }
        for (const [body, status] of [
            [{}, 422],
            [{ key: 5 }, 422],
            [{ key: server.key, ticket: "x" }, 422],
            [{ key: server.key, admin: true }, 422],
            [{ key: "x".repeat(1_000) }, 422],
            [{ key: "x".repeat(10_000) }, 413],
            [{ key: "pawl_x" }, 401],
            [{ ticket: "x" }, 401],
            [{ key: `pawl_abcdefgh_${"A".repeat(43)}` }, 401],
        ] as [object, number][]) {
            const answer = await ask("POST", `${server.url}/v1/session`, {}, body);
            assert.equal(answer.status, status, JSON.stringify(body).slice(0, 80));
            assert.equal(answer.headers["set-cookie"], undefined);
        }
    });

    test("a key in the request comes before the cookie", async () => {
        const browser = new Browser(server.url);
        await browser.signIn({ key: server.key });
        const key = await createKey(server.databaseUrl, ["tasks:read"]);
        const headers = { Authorization: `Bearer ${key}` };
        assert.equal((await browser.send("GET", "/v1/runs", undefined, headers)).status, 403);
        const shown = await browser.send("GET", "/v1/session", undefined, headers);
        assert.deepEqual([shown.json.scopes, shown.json.csrf], [["tasks:read"], null]);
        const nothing = await browser.send("DELETE", "/v1/session", undefined, headers);
        assert.deepEqual(nothing.json, { ended: 0 });
        const put = await browser.send("PUT", "/v1/session", { tenant: "default" }, headers);
        assert.equal(put.status, 409);
    });

    test("the answers are those of the document", async () => {
        const browser = new Browser(server.url);
        const init = (method: string, body?: unknown): RequestInit => ({
            method,
            headers: {
                "Content-Type": "application/json",
                Cookie: browser.cookie,
                "X-Pawl-Csrf": browser.csrf,
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const url = `${server.url}/v1/session`;
        assert.equal((await checkedFetch(url, init("POST", { key: server.key }))).status, 200);
        await browser.signIn({ key: server.key });
        assert.equal((await checkedFetch(url, init("GET"))).status, 200);
        assert.equal((await checkedFetch(url, init("PUT", { tenant: "default" }))).status, 200);
        assert.equal((await checkedFetch(url, init("DELETE"))).status, 200);
        await browser.signIn({ key: server.key });
        assert.equal((await checkedFetch(`${url}s`, init("DELETE"))).status, 200);
    });

    test("people have several tenants, and switch between those they are in", async () => {
        const env = { DATABASE_URL: server.databaseUrl };
        for (const name of ["north", "south", "east"]) {
            await pawlCommand(["tenants", "create", name], env);
        }
        await database.query(`
            insert into pawl.member (tenant, subject, role)
            select t.id, 'ann', case t.name when 'north' then 'editor' else 'viewer' end
              from pawl.tenant t where t.name in ('north', 'south')`);
        // As the callback of an identity provider would begin it.
        const token = "A".repeat(43);
        await database.query(
            `insert into pawl.session (hash, tenant, subject, idle, expires_at)
             select sha256($1::bytea), id, 'ann', '8 hours', now() + interval '1 day'
               from pawl.tenant where name = 'north'`,
            [token],
        );
        const browser = new Browser(server.url);
        browser.cookie = `pawl_session=${token}`;
        const here = (await browser.send("GET", "/v1/session")).json as Session;
        assert.deepEqual([here.tenant, here.role, here.person], ["north", "editor", true]);
        assert.deepEqual(here.tenants, [
            { name: "north", role: "editor" },
            { name: "south", role: "viewer" },
        ]);
        browser.csrf = here.csrf!;
        const definition = { name: "ann-flow", steps: [{ id: "a", type: "end" }] };
        const put = await browser.send("POST", "/v1/workflows/validate", definition);
        assert.equal(put.status, 200);
        for (const tenant of ["east", "default", "nowhere", "' or true --"]) {
            const refused = await browser.send("PUT", "/v1/session", { tenant });
            assert.equal(refused.status, 403, tenant);
        }
        const there = await browser.send("PUT", "/v1/session", { tenant: "south" });
        assert.deepEqual(
            [there.status, there.json.tenant, there.json.role],
            [200, "south", "viewer"],
        );
        const write = await browser.send("POST", "/v1/workflows", definition);
        assert.equal(write.status, 403, "a viewer does not write there");
        await database.query("delete from pawl.member where subject = 'ann'");
        await until("who is no member any more is out", async () => {
            return (await browser.send("GET", "/v1/session")).status === 401;
        });
    });
});

describe("attempts to sign in", () => {
    test("are counted when they fail", async () => {
        const server = new Serve(await freshDatabase(), ["--no-worker"]);
        await server.start();
        const attempt = (key: string): Promise<any> =>
            ask("POST", `${server.url}/v1/session`, {}, { key });
        assert.equal((await attempt(server.key)).status, 200);
        const wrong = `pawl_abcdefgh_${"A".repeat(43)}`;
        for (let i = 0; i < 20; ++i) assert.equal((await attempt(wrong)).status, 401);
        const late = await attempt(server.key);
        assert.equal(late.status, 429);
        const seconds = Number(late.headers["retry-after"]);
        assert.ok(seconds > 0 && seconds <= 60, `${seconds}`);
        await server.stop();
    });
});

describe("the link of pawl dev", () => {
    test("signs in once", async () => {
        const program = new Program([
            "dev",
            "--ephemeral",
            "--listen",
            "127.0.0.1:0",
            "-o",
            "json",
        ]);
        const ready = await program.printed<{ url: string; ui_url: string }>();
        const link = new URL(ready.ui_url);
        assert.equal(link.origin, ready.url);
        const ticket = link.searchParams.get("ticket")!;
        assert.match(ticket, /^[\w-]{43}$/);
        const browser = new Browser(ready.url);
        const session = await browser.signIn({ ticket });
        assert.deepEqual(session.scopes, ["admin"]);
        assert.equal((await browser.send("GET", "/v1/runs")).status, 200);
        const again = await browser.send("POST", "/v1/session", { ticket });
        assert.equal(again.status, 401);
        assert.match(again.json.detail, /used already/);
        const made = await browser.send("POST", "/v1/session", { ticket: randomUUID() });
        assert.equal(made.status, 401);
        await program.stop();
    });
});
