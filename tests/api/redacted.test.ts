import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { type Answered, Journeys } from "./support/journeys.js";
import { LoggingProvider } from "./support/logging_provider.js";
import { until } from "./support/until.js";

// Columns of people that messages and conditions may use, and that nothing keeps or shows
// (pawl.redact).

describe("redacted columns", () => {
    const world = new Journeys();
    let database: pg.Pool;
    before(async () => {
        await world.start("ann", "bob");
        database = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
        await world.account("ann");
        await world.account("bob");
        await database.query(
            `create table public.clients (id text primary key, of text, hook text, name text,
                 code text, income int);
             select pawl.set_person_source('public.clients', key => 'id', tenant => 'of',
                 address => '{"webhook": "hook"}', for_tenant => 'ann');
             select pawl.redact('{code,income}', 'ann')`,
        );
        await database.query(
            `insert into public.clients values ('c1', 'ann', $1, 'Xena', 'zq-7731', 918273)`,
            [world.provider.url],
        );
    });
    after(async () => {
        await database.end();
        await world.stop();
    });

    const apply = (name: string, nodes: unknown[], more: object = {}): Promise<Answered> =>
        world.call("ann", "POST", "/v1/workflows", {
            name,
            person: true,
            nodes,
            edges: [],
            ...more,
        });
    const run = async (workflow: string, subject: string): Promise<any> => {
        const body = { workflow, subject, data: {} };
        const { json } = await world.call("ann", "POST", "/v1/runs", body);
        return await until("the run ends", async () => {
            const found = (await world.call("ann", "GET", `/v1/runs/${json.id}`)).json;
            return ["completed", "failed"].includes(found.status) && found;
        });
    };
    /** The tables of the schema pawl in which a text stands. */
    const kept = async (text: string): Promise<string[]> => {
        const { rows } = await database.query(
            `select c.relname as name
               from pg_class c
              where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p')
                and c.relname <> 'person'
                and (xpath('/row/n/text()', query_to_xml(format(
                    'select count(*) as n from pawl.%I t where strpos(to_jsonb(t)::text, %L) > 0',
                    c.relname, $1::text), false, true, '')))[1]::text <> '0'`,
            [text],
        );
        return rows.map(({ name }) => name as string);
    };
    const nothingKept = async (...texts: string[]): Promise<void> => {
        for (const text of texts) {
            assert.deepEqual(await kept(text), [], `${text} is kept`);
            assert.ok(!world.server.log.includes(text), `${text} is logged`);
        }
    };

    test("reach the message and the condition, and nothing else", async () => {
        const rich = { path: "user.income", operator: ">", value: 900000 };
        const message = { channel: "webhook", text: "{{ user.name }}: {{ user.code }}" };
        const made = await apply(
            "codes",
            [
                { id: "rich", type: "condition", config: rich },
                { id: "tell", message },
            ],
            { edges: [{ from: "rich", to: "tell", handle: "true" }] },
        );
        assert.ok(made.status <= 201, made.text);
        const ended = await run("codes", "c1");
        assert.equal(ended.status, "completed", JSON.stringify(ended));
        assert.equal(world.provider.received.at(-1)?.content["text"], "Xena: zq-7731");
        const [sent] = (await world.call("ann", "GET", `/v1/messages?run=${ended.id}`)).json.data;
        const shown = (await world.call("ann", "GET", `/v1/messages/${sent.id}`)).json;
        assert.equal(shown.content.text, "Xena: (secret)");
        assert.ok((await kept("c1")).includes("message"), "what is kept is found");
        await nothingKept("zq-7731", "918273");
    });

    test("are not in what is said of a message that was refused", async () => {
        const answer = world.provider.answer;
        world.provider.answer = (message) =>
            Promise.resolve({
                status: 400,
                body: { error: `no such thing: ${JSON.stringify(message.content)}` },
            });
        const message = { channel: "webhook", text: "{{ user.code }}" };
        await apply("refused_code", [{ id: "tell", message }]);
        const ended = await run("refused_code", "c1");
        world.provider.answer = answer;
        assert.equal(ended.status, "failed");
        assert.match(ended.error.message, /hidden: the message has values of redacted columns/);
        await nothingKept("zq-7731");
    });

    test("are shown by no route, and found by no search", async () => {
        const { json } = await world.call("ann", "GET", "/v1/people/c1");
        assert.deepEqual(
            [json.attributes.name, json.attributes.code, json.attributes.income],
            ["Xena", "(secret)", "(secret)"],
        );
        for (const [text, count] of Object.entries({ Xena: 1, "zq-77": 0, 918273: 0 })) {
            const found = await world.call("ann", "GET", `/v1/people?q=${text}`);
            assert.equal(found.json.data.length, count, text);
            assert.ok(!found.text.includes("zq-7731") && !found.text.includes("918273"));
        }
        const languages = { en: { subject: "s", text: "Code {{ user.code }}" } };
        await world.call("ann", "PUT", "/v1/templates/code", { languages });
        const body = { person: "c1", language: "en" };
        const preview = await world.call("ann", "POST", "/v1/templates/code/preview", body);
        assert.equal(preview.json.content.text, "Code (secret)", preview.text);
    });

    test("cannot be guessed from what is kept to recognise a message", async () => {
        const twilio = new LoggingProvider();
        await twilio.start();
        const put = await world.call("ann", "PUT", "/v1/connectors/twilio/accounts/main", {
            credentials: { account_sid: "AC1", auth_token: "t", from: "+15005550006" },
            settings: { base_url: twilio.url },
        });
        assert.equal(put.status, 200, put.text);
        const body = "Your code is zq-7731";
        const there: object[] = [];
        twilio.onAsked = (asked) =>
            asked.method === "GET"
                ? asked.answer(200, { messages: there })
                : asked.answer(500, { code: 20500 });
        const text = "Your code is {{ user.code }}";
        const message = { channel: "sms", to: "+66812345678", text };
        await apply("code_by_sms", [{ id: "tell", message }]);
        const start = { workflow: "code_by_sms", subject: "c1", data: {} };
        const { json } = await world.call("ann", "POST", "/v1/runs", start);
        const mark = await until("the message is unknown", async () => {
            const { rows } = await database.query(
                "select text_hash from pawl.message where run_id = $1 and state = 2",
                [json.id],
            );
            return rows[0]?.text_hash as string | undefined;
        });
        const guess = createHash("sha256").update(body).digest().readBigInt64BE();
        assert.notEqual(mark, String(guess));
        there.push({ sid: "SM1", body, date_created: new Date().toUTCString() });
        await until("the run ends", async () => {
            await database.query("update pawl.message_inquiry set due_at = now()");
            const run = (await world.call("ann", "GET", `/v1/runs/${json.id}`)).json;
            return run.status === "completed";
        });
        await twilio.stop();
        await nothingKept("zq-7731");
    });

    test("are refused in other steps, when they are published and when they run", async () => {
        const human = [{ id: "ask", human: { title: "Call about {{ user.code }}" } }];
        const refused = await apply("asks", human);
        assert.equal(refused.status, 422, refused.text);
        assert.match(refused.json.detail, /ask.*user\.code is redacted/);
        await database.query("select pawl.redact('{}', 'ann')");
        const echo = { code: "echo", input: { text: "{{ user.code }}" } };
        for (const [name, nodes] of Object.entries({
            asks: human,
            echoes: [{ id: "say", ...echo }],
            emits: [{ id: "tell", emit: { event: "code.told", data: { c: "{{ user.code }}" } } }],
        })) {
            const made = await apply(name, nodes);
            assert.ok(made.status <= 201, made.text);
        }
        await database.query("select pawl.redact('{code,income}', 'ann')");
        for (const name of ["asks", "echoes", "emits"]) {
            const ended = await run(name, "c1");
            assert.deepEqual([ended.status, ended.error?.code], ["failed", "redacted"], name);
        }
        await nothingKept("zq-7731");
    });

    test("are not in the events of their table", async () => {
        await database.query(
            `select pawl.watch_table('public.clients', tenant => 'of', subject => 'id',
                 event => 'client')`,
        );
        const made = await world.call("ann", "POST", "/v1/workflows", {
            name: "client_changed",
            triggers: [{ event: "client" }],
            nodes: [{ id: "say", code: "echo", input: { name: "{{ trigger.name }}" } }],
        });
        assert.ok(made.status <= 201, made.text);
        const count = async (): Promise<number> =>
            Number(
                (await database.query("select count(*) as n from pawl.inbox where name = 'client'"))
                    .rows[0].n,
            );
        await database.query(
            `insert into public.clients values ('d0', 'ann', null, 'one', 'zq-5551', 551234)`,
        );
        await database.query("update public.clients set code = 'zq-5552' where id = 'd0'");
        await database.query(
            `insert into public.clients
             select 'e' || i, 'ann', null, 'many', 'zq-555m', 551234
               from generate_series(1, 60) as i`,
        );
        await database.query("update public.clients set name = 'more' where id like 'e%'");
        await database.query("delete from public.clients where id like 'e%' or id = 'd0'");
        await until("all changes are events", async () => (await count()) === 183);
        await nothingKept("zq-555", "551234");
        const { rows } = await database.query(
            `select data from pawl.inbox where name = 'client' and data ->> 'id' = 'd0'
              order by at, data ->> 'operation' = 'DELETE'`,
        );
        assert.deepEqual(rows[1].data.changed, ["code"]);
        assert.deepEqual(rows[1].data.new, { id: "d0", of: "ann", hook: null, name: "one" });
    });

    test("of people that Pawl keeps, stay when they are written again", async () => {
        await database.query("select pawl.redact('{pin}', 'bob')");
        const put = (attributes: object): Promise<Answered> =>
            world.call("bob", "PUT", "/v1/people/p1", {
                attributes,
                addresses: { webhook: world.provider.url },
            });
        assert.ok(!(await put({ name: "Bea", pin: "8842-x" })).text.includes("8842"));
        assert.equal((await put({ name: "Bo" })).status, 200);
        assert.equal((await put({ name: "Bo", pin: "(secret)" })).status, 200);
        const pin = async (): Promise<unknown> =>
            (await database.query("select attributes -> 'pin' as pin from pawl.person")).rows[0]
                .pin;
        assert.equal(await pin(), "8842-x");
        const { json } = await world.call("bob", "GET", "/v1/people?q=Bo");
        assert.deepEqual(json.data[0].attributes, { name: "Bo", pin: "(secret)" });
        await nothingKept("8842-x");
        await put({ name: "Bo", pin: null });
        assert.equal(await pin(), null);
    });
});
