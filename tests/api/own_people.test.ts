import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Journeys } from "./support/journeys.js";
import { until } from "./support/until.js";

// People whom a tenant keeps in a table of its own.

describe("people of a table of one's own", () => {
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

    test("are read and found there, and not written here", async () => {
        await database.query(
            `create table public.customers (id int primary key, merchant text, mail text,
                 name text);
             insert into public.customers
             values (1, 'carol', 'x@example.com', 'Xena'), (2, 'bob', 'y@z', 'Y');
             select pawl.set_person_source('public.customers', key => 'id', tenant => 'merchant',
                 address => '{"email": "mail"}', columns => '{name}', for_tenant => 'carol')`,
        );
        const { json } = await get("carol", "1");
        assert.equal(json.source, "public.customers");
        assert.equal(json.attributes.name, "Xena");
        assert.deepEqual(json.addresses, { email: "x@example.com" });
        assert.equal(json.created_at, null);
        assert.equal((await get("carol", "2")).status, 404, "of another merchant");
        assert.equal((await put("carol", "1", {})).json.code, "people_elsewhere");
        const list = async (query: string): Promise<unknown[]> => {
            const found = await world.call("carol", "GET", `/v1/people?${query}`);
            assert.equal(found.status, 200, found.text);
            const keys = found.json.data.map((one: any) => one.key);
            return [keys, found.json.has_more, found.json.next_cursor];
        };
        await database.query(
            `insert into public.customers
             select i, case when i % 2 = 0 then 'bob' else 'carol' end, 'm' || i, 'Name ' || i
               from generate_series(9, 15) as i`,
        );
        const cursor = (key: string): string => Buffer.from(key).toString("base64url");
        const next = cursor("9");
        assert.deepEqual(await list("limit=2"), [["1", "9"], true, next]);
        assert.deepEqual(await list(`limit=9&cursor=${next}`), [["11", "13", "15"], false, null]);
        assert.deepEqual(await list("q=xEN"), [["1"], false, null]);
        assert.deepEqual(await list("q=M13"), [["13"], false, null]);
        assert.deepEqual(await list("q=name&limit=2"), [["9", "11"], true, cursor("11")]);
        assert.deepEqual(await list("q=m10"), [[], false, null], "of another merchant");
        assert.deepEqual(await list(`cursor=${cursor("no number")}`), [[], false, null]);
        assert.equal((await world.call("carol", "DELETE", "/v1/people/1")).status, 200);
    });

    test("are in journeys as others are, whatever their columns are called", async () => {
        await database.query(
            `create schema crm;
             create table crm."Kund""en" ("Kunde's Nr" uuid primary key, "of" text,
                 "Web ""Hook""" text, first_name text, plan text);
             alter table crm."Kund""en" enable row level security;
             create view crm."the people" as select * from crm."Kund""en" where plan <> 'gone'`,
        );
        const insert = (name: string, plan: string, of = "ann"): Promise<string> =>
            database
                .query(
                    `insert into crm."Kund""en"
                     values (gen_random_uuid(), $1, $2, $3, $4) returning "Kunde's Nr" as key`,
                    [of, world.provider.url, name, plan],
                )
                .then(({ rows }) => rows[0].key as string);
        await database.query(
            `select pawl.set_person_source('crm."the people"', key => 'Kunde''s Nr', tenant => 'of',
                 address => '{"webhook": "Web \\"Hook\\""}', columns => '{first_name,plan}',
                 for_tenant => 'ann')`,
        );
        const made = await world.call("ann", "POST", "/v1/workflows", {
            name: "greet_gold",
            person: true,
            nodes: [
                {
                    id: "gold",
                    type: "condition",
                    config: { path: "user.plan", operator: "=", value: "gold" },
                },
                {
                    id: "greet",
                    message: { channel: "webhook", text: "Hi {{ user.first_name }}" },
                },
            ],
            edges: [{ from: "gold", to: "greet", handle: "true" }],
        });
        assert.ok(made.status <= 201, made.text);
        const run = async (subject: string): Promise<any[]> => {
            const body = { workflow: "greet_gold", subject, data: {} };
            const { json } = await world.call("ann", "POST", "/v1/runs", body);
            await until("the run ends", async () => {
                const { status } = (await world.call("ann", "GET", `/v1/runs/${json.id}`)).json;
                return status === "completed";
            });
            return (await world.call("ann", "GET", `/v1/messages?run=${json.id}`)).json.data;
        };
        const gold = await insert("O'Hara <b>", "gold");
        const [sent] = await run(gold);
        assert.equal(sent.state, "sent", JSON.stringify(sent));
        const received = world.provider.received.find((one) => one.person === gold);
        assert.equal(received?.content["text"], "Hi O'Hara <b>");
        const { rows } = await database.query(
            `select to_jsonb(e)::text as text from pawl.event e union all
             select to_jsonb(m)::text from pawl.message m`,
        );
        assert.ok(rows.length > 2);
        assert.ok(!rows.some(({ text }) => text.includes("Hara")), "nothing of it is copied");
        assert.deepEqual(await run(await insert("Eve", "silver")), []);
        const { data } = (await world.call("ann", "GET", `/v1/people/${gold}/timeline`)).json;
        assert.deepEqual(data.map((one: any) => one.type).sort(), ["message", "run"]);
        const found = (await world.call("ann", "GET", "/v1/people?q=o%27hara")).json.data;
        assert.deepEqual([found.length, found[0].key], [1, gold]);
        const foreign = await insert("Bob", "gold", "bob");
        assert.equal((await get("ann", foreign)).status, 404, "of another tenant");
        await database.query(`delete from crm."Kund""en" where "Kunde's Nr" = $1`, [gold]);
        assert.deepEqual(await run(gold), [], "who is gone has no plan");
        assert.equal((await get("ann", gold)).status, 404);
    });
});
