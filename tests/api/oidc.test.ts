import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { ask, Browser, type Answer, type Session } from "./support/browser.js";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand, pawlExit } from "./support/process.js";
import { Provider } from "./support/provider.js";
import { freshDatabase, Serve } from "./support/serve.js";

// Signing in by an identity provider, against one that runs here.

describe("an identity provider", { concurrency: 1 }, () => {
    const provider = new Provider();
    let server: Serve;
    let database: pg.Pool;
    before(async () => {
        await provider.start();
        const flags = ["--oidc-issuer", provider.url, "--oidc-client-id", provider.clientId];
        flags.push("--oidc-role-claim", "app.roles", "--oidc-tenant-claim", "app.tenants");
        const env = { PAWL_OIDC_SECRET: provider.clientSecret };
        server = new Serve(await freshDatabase(), ["--no-worker", ...flags], env);
        await server.start();
        database = new pg.Pool({ connectionString: server.databaseUrl, max: 2 });
        for (const name of ["north", "south"]) {
            await pawlCommand(["tenants", "create", name], { DATABASE_URL: server.databaseUrl });
        }
    });
    after(async () => {
        await database.end();
        await server.stop();
        provider.stop();
    });

    /** The cookies of an answer, as a browser sends them back. */
    const cookies = (answer: Answer): string =>
        (answer.headers["set-cookie"] ?? [])
            .map((one) => one.split(";")[0]!)
            .filter((one) => !one.endsWith("="))
            .join("; ");

    /** From the start to the answer of the callback. */
    async function signIn(path = "/v1/session/oidc/start?return=/runs"): Promise<Answer> {
        const start = await ask("GET", server.url + path);
        assert.equal(start.status, 303, start.body.toString());
        const there = await ask("GET", String(start.headers["location"]));
        const back = String(there.headers["location"]);
        assert.ok(back.startsWith(`${server.url}/v1/session/oidc/callback?`), back);
        return ask("GET", back, { Cookie: cookies(start) });
    }
    async function sessionOf(answer: Answer): Promise<Session> {
        assert.equal(answer.status, 303, answer.body.toString());
        const headers = { Cookie: cookies(answer) };
        return (await ask("GET", `${server.url}/v1/session`, headers)).json as Session;
    }
    const count = async (): Promise<number> =>
        (await database.query("select count(*)::int as n from pawl.session")).rows[0].n as number;

    test("its users get the roles that it names", async () => {
        provider.claims = {
            sub: "42",
            email: "ann@example.com",
            email_verified: true,
            app: { roles: ["staff", "viewer", "editor"], tenants: ["north", "south", "nowhere"] },
        };
        const answer = await signIn();
        assert.equal(answer.headers["location"], "/runs");
        const session = await sessionOf(answer);
        assert.deepEqual(
            [session.subject, session.person, session.role, session.tenant],
            ["ann@example.com", true, "editor", "north"],
        );
        assert.deepEqual(session.tenants, [
            { name: "north", role: "editor" },
            { name: "south", role: "editor" },
        ]);
        const set = answer.headers["set-cookie"]!.find((one) => /^pawl_session=/.test(one))!;
        assert.match(set, /HttpOnly; SameSite=Strict/);
        const browser = new Browser(server.url);
        browser.cookie = cookies(answer);
        browser.csrf = session.csrf!;
        const there = await browser.send("PUT", "/v1/session", { tenant: "south" });
        assert.equal(there.json.tenant, "south");
        assert.equal((await browser.send("PUT", "/v1/session", { tenant: "default" })).status, 403);
        assert.deepEqual(provider.refused, []);
    });

    test("members need no role of the provider, and strangers do not come in", async () => {
        provider.claims = { sub: "bob-7", email: "bob@example.com", email_verified: false };
        const before = await count();
        const stranger = await signIn();
        assert.equal(stranger.status, 403);
        assert.match(
            stranger.body.toString(),
            /bob-7/,
            "an address that is not verified is no name",
        );
        assert.equal(await count(), before);
        await database.query(
            `insert into pawl.member (tenant, subject, role)
             select id, 'bob-7', 'approver' from pawl.tenant where name = 'south'`,
        );
        const session = await sessionOf(await signIn());
        assert.deepEqual([session.tenant, session.role], ["south", "approver"]);
        const { rows } = await database.query(
            "select by, person, action from pawl.audit order by id desc limit 1",
        );
        assert.deepEqual(rows[0], { by: "bob-7", person: true, action: "createSession" });
    });

    test("a token that is not for this sign-in opens nothing", async () => {
        provider.claims = { sub: "eve", app: { roles: "admin", tenants: "north" } };
        const before = await count();
        const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
        const honest = provider.signer;
        for (const lie of [
            { lies: { nonce: "x" } },
            { lies: { nonce: undefined } },
            { lies: { aud: "another" } },
            { lies: { iss: "https://evil.test" } },
            { lies: { exp: 1 } },
            { lies: { exp: undefined } },
            { lies: { azp: "another" } },
            { lies: { sub: "" } },
            { headLies: { alg: "none" } },
            { headLies: { alg: "HS256" } },
            { signer: other },
        ]) {
            provider.lies = lie.lies ?? {};
            provider.headLies = lie.headLies ?? {};
            provider.signer = lie.signer ?? honest;
            const answer = await signIn();
            assert.equal(answer.status, 401, JSON.stringify(lie));
            assert.ok(!cookies(answer).includes("pawl_session"));
        }
        provider.lies = {};
        provider.headLies = {};
        provider.signer = honest;
        assert.equal(await count(), before);
        assert.equal((await sessionOf(await signIn())).role, "admin", "it was the lies");
    });

    test("a callback needs the browser that began, and works once", async () => {
        const start = await ask("GET", `${server.url}/v1/session/oidc/start`);
        const there = await ask("GET", String(start.headers["location"]));
        const back = new URL(String(there.headers["location"]));
        const call = (url: URL, cookie: string): Promise<Answer> =>
            ask("GET", url.href, cookie ? { Cookie: cookie } : {});
        const mine = cookies(start);
        assert.equal((await call(back, "")).status, 400, "another browser");
        const theirs = cookies(await ask("GET", `${server.url}/v1/session/oidc/start`));
        assert.equal((await call(back, theirs)).status, 400, "another sign-in");
        for (const junk of ["pawl_oidc=x", "pawl_oidc=W10", `pawl_oidc=${"A".repeat(4000)}`]) {
            assert.equal((await call(back, junk)).status, 400, junk.slice(0, 20));
        }
        const refused = new URL(back);
        refused.searchParams.delete("code");
        refused.searchParams.set("error", "access_denied<script>");
        const page = await call(refused, mine);
        assert.equal(page.status, 403);
        assert.doesNotMatch(page.body.toString(), /<script/);
        assert.equal((await call(back, mine)).status, 303);
        assert.equal((await call(back, mine)).status, 401, "the provider takes a code once");
    });

    test("a browser is sent back to pages of this server only", async () => {
        for (const path of [
            "https://evil.test/",
            "//evil.test",
            "/\\evil.test",
            "javascript:alert(1)",
            "/x\r\nSet-Cookie: a=b",
            "",
        ]) {
            const start = `/v1/session/oidc/start?return=${encodeURIComponent(path)}`;
            const first = await ask("GET", server.url + start);
            if (first.status === 400) continue;
            assert.equal((await signIn(start)).headers["location"], "/", path);
        }
        const deep = await signIn("/v1/session/oidc/start?return=%2Fruns%3Fstatus%3Dfailed");
        assert.equal(deep.headers["location"], "/runs?status=failed");
    });

    test("the answers are those of the document", async () => {
        const about = await checkedFetch(`${server.url}/v1/session/oidc`);
        assert.deepEqual(await about.json(), { enabled: true, issuer: provider.url });
        const start = await checkedFetch(`${server.url}/v1/session/oidc/start`, {
            redirect: "manual",
        });
        assert.equal(start.status, 303);
        const there = await ask("GET", start.headers.get("location")!);
        const back = await checkedFetch(String(there.headers["location"]), {
            redirect: "manual",
            headers: { Cookie: start.headers.getSetCookie()[0]!.split(";")[0]! },
        });
        assert.equal(back.status, 303);
        const wrong = await checkedFetch(`${server.url}/v1/session/oidc/callback`);
        assert.equal(wrong.status, 400);
    });

    test("that is away or is none is said", async () => {
        const flags = ["--oidc-client-id", "x", "--oidc-issuer"];
        const away = new Serve(server.databaseUrl, [
            "--no-worker",
            ...flags,
            "http://127.0.0.1:1/realms/x",
        ]);
        await away.start();
        const answer = await ask("GET", `${away.url}/v1/session/oidc/start`);
        assert.equal(answer.status, 503);
        assert.match(answer.json.detail, /identity provider/);
        await away.stop();
        const env = { DATABASE_URL: server.databaseUrl };
        const serve = ["serve", "--listen", "127.0.0.1:0"];
        const wrong = await pawlExit([...serve, ...flags, "login.example.com"], env);
        assert.equal(wrong.code, 2);
        assert.match(wrong.stderr, /--oidc-issuer/);
        const alone = await pawlExit([...serve, "--oidc-client-id", "x"], env);
        assert.equal(alone.code, 2);
    });
});
