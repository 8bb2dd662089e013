import type { Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Journeys } from "./support/journeys.js";
import { pawlExit } from "./support/process.js";
import { database, pawl, request } from "./support/server.js";

// A workflow that names what its tenant does not have is refused by every door, and nothing is
// saved.

describe("a workflow that names what is not there", () => {
    const world = new Journeys();
    let client: pg.Pool;
    before(async () => {
        await world.start("ann", "bob");
        client = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
    });
    after(async () => {
        await client.end();
        await world.stop();
    });

    const definition = {
        name: "lacking",
        nodes: [
            { id: "rich", condition: { query: { table: "club", field: "tier", value: "gold" } } },
            { id: "mail", message: { channel: "sms", connector: "nope", template: "hello" } },
            { id: "give", action: { action: "award", params: { amount: 5 } } },
        ],
        edges: [
            { from: "rich", to: "mail", handle: "true" },
            { from: "mail", to: "give" },
        ],
    };
    const places = ["mail.connector", "rich.query", "mail.template", "give.action"];
    const publish = (who: string, query = "") =>
        world.call(who, "POST", `/v1/workflows${query}`, definition);

    test("is refused with every place and what to do about it", async () => {
        for (const query of ["", "?draft=true"]) {
            const refused = await publish("ann", query);
            assert.equal(refused.status, 422, refused.text);
            assert.match(
                refused.json.detail,
                /^mail\.connector: there is no connector 'nope': see/,
            );
            const details = refused.json.errors.map((one: { detail: string }) => one.detail);
            assert.deepEqual(
                details.map((one: string) => one.slice(0, one.indexOf(":"))),
                places,
            );
            assert.match(details[1], /select pawl\.allow_condition_table\('public\.club'/);
            assert.match(details[2], /there is no template 'hello': .*PUT \/v1\/templates\/hello/);
            assert.match(
                details[3],
                /there is no action 'award': .*pawl\.register_action\('award'/,
            );
        }
        assert.equal((await world.call("ann", "GET", "/v1/workflows/lacking")).status, 404);
    });

    test("is a problem of each of its nodes while it is written", async () => {
        const { json } = await world.call("ann", "POST", "/v1/workflows/validate", definition);
        assert.equal(json.valid, false);
        const found = json.errors.map((one: any) => [one.path, one.node]);
        assert.deepEqual(
            found,
            places.map((place) => [place, place.slice(0, place.indexOf("."))]),
        );
    });

    test("makes the command line end with 2", async () => {
        const folder = mkdtempSync(`${process.env["TMPDIR"] ?? "/tmp"}/lacking-`);
        writeFileSync(`${folder}/lacking.yaml`, JSON.stringify(definition));
        const apply = ["--tenant", "ann", "workflows", "apply", `${folder}/lacking.yaml`];
        const done = await pawlExit(apply, { DATABASE_URL: world.databaseUrl });
        assert.equal(done.code, 2, done.stderr);
        assert.match(done.stderr, /mail\.connector: there is no connector 'nope'/);
        assert.match(done.stderr, /lacking\.yaml/);
        // What is in files is tested without a database, which alone knows what there is.
        const checked = await pawlExit(
            ["workflows", "validate", "-f", `${folder}/lacking.yaml`],
            {},
        );
        assert.equal(checked.code, 0, checked.stdout);
    });

    test("is published once all of it is there, for the tenant that has it", async () => {
        definition.nodes[1]!.message!.connector = "twilio";
        await client.query(`create table club (id text primary key, tier text);
            select pawl.allow_condition_table('public.club', 'id', null, 'ann');
            select pawl.register_action('award', 'select $amount::int', 'ann');`);
        const languages = { en: { text: "Hi" } };
        await world.call("ann", "PUT", "/v1/templates/hello", { languages });
        const done = await publish("ann");
        assert.equal(done.status, 201, done.text);
        const other = await publish("bob");
        assert.equal(other.status, 422, other.text);
        assert.equal(other.json.errors.length, 3, other.text);
    });

    test("may be activated again, but not when it is a draft", async () => {
        const { json } = await world.call("ann", "GET", "/v1/workflows/lacking");
        const next = { ...definition, name: "second" };
        const draft = await world.call("ann", "POST", "/v1/workflows?draft=true", next);
        assert.equal(draft.status, 201, draft.text);
        await client.query("select pawl.unregister_action('award', 'ann')");
        const again = await world.call("ann", "POST", "/v1/workflows/lacking/activate", {
            version: json.version,
        });
        assert.equal(again.status, 200, again.text);
        const first = await world.call("ann", "POST", "/v1/workflows/second/activate", {
            version: 1,
        });
        assert.equal(first.status, 422, first.text);
        assert.match(first.json.detail, /give\.action: there is no action 'award'/);
    });
});

describe("params of an action", () => {
    const action = `award_${randomUUID().replaceAll("-", "")}`;
    const table = `${action}_done`;
    const definition = (params: object): Definition =>
        ({ name: action, nodes: [{ id: "give", action: { action, params } }], edges: [] }) as never;
    before(async () => {
        const schema = {
            required: ["amount"],
            properties: { amount: { type: "integer", minimum: 1 } },
        };
        await database.query(`create table ${table} (amount int)`);
        await database.query("select pawl.register_action($1, $2, schema => $3)", [
            action,
            `insert into ${table} values ($amount) returning amount`,
            schema,
        ]);
    });

    test("are listed with their schema", async () => {
        const { data } = (await (await request("GET", "/v1/actions")).json()) as any;
        const mine = data.find((one: any) => one.name === action);
        assert.deepEqual(mine.params, ["amount"]);
        assert.equal(mine.schema.properties.amount.minimum, 1);
        assert.equal(mine.own, false);
    });

    test("are checked when they are written down", async () => {
        for (const amount of [0, "5", null]) {
            const { valid, errors } = await pawl.workflows.validate(definition({ amount }));
            assert.equal(valid, false);
            assert.equal((errors as any)[0].path, "give.params.amount");
            assert.equal((errors as any)[0].node, "give");
            await assert.rejects(pawl.workflows.apply(definition({ amount })), /give\.params/);
        }
        assert.ok((await pawl.workflows.validate(definition({ amount: 5 }))).valid);
    });

    test("are checked when templates have given them, before the statement runs", async () => {
        await pawl.workflows.apply(definition({ amount: "{{ input.amount }}" }));
        const run = async (amount: unknown) => {
            const { id } = await pawl.start(action, { amount }, { subject: "ann" });
            return await pawl.wait(id, { timeout: 30_000 });
        };
        const refused = await run(-3);
        assert.equal(refused.status, "failed");
        assert.match(JSON.stringify(refused.error), /does not take such params: amount must be/);
        assert.equal((await run(7)).status, "completed");
        const { rows } = await database.query(`select amount from ${table}`);
        assert.deepEqual(rows, [{ amount: 7 }]);
    });
});
