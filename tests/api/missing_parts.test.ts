import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Journeys } from "./support/journeys.js";
import { pawlExit } from "./support/process.js";

// A workflow that names what its tenant does not have is refused by every door, and nothing is
// saved.

describe("a workflow that names what is not there", () => {
    const world = new Journeys();
    let database: pg.Pool;
    before(async () => {
        await world.start("ann", "bob");
        database = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
    });
    after(async () => {
        await database.end();
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
        const apply = ["--tenant", "ann", "workflows", "apply", "-f", `${folder}/lacking.yaml`];
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
        await database.query(`create table club (id text primary key, tier text);
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
        await database.query("select pawl.unregister_action('award', 'ann')");
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
