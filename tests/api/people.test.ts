import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { Journeys } from "./support/journeys.js";
import { pawlCommand, pawlExit } from "./support/process.js";
import { until } from "./support/until.js";

// People, what they want, and what messages say to them.

describe("people, consent and templates", () => {
    const world = new Journeys();
    let database: pg.Pool;
    before(async () => {
        await world.start("ann", "bob", "carol");
        database = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
        await world.account("ann");
    });
    after(async () => {
        await database.end();
        await world.stop();
    });

    const put = (who: string, key: string, body: unknown) =>
        world.call(who, "PUT", `/v1/people/${encodeURIComponent(key)}`, body);
    const get = (who: string, key: string) =>
        world.call(who, "GET", `/v1/people/${encodeURIComponent(key)}`);

    test("a person is put, read, replaced and erased", async () => {
        const key = `ลูกค้า/${randomUUID()}?#`;
        const made = await put("ann", key, {
            attributes: { first_name: "Ann", tier: "gold" },
            addresses: { email: "ann@example.com" },
            locale: "th-TH",
            timezone: "Asia/Bangkok",
        });
        assert.equal(made.status, 200, made.text);
        const read = (await get("ann", key)).json;
        assert.equal(read.key, key);
        assert.deepEqual(read.attributes, { first_name: "Ann", tier: "gold" });
        assert.deepEqual(read.unsubscribed, []);
        assert.equal(read.source, null);
        assert.equal((await get("bob", key)).status, 404, "another tenant's");
        const replaced = await put("ann", key, { attributes: { first_name: "Anna" } });
        assert.deepEqual(replaced.json.addresses, {});
        assert.equal(replaced.json.locale, null);
        const path = `/v1/people/${encodeURIComponent(key)}`;
        assert.equal((await world.call("bob", "DELETE", path)).status, 404);
        assert.equal((await world.call("ann", "DELETE", path)).status, 200);
        assert.equal((await get("ann", key)).status, 404);
        assert.equal((await world.call("ann", "DELETE", path)).status, 404);
        const rows = await database.query("select to_jsonb(p)::text as row from pawl.person p");
        assert.ok(!rows.rows.some((one) => (one.row as string).includes("Anna")));
    });

    test("what is wrong with a person is told with its place", async () => {
        const wrong = await put("ann", "x", {
            addresses: { email: 5 },
            timezone: "Mars/Olympus",
            atributes: {},
        });
        assert.equal(wrong.status, 422);
        assert.deepEqual(wrong.json.errors.map((one: any) => one.pointer).sort(), [
            "/addresses/email",
            "/atributes",
            "/timezone",
        ]);
        const many = await world.call("ann", "POST", "/v1/people", {
            people: [{ key: "a" }, { key: "b", locale: 7 }, 5],
        });
        assert.deepEqual(many.json.errors.map((one: any) => one.pointer).sort(), [
            "/people/1/locale",
            "/people/2",
        ]);
        assert.equal((await get("ann", "a")).status, 404, "all of them or none");
        assert.equal((await put("ann", "k".repeat(501), {})).status, 400);
    });

    test("many people come at once, by the API and from a file", async () => {
        const people = ["a1", "a2", "a1"].map((key, i) => ({ key, attributes: { i } }));
        const { json } = await world.call("bob", "POST", "/v1/people", { people });
        assert.deepEqual(json, { count: 2 });
        assert.deepEqual((await get("bob", "a1")).json.attributes, { i: 2 }, "the last one counts");
        const file = `${mkdtempSync(`${process.env["TMPDIR"] ?? "/tmp"}/people-`)}/people.csv`;
        const lines = Array.from({ length: 1200 }, (_, i) => `c${i},c${i}@example.com,"N, ${i}"`);
        writeFileSync(file, `key,email,first_name\n${lines.join("\n")}\n`);
        const env = { PAWL_URL: world.server.url, PAWL_API_KEY: world.keyOf("bob") };
        assert.match(await pawlCommand(["people", "import", file], env), /1200 people/);
        const shown = JSON.parse(await pawlCommand(["people", "get", "c7", "-o", "json"], env));
        assert.deepEqual(shown.addresses, { email: "c7@example.com" });
        assert.deepEqual(shown.attributes, { first_name: "N, 7" });
        const data = '{"attributes": {"first_name": "New"}}';
        assert.match(await pawlCommand(["people", "put", "c7", "--data", data], env), /New/);
        await pawlCommand(["people", "erase", "c7"], env);
        assert.equal((await get("bob", "c7")).status, 404);
        const seen: string[] = [];
        let cursor = "";
        do {
            const page = await world.call("bob", "GET", `/v1/people?limit=500${cursor}`);
            seen.push(...page.json.data.map((one: any) => one.key));
            cursor = page.json.has_more ? `&cursor=${page.json.next_cursor}` : "";
        } while (cursor);
        assert.equal(seen.length, 2 + 1199);
        assert.equal(new Set(seen).size, seen.length);
    });

    test("people are found by a text in their key, an address or an attribute", async () => {
        const mark = randomUUID().slice(0, 8);
        const people = Array.from({ length: 30 }, (_, i) => ({
            key: `${mark}-${100 + i}`,
            attributes: { first_name: i === 7 ? `Zoë %_${mark}'` : "Ann" },
            addresses: { email: `p${i}.${mark}@Example.com` },
        }));
        assert.equal((await world.call("ann", "POST", "/v1/people", { people })).status, 200);
        const find = async (text: string, rest = ""): Promise<any> => {
            const query = `q=${encodeURIComponent(text)}${rest}`;
            return (await world.call("ann", "GET", `/v1/people?${query}`)).json;
        };
        const keys = (page: any): string[] => page.data.map((one: any) => one.key as string);
        assert.deepEqual(keys(await find(`p12.${mark}@EXAMPLE`)), [`${mark}-112`]);
        assert.deepEqual(keys(await find(`zoë %_${mark}'`)), [`${mark}-107`]);
        assert.deepEqual(keys(await find("first_name")), [], "names of attributes are none");
        const first = await find(mark, "&limit=20");
        assert.deepEqual([first.data.length, first.has_more], [20, true]);
        const next = await find(mark, `&limit=20&cursor=${first.next_cursor}`);
        assert.deepEqual([next.data.length, next.has_more], [10, false]);
        const other = (await world.call("bob", "GET", `/v1/people?q=${mark}`)).json;
        assert.deepEqual(other.data, [], "another tenant's");
        const long = await world.call("ann", "GET", `/v1/people?q=${"x".repeat(201)}`);
        assert.equal(long.status, 400);
    });

    test("a person who has unsubscribed gets no more, until they want it again", async () => {
        const person = randomUUID();
        const stateOf = async (): Promise<string> => {
            const run = await world.send("ann", person);
            const message = await until("the message is there", async () => {
                const { json } = await world.call("ann", "GET", `/v1/messages?run=${run}`);
                return json.data[0];
            });
            return message.reason ?? message.state;
        };
        assert.equal(await stateOf(), "sent");
        const path = `/v1/people/${person}`;
        const off = await world.call("ann", "POST", `${path}/unsubscribe`, { channel: "webhook" });
        assert.equal(off.status, 200, off.text);
        assert.equal(off.json.unsubscribed[0].channel, "webhook");
        assert.equal(await stateOf(), "unsubscribed");
        const on = await world.call("ann", "POST", `${path}/resubscribe`, {});
        assert.deepEqual(on.json.unsubscribed, []);
        assert.equal(await stateOf(), "sent");
    });

    test("an address that is suppressed gets nothing", async () => {
        const body = { channel: "email", address: "Ann@Example.com ", reason: "by phone" };
        const made = await world.call("ann", "POST", "/v1/suppressions", body);
        assert.equal(made.status, 201, made.text);
        assert.equal(made.json.address, "ann@example.com");
        const query = "channel=email&address=ANN%40example.com";
        const listed = await world.call("ann", "GET", `/v1/suppressions?${query}`);
        assert.equal(listed.json.data[0].reason, "by phone");
        assert.deepEqual((await world.call("bob", "GET", "/v1/suppressions")).json.data, []);
        assert.equal((await world.call("bob", "DELETE", `/v1/suppressions?${query}`)).status, 404);
        assert.equal((await world.call("ann", "DELETE", `/v1/suppressions?${query}`)).status, 200);
        assert.equal((await world.call("ann", "DELETE", `/v1/suppressions?${query}`)).status, 404);
        assert.equal((await world.call("ann", "DELETE", "/v1/suppressions")).status, 400);
        assert.equal((await world.call("ann", "POST", "/v1/suppressions", {})).status, 422);
    });

    test("a policy says when and how often", async () => {
        const policy = {
            quiet_hours: { from: "21:00", to: "08:00" },
            timezone: "Asia/Bangkok",
            cap: { count: 3, per: "7d" },
            holdout: 5,
        };
        const made = await world.call("bob", "PUT", "/v1/message-policy", policy);
        assert.equal(made.status, 200, made.text);
        assert.equal(made.json.channel, "*");
        assert.deepEqual(made.json.cap, { count: 3, seconds: 604800 });
        const listed = await world.call("bob", "GET", "/v1/message-policy");
        assert.deepEqual(listed.json.data, [made.json]);
        assert.deepEqual((await world.call("carol", "GET", "/v1/message-policy")).json.data, []);
        for (const [wrong, place] of [
            [{ quiet_hours: { from: "21:00", to: "21:00" } }, "/quiet_hours/to"],
            [{ quiet_hours: { from: "25:00", to: "08:00" } }, "/quiet_hours/from"],
            [{ quiet_hours: { from: "21:00" } }, "/quiet_hours/to"],
            [{ timezone: "Mars/Olympus" }, "/timezone"],
            [{ cap: { count: 3 } }, "/cap"],
            [{ cap: { count: 0, per: "1d" } }, "/cap/count"],
            [{ cap: { count: 1, per: "0s" } }, "/cap/per"],
            [{ holdout: 101 }, "/holdout"],
        ] as const) {
            const refused = await world.call("bob", "PUT", "/v1/message-policy", wrong);
            assert.equal(refused.status, 422, JSON.stringify(wrong));
            assert.equal(refused.json.errors[0].pointer, place);
        }
        assert.equal((await world.call("bob", "DELETE", "/v1/message-policy")).status, 200);
        assert.equal((await world.call("bob", "DELETE", "/v1/message-policy")).status, 404);
    });

    test("a template is saved, filled for a person and refused with its place", async () => {
        const path = `/v1/templates/${encodeURIComponent("welcome / ต้อนรับ")}`;
        const en = {
            subject: "Welcome",
            text: "Hello {{ user.first_name }}, {{ trigger.points | default: 0 }} points",
            html: "<b>{{ user.first_name }}</b> {{ unsubscribe_url }}",
        };
        const body = { category: "marketing", languages: { en, th: { text: "สวัสดี" } } };
        const saved = await world.call("ann", "PUT", path, body);
        assert.equal(saved.status, 200, saved.text);
        assert.deepEqual([saved.json.version, saved.json.changed], [1, true]);
        assert.equal((await world.call("ann", "PUT", path, body)).json.changed, false);
        const file = { name: "welcome / ต้อนรับ", ...body };
        assert.equal((await world.call("ann", "PUT", path, file)).json.changed, false);
        const other = await world.call("ann", "PUT", path, { ...body, name: "bye" });
        assert.equal(other.status, 422, other.text);
        assert.equal(other.json.errors[0].pointer, "/name");
        const next = { languages: { ...body.languages, th: { text: "{{ user.first_name }}" } } };
        assert.equal((await world.call("ann", "PUT", path, next)).json.version, 2);
        assert.deepEqual((await world.call("ann", "GET", path)).json.languages, next.languages);
        const old = await world.call("ann", "GET", `${path}?version=1`);
        assert.deepEqual(old.json.languages, body.languages);
        assert.equal((await world.call("ann", "GET", `${path}?version=9`)).status, 404);
        assert.equal((await world.call("bob", "GET", path)).status, 404);
        const listed = await world.call("ann", "GET", "/v1/templates");
        assert.deepEqual(listed.json.data[0].languages, ["en", "th"]);

        const user = { first_name: "<Ann>" };
        const made = await world.call("ann", "POST", `${path}/preview`, { user });
        assert.equal(made.status, 200, made.text);
        assert.equal(made.json.content.text, "Hello <Ann>, 0 points");
        assert.match(made.json.content.html, /<b>&lt;Ann&gt;<\/b> https:/);
        assert.deepEqual(made.json.sms, { encoding: "GSM7", parts: 1 });
        await put("ann", "tipa", { attributes: { first_name: "ทิพา" }, locale: "th" });
        const thai = await world.call("ann", "POST", `${path}/preview`, { person: "tipa" });
        assert.deepEqual(thai.json.content, { text: "ทิพา" });
        assert.equal(thai.json.sms.encoding, "UCS2");
        const missing = await world.call("ann", "POST", `${path}/preview`, {});
        assert.equal(missing.status, 422);
        assert.match(missing.json.detail, /user\.first_name/);
        const stranger = await world.call("ann", "POST", `${path}/preview`, { person: "none" });
        assert.equal(stranger.json.errors[0].pointer, "/person");

        const written = { languages: { en: { text: "Bye {{ user.first_name }}" } }, user };
        const unsaved = await world.call("ann", "POST", `${path}/preview`, written);
        assert.equal(unsaved.json.content.text, "Bye <Ann>");
        assert.equal(unsaved.json.version, 0);
        const nowhere = await world.call("ann", "POST", "/v1/templates/none/preview", written);
        assert.equal(nowhere.status, 200, nowhere.text);
        const draft = { languages: { en: { text: "{{ usr.name }}" } }, user };
        const place = await world.call("ann", "POST", `${path}/preview`, draft);
        assert.equal(place.json.errors[0].pointer, "/languages/en/text");
        assert.equal((await world.call("ann", "GET", path)).json.version, 2);

        const wrong = { languages: { en: { text: "{{ usr.name }}" } } };
        const refused = await world.call("ann", "PUT", path, wrong);
        assert.equal(refused.status, 422);
        assert.equal(refused.json.errors[0].pointer, "/languages/en/text");
        assert.match(refused.json.errors[0].detail, /did you mean 'user'/);
        assert.equal((await world.call("ann", "DELETE", path)).status, 200);
        assert.equal((await world.call("ann", "DELETE", path)).status, 404);
    });

    test("the command line saves templates", async () => {
        const folder = mkdtempSync(`${process.env["TMPDIR"] ?? "/tmp"}/templates-`);
        const file = `${folder}/hello.yaml`;
        writeFileSync(file, "name: hello\nlanguages: {en: {text: 'Hi {{ user.first_name }}'}}\n");
        const env = { PAWL_URL: world.server.url, PAWL_API_KEY: world.keyOf("bob") };
        const apply = ["templates", "apply", "-f", file];
        assert.match(await pawlCommand(apply, env), /hello +v1 +saved/);
        assert.match(await pawlCommand(apply, env), /hello +v1 +unchanged/);
    });

    test("a template is tried out, and the message counts for nothing", async () => {
        const { hookUrl } = await world.account("bob", "trial");
        assert.ok(hookUrl);
        const languages = { en: { text: "Hi {{ user.first_name }}" } };
        await world.call("bob", "PUT", "/v1/templates/tried", { languages });
        const path = "/v1/templates/tried/test";
        const user = { first_name: "Ann" };
        const body = { channel: "webhook", to: world.provider.url, account: "trial", user };
        const sent = await world.call("bob", "POST", path, body);
        assert.equal(sent.status, 200, sent.text);
        assert.equal(sent.json.state, "sent");
        assert.equal(sent.json.preview.content.text, "Hi Ann");
        const { message } = sent.json;
        const received = world.provider.received.filter((one) => one.messageId === message);
        assert.deepEqual(
            received.map((one) => one.content),
            [{ text: "Hi Ann" }],
        );
        const shown = (await world.call("bob", "GET", `/v1/messages/${message}`)).json;
        assert.equal(shown.test, true);
        assert.deepEqual([shown.run_id, shown.content_missing], [null, "test"]);
        assert.equal(shown.external_id, `ext-${message}`);
        assert.equal(shown.template, "tried");
        const client = new pg.Client({ connectionString: world.databaseUrl });
        await client.connect();
        const counted = await client.query("select 1 from pawl.messages where id = $1", [message]);
        assert.equal(counted.rowCount, 0, "the view of what journeys sent does not have it");
        await client.end();

        const earlier = world.provider.answer;
        world.provider.answer = () => Promise.resolve({ status: 400, body: { message: "no" } });
        try {
            const failed = await world.call("bob", "POST", path, body);
            assert.equal(failed.json.state, "failed", failed.text);
            assert.match(failed.json.error, /no/);
        } finally {
            world.provider.answer = earlier;
        }
        for (const [change, pointer] of [
            [{ channel: undefined }, "/channel"],
            [{ to: "" }, "/to"],
            [{ to: "no address" }, "/to"],
            [{ account: "none" }, "/account"],
            [{ connector: "pigeons", account: undefined }, "/connector"],
            [{ user: {} }, ""],
            [{ colour: "red" }, "/colour"],
        ] as const) {
            const refused = await world.call("bob", "POST", path, { ...body, ...change });
            assert.equal(refused.status, 422, refused.text);
            assert.equal(refused.json.errors[0].pointer, pointer, refused.text);
        }
        const to = "http://127.0.0.1:9/suppressed";
        await world.call("bob", "POST", "/v1/suppressions", { channel: "webhook", address: to });
        const suppressed = await world.call("bob", "POST", path, { ...body, to });
        assert.equal(suppressed.status, 422, suppressed.text);
        assert.equal(suppressed.json.errors[0].pointer, "/to");
        assert.equal((await world.call("ann", "POST", path, body)).status, 404);

        const env = { PAWL_URL: world.server.url, PAWL_API_KEY: world.keyOf("bob") };
        const command = ["templates", "send-test", "tried", "--channel", "webhook"];
        command.push("--to", world.provider.url, "--account", "trial");
        command.push("--data", JSON.stringify({ user }));
        assert.match(await pawlCommand(command, env), /state +sent/);
        const beside = await pawlExit(command, { DATABASE_URL: world.databaseUrl });
        assert.notEqual(beside.code, 0);
        assert.match(beside.stderr, /a server sends test messages: give --url, or PAWL_URL/);
    });

    test("the link of a message unsubscribes with one click, and not by being opened", async () => {
        const person = randomUUID();
        const languages = { en: { text: "No more: {{ unsubscribe_url }}" } };
        await world.call("ann", "PUT", "/v1/templates/linked", { languages });
        const send = async (): Promise<any> => {
            const run = await world.send("ann", person, { template: "linked", text: undefined });
            return await until("the message is there", async () => {
                const { json } = await world.call("ann", "GET", `/v1/messages?run=${run}`);
                return json.data[0];
            });
        };
        const message = await send();
        assert.equal(message.state, "sent", JSON.stringify(message));
        const received = world.provider.received.find((one) => one.messageId === message.id)!;
        const link = String(received.content["text"]).replace("No more: ", "");
        const page = await checkedFetch(link);
        assert.equal(page.status, 200);
        assert.match(await page.text(), /<form method="post">/);
        assert.deepEqual((await get("ann", person)).json.unsubscribed, []);
        for (let i = 0; i < 2; i++) {
            const clicked = await checkedFetch(link, {
                method: "POST",
                headers: { "Content-Type": "application/x-www-form-urlencoded" },
                body: "List-Unsubscribe=One-Click",
            });
            assert.equal(clicked.status, 200);
        }
        const [wish] = (await get("ann", person)).json.unsubscribed;
        assert.deepEqual([wish.channel, wish.category], ["webhook", "marketing"]);
        const marked = await world.call("ann", "GET", `/v1/messages/${message.id}`);
        assert.ok(marked.json.unsubscribed_at);
        assert.equal((await send()).reason, "unsubscribed");
        assert.ok(!world.server.log.includes(link.split("/").at(-1)!));
    });

    test("a link that was not made here unsubscribes no person", async () => {
        const url = `${world.server.url}/v1/unsubscribe/${"x".repeat(80)}`;
        for (const method of ["GET", "POST"]) {
            const response = await checkedFetch(url, { method });
            assert.equal(response.status, 403);
            assert.match(await response.text(), /not valid/);
        }
    });
});
