import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { Journeys } from "./support/journeys.js";
import { until } from "./support/until.js";

// What people do with the links of messages, and what programs do with them.

const browser =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/130.0.0.0 Safari/537.36";

describe("links of messages", () => {
    const world = new Journeys();
    let database: pg.Pool;
    before(async () => {
        await world.start("ann", "bob");
        database = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
        await world.account("ann");
        await world.account("bob");
    });
    after(async () => {
        await database.end();
        await world.stop();
    });

    const visit = (url: string, agent = browser, method = "GET"): Promise<Response> =>
        (method === "GET" ? checkedFetch : fetch)(url, {
            method,
            redirect: "manual",
            headers: { "User-Agent": agent },
        });

    /** A message that was sent, an hour ago as far as the database knows. */
    async function sent(config: Record<string, unknown>, person = randomUUID()): Promise<any> {
        const run = await world.send("ann", person, { text: undefined, ...config });
        const message = await until("the message is there", async () => {
            const { json } = await world.call("ann", "GET", `/v1/messages?run=${run}`);
            return json.data[0];
        });
        assert.equal(message.state, "sent", JSON.stringify(message));
        await database.query(
            `update pawl.message set sent_at = sent_at - interval '1 hour' where id = $1`,
            [message.id],
        );
        const received = world.provider.received.find((one) => one.messageId === message.id)!;
        return { ...message, content: received.content };
    }
    const read = async (id: string): Promise<any> =>
        (await world.call("ann", "GET", `/v1/messages/${id}`)).json;

    test("a click leads on and is known, once for a person and apart for programs", async () => {
        const target = "https://shop.example/sale?a=1&b=%C3%A4#x";
        const html = `<p><a href="${target.replace("&", "&amp;")}">Sale</a></p>`;
        const message = await sent({ track: true, html, text: `See ${target}.` });
        const [, link] = /href="([^"]+)"/.exec(message.content.html)!;
        assert.match(link!, /\/l\/[A-Za-z0-9_.-]+$/);
        assert.equal(message.content.text, `See ${link}.`, "one link, wherever it is");
        for (const [agent, method] of [
            ["Slackbot-LinkExpanding 1.0", "GET"],
            [browser, "HEAD"],
        ] as const) {
            const response = await visit(link!, agent, method);
            assert.equal(response.status, 302);
            assert.equal(response.headers.get("location"), target);
        }
        const scanned = await read(message.id);
        assert.equal(scanned.state, "sent", "a program may look before it is delivered");
        assert.equal(scanned.clicked_at, null);
        assert.ok(scanned.facts.every((fact: any) => fact.machine && fact.kind === "clicked"));
        const clicked = await visit(link!);
        assert.equal(clicked.headers.get("location"), target);
        assert.match(clicked.headers.get("cache-control")!, /no-store/);
        const after = await read(message.id);
        assert.equal(after.state, "clicked");
        const [fact] = after.facts.filter((one: any) => !one.machine);
        assert.deepEqual(fact.detail, { url: target });
        assert.ok(!world.server.log.includes(link!.split("/").at(-1)!), "the log has no token");
    });

    test("what comes within seconds of the sending is a program", async () => {
        const run = await world.send("ann", randomUUID(), {
            track: true,
            text: "https://shop.example/x",
        });
        const message = await until("the message is there", async () => {
            const { json } = await world.call("ann", "GET", `/v1/messages?run=${run}`);
            return json.data[0];
        });
        const received = world.provider.received.find((one) => one.messageId === message.id)!;
        // As if it had been sent right now, however long the test took until here.
        await database.query("update pawl.message set sent_at = now() where id = $1", [message.id]);
        await visit(String(received.content["text"]));
        const { facts, clicked_at } = await read(message.id);
        assert.deepEqual([facts.length, facts[0].machine, clicked_at], [1, true, null]);
        await database.query(
            `update pawl.message set sent_at = sent_at - interval '1 hour' where id = $1`,
            [message.id],
        );
        await visit(String(received.content["text"]));
        assert.ok((await read(message.id)).clicked_at, "the person comes right after it");
    });

    test("an HTML mail has a pixel; opens of people and programs are apart", async () => {
        const message = await sent({ track: true, html: "<html><body>Hi</body></html>" });
        const [, pixel] = /<img src="([^"]+\.gif)"[^>]*><\/body>/.exec(message.content.html)!;
        const proxy = "Mozilla/5.0 (Windows NT 5.1) Firefox/11.0 (via ggpht.com GoogleImageProxy)";
        for (const agent of [proxy, "Mozilla/5.0"]) {
            const image = await visit(pixel!, agent);
            assert.equal(image.headers.get("content-type"), "image/gif");
        }
        const scanned = await read(message.id);
        assert.equal(scanned.opened_at, null);
        assert.ok(scanned.machine_opened_at);
        await visit(pixel!);
        const opened = await read(message.id);
        assert.equal(opened.state, "opened");
        assert.ok(opened.opened_at);
    });

    test("links stay as they are where they are not to be tracked", async () => {
        const text = "https://shop.example/x {{ unsubscribe_url }} {{ preferences_url }}";
        await world.call("ann", "PUT", "/v1/templates/own", { languages: { en: { text } } });
        for (const config of [{}, { track: false }]) {
            const message = await sent({ template: "own", ...config });
            assert.match(message.content.text, /^https:\/\/shop\.example\/x http/);
        }
        const tracked = await sent({ text, track: true });
        const [link, unsubscribe, preferences] = tracked.content.text.split(" ");
        assert.match(link, /\/l\//);
        assert.match(unsubscribe, /\/v1\/unsubscribe\//, "opening it must change nothing");
        assert.match(preferences, /\/p\//);
        const languages = { en: { text: "https://shop.example/x", track: true } };
        await world.call("ann", "PUT", "/v1/templates/tracked", { languages });
        assert.match((await sent({ template: "tracked" })).content.text, /\/l\//);
        const off = await sent({ template: "tracked", track: false });
        assert.equal(off.content.text, "https://shop.example/x");
    });

    test("a link that was not made here, or was changed, leads nowhere", async () => {
        const { content } = await sent({ track: true, text: "https://shop.example/x" });
        const link = String(content.text);
        const [payload, signature] = link.split("/").at(-1)!.split(".");
        const parts = JSON.parse(Buffer.from(payload!, "base64url").toString());
        parts[3] = "https://evil.example";
        const forged = Buffer.from(JSON.stringify(parts)).toString("base64url");
        for (const token of [
            `${forged}.${signature}`,
            `${payload}.${signature!.slice(1)}`,
            `${payload}`,
            "x".repeat(80),
            encodeURIComponent("https://evil.example"),
        ]) {
            for (const place of ["l", "o", "p"]) {
                const response = await visit(`${world.server.url}/${place}/${token}`);
                assert.equal(response.status, 404, `${place} ${token}`);
                assert.equal(response.headers.get("location"), null);
            }
        }
    });

    test("a click goes on to a run that waits for it", async () => {
        const person = randomUUID();
        await world.call("ann", "PUT", `/v1/people/${person}`, {
            addresses: { webhook: world.provider.url },
        });
        const name = `wait_${randomUUID().slice(0, 8)}`;
        const applied = await world.call("ann", "POST", "/v1/workflows", {
            name,
            nodes: [
                {
                    id: "send",
                    message: { channel: "webhook", text: "https://shop.example/w", track: true },
                },
                { id: "click", wait: { event: "message.clicked", key: person, timeout: "1h" } },
            ],
            edges: [{ from: "send", to: "click" }],
        });
        assert.ok(applied.status <= 201, applied.text);
        const run = await world.call("ann", "POST", "/v1/runs", {
            workflow: name,
            subject: person,
            data: {},
        });
        const message = await until("the message is there", async () => {
            const { json } = await world.call("ann", "GET", `/v1/messages?run=${run.json.id}`);
            return json.data[0];
        });
        await database.query(
            "update pawl.message set sent_at = sent_at - interval '1 hour' where id = $1",
            [message.id],
        );
        const received = world.provider.received.find((one) => one.messageId === message.id)!;
        await visit(String(received.content["text"]));
        await until("the run goes on", async () => {
            const { json } = await world.call("ann", "GET", `/v1/runs/${run.json.id}`);
            return json.status === "completed";
        });
    });

    test("a person says on a page what they want to get", async () => {
        const person = `p/${randomUUID()}"<script>`;
        const path = `/v1/people/${encodeURIComponent(person)}`;
        const category = `club <b>"news"</b> ${randomUUID()}`;
        const languages = { en: { text: "x" } };
        await world.call("ann", "PUT", "/v1/templates/club", { category, languages });
        await world.send("ann", person);
        const links = await world.call("ann", "GET", `${path}/links`);
        assert.equal(links.status, 200, links.text);
        const url = String(links.json.preferences_url);
        const page = await checkedFetch(url);
        assert.equal(page.status, 200);
        assert.match(page.headers.get("content-security-policy")!, /default-src 'none'/);
        const body = await page.text();
        assert.match(body, /value="webhook:marketing" checked>/);
        assert.ok(!body.includes("<b>") && !body.includes("<script"), "all is escaped");
        await fetch(url, { method: "HEAD" });
        const wishes = async (): Promise<string[]> => {
            const { json } = await world.call("ann", "GET", path);
            return json.unsubscribed.map((one: any) => `${one.channel} ${one.category}`).sort();
        };
        assert.deepEqual(await wishes(), [], "opening it changes nothing");
        const cells = [...body.matchAll(/name="seen" value="([^"]*)"/g)].map(([, value]) =>
            value!.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"'),
        );
        assert.ok(cells.includes(`webhook:${category}`));
        const save = async (fields: [string, string][]): Promise<string> => {
            const saved = await checkedFetch(url, {
                method: "POST",
                headers: { "Content-Type": "application/x-www-form-urlencoded" },
                body: new URLSearchParams(fields).toString(),
            });
            assert.equal(saved.status, 200);
            return await saved.text();
        };
        const seen = cells.map((cell): [string, string] => ["seen", cell]);
        const most = cells.filter((cell) => cell !== `webhook:${category}`);
        const said = await save([...seen, ...most.map((one): [string, string] => ["want", one])]);
        assert.match(said, /Saved\./);
        assert.deepEqual(await wishes(), [`* ${category}`]);
        const none = await save([...seen, ["want", cells[0]!], ["none", "1"]]);
        assert.ok(!none.includes("checked"));
        assert.deepEqual(await wishes(), ["* *"]);
        const run = await world.send("ann", person);
        const message = await until("the message is there", async () => {
            const { json } = await world.call("ann", "GET", `/v1/messages?run=${run}`);
            return json.data[0];
        });
        assert.equal(message.reason, "unsubscribed");
        await save([["want", cells[0]!]]);
        assert.deepEqual(await wishes(), ["* *"], "what was not shown is not changed");
        await save([...seen, ...cells.map((one): [string, string] => ["want", one])]);
        assert.deepEqual(await wishes(), []);
        await save([["seen", "webhook:transactional"]]);
        assert.deepEqual(await wishes(), [], "what is no choice is none");
        await world.call("ann", "DELETE", path);
        assert.equal((await checkedFetch(url)).status, 404, "erased");
    });

    test("the page speaks the language of the person", async () => {
        const person = randomUUID();
        await world.call("ann", "PUT", `/v1/people/${person}`, { locale: "th-TH" });
        const { json } = await world.call("ann", "GET", `/v1/people/${person}/links`);
        const page = await (await checkedFetch(json.preferences_url)).text();
        assert.match(page, /<html lang="th">/);
        assert.match(page, /บันทึก/);
    });

    test("a person links their LINE account, and unfollows", async () => {
        const person = randomUUID();
        const secret = "line-channel-secret";
        const put = await world.call("bob", "PUT", "/v1/connectors/line/accounts/main", {
            credentials: { channel_access_token: "t", channel_secret: secret },
        });
        assert.equal(put.status, 200, put.text);
        await world.call("bob", "PUT", `/v1/people/${person}`, { attributes: { a: 1 } });
        const path = `/v1/people/${person}/line-link`;
        const link = await world.call("bob", "POST", path, { link_token: "abc/+" });
        assert.equal(link.status, 201, link.text);
        const url = new URL(link.json.url);
        assert.equal(url.origin, "https://access.line.me");
        assert.equal(url.searchParams.get("linkToken"), "abc/+");
        assert.equal(url.searchParams.get("nonce"), link.json.nonce);
        assert.equal((await world.call("bob", "POST", path, {})).status, 422);
        const hook = async (events: unknown[]): Promise<void> => {
            const body = JSON.stringify({ destination: "U0", events });
            const signature = createHmac("sha256", secret).update(body).digest("base64");
            const answer = await checkedFetch(put.json.hook_url, {
                method: "POST",
                headers: { "x-line-signature": signature, "Content-Type": "application/json" },
                body,
            });
            assert.equal(answer.status, 200);
        };
        const user = `U${randomUUID().replaceAll("-", "")}`;
        const event = (type: string, more: object): object => ({
            type,
            webhookEventId: randomUUID(),
            timestamp: Date.now(),
            source: { type: "user", userId: user },
            ...more,
        });
        const addresses = async (): Promise<any> =>
            (await world.call("bob", "GET", `/v1/people/${person}`)).json.addresses;
        const forged = { link: { result: "ok", nonce: `${link.json.nonce}x` } };
        const failed = { link: { result: "failed", nonce: link.json.nonce } };
        await hook([event("accountLink", forged), event("accountLink", failed)]);
        assert.deepEqual(await addresses(), {});
        await hook([event("accountLink", { link: { result: "ok", nonce: link.json.nonce } })]);
        assert.deepEqual(await addresses(), { line: user });
        const { rows } = await database.query(
            "select person, detail::text from pawl.message_fact where kind = 'followed'",
        );
        assert.equal(rows.length, 1);
        assert.equal(rows[0].person, person);
        assert.ok(!rows[0].detail.includes(link.json.nonce), "the nonce is kept nowhere");
        await hook([event("unfollow", {})]);
        const { json } = await world.call("bob", "GET", "/v1/suppressions?channel=line");
        assert.deepEqual(
            json.data.map((one: any) => [one.address, one.reason]),
            [[user, "unfollowed"]],
        );
    });

    test("a person who is erased in a journey gets nothing more and is not found", async () => {
        const person = `erased-${randomUUID()}`;
        const mail = `${randomUUID()}@example.com`;
        await world.call("ann", "PUT", `/v1/people/${person}`, {
            attributes: { first_name: "Zoe-Secret" },
            addresses: { webhook: world.provider.url, email: mail },
        });
        await world.call("ann", "POST", "/v1/suppressions", { channel: "email", address: mail });
        const name = `erase_${randomUUID().slice(0, 8)}`;
        const text = "Hi {{ user.first_name }}";
        const applied = await world.call("ann", "POST", "/v1/workflows", {
            name,
            nodes: [
                { id: "first", message: { channel: "webhook", text } },
                { id: "go", wait: { event: `go.${name}`, key: person, timeout: "1h" } },
                { id: "second", message: { channel: "webhook", text } },
            ],
            edges: [
                { from: "first", to: "go" },
                { from: "go", to: "second" },
            ],
        });
        assert.ok(applied.status <= 201, applied.text);
        const { json: run } = await world.call("ann", "POST", "/v1/runs", {
            workflow: name,
            subject: person,
            data: {},
        });
        const messages = async (): Promise<any[]> =>
            (await world.call("ann", "GET", `/v1/messages?run=${run.id}`)).json.data;
        await until("the first is sent", async () => (await messages()).length === 1);
        const erased = await world.call("ann", "DELETE", `/v1/people/${person}`);
        assert.deepEqual(erased.json, { key: person, erased: true, runs: 0 });
        await world.call("ann", "POST", "/v1/events", { name: `go.${name}`, key: person });
        await until("the run ends", async () => {
            const { json } = await world.call("ann", "GET", `/v1/runs/${run.id}`);
            return json.status === "completed";
        });
        const all = await messages();
        const second = all.find((one) => one.node === "second");
        assert.deepEqual([second.state, second.reason], ["skipped", "no_person"]);
        const first = all.find((one) => one.node === "first");
        assert.deepEqual([first.person, first.address, first.state], [null, null, "sent"]);
        const query = `channel=email&address=${encodeURIComponent(mail)}`;
        const kept = await world.call("ann", "GET", `/v1/suppressions?${query}`);
        assert.match(kept.json.data[0].address, /^(sha256|hmac):[0-9a-f]{64}$/);
        await until("it is sealed", async () => {
            const { json } = await world.call("ann", "GET", `/v1/suppressions?${query}`);
            return json.data[0].address.startsWith("hmac:");
        });
        await world.call("ann", "PUT", "/v1/connectors/resend/accounts/main", {
            credentials: { api_key: "re_x" },
            settings: { from: "shop@example.com" },
        });
        const languages = { en: { subject: "Hi", text: "Hi" } };
        await world.call("ann", "PUT", "/v1/templates/hello", { languages });
        const to = { channel: "email", to: mail };
        const tried = await world.call("ann", "POST", "/v1/templates/hello/test", to);
        assert.equal(tried.status, 422, tried.text);
        assert.match(tried.json.detail, /the address is suppressed/);
        const again = await world.call("ann", "DELETE", `/v1/people/${person}?runs=true`);
        assert.deepEqual(again.json, { key: person, erased: true, runs: 1 });
        const third = await world.call("ann", "DELETE", `/v1/people/${person}?runs=true`);
        assert.equal(third.status, 404);
        const { rows } = await database.query(
            `select (select count(*)::int from pawl.run where run_id = $1) as runs,
                    (select count(*)::int from pawl.suppression where address = $2) as plain`,
            [run.id, mail],
        );
        assert.deepEqual(rows, [{ runs: 0, plain: 0 }]);
    });
});
