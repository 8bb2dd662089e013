import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { Pawl } from "@pawl/client";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { createKey } from "./support/serve.js";
import { database, databaseUrl, define, pawl, request, url } from "./support/server.js";
import { until } from "./support/until.js";

// Tables whose changes start runs, with workers that carry them out.

interface Watch {
    table: string;
    event: string;
    workflows: string[];
    problem: string | null;
}

async function watches(): Promise<Watch[]> {
    const answer = await request("GET", "/v1/watches");
    return ((await answer.json()) as { data: Watch[] }).data;
}

describe("watched tables", () => {
    const table = `ledger_${randomUUID().replaceAll("-", "")}`;
    before(async () => {
        await database.query(`create table ${table} (id serial, person text, n int);
            select pawl.watch_table('${table}', subject => 'person')`);
    });

    async function runs(workflow: string): Promise<number> {
        return (await pawl.list({ workflow }).take(1000)).length;
    }

    test("are listed with who wants their changes and what is wrong with them", async () => {
        const workflow = await define([{ name: "s", code: "noop" }], {
            triggers: [{ event: table, conditions: { n: -1 } }],
        });
        const mine = (await watches()).find((one) => one.event === table);
        assert.deepEqual(mine, {
            table: `public.${table}`,
            event: table,
            operations: ["DELETE", "INSERT", "UPDATE"],
            tenant_column: null,
            subject_column: "person",
            workflows: [workflow],
            problem: null,
        });
        const other = `${table}_b`;
        await database.query(`create table ${other} (id int, who text);
            select pawl.watch_table('${other}', subject => 'who');
            alter table ${other} drop column who`);
        const broken = (await watches()).find((one) => one.event === other);
        assert.equal(broken?.problem, "the table has no column who any more");
        await database.query(`drop table ${other}; create table ${other} (id int, who text)`);
        const lost = (await watches()).find((one) => one.event === other);
        assert.match(
            lost?.problem ?? "",
            /^the table has lost its trigger for DELETE, INSERT, UPD/,
        );
        await database.query(`drop table ${other}`);
        const gone = (await watches()).find((one) => one.event === other);
        assert.equal(gone?.problem, "the table is gone");
        const env = { DATABASE_URL: databaseUrl };
        const said = await pawlCommand(["watches", "list"], env);
        assert.match(said, new RegExp(`public\\.${other} .*the table is gone`));
        await database.query(`select pawl.unwatch_table('${other}')`);
    });

    test("start a run for each row that was committed, few or many at once", async () => {
        const workflow = await define([{ name: "s", code: "noop" }], {
            triggers: [
                {
                    event: table,
                    operation: "INSERT",
                    conditions: { n: { operator: ">", value: 0 } },
                },
            ],
        });
        const client = await database.connect();
        await client.query("begin");
        await client.query(`insert into ${table} (person, n) values ('lost', 1)`);
        await client.query("rollback");
        client.release();
        await database.query(`insert into ${table} (person, n) values ('ann', 1), ('bob', 0)`);
        await database.query(`insert into ${table} (person, n)
            select 'p' || g, g % 2 from generate_series(1, 600) g`);
        await until("all are started", async () => (await runs(workflow)) === 301);
        const found = await pawl.list({ workflow }).take(1000);
        const people = new Set(found.map((run) => run.subject));
        assert.equal(people.size, 301);
        assert.ok(people.has("ann") && people.has("p599") && !people.has("lost"));
    });

    test("find a tenant by the id of a merchant", async () => {
        const merchant = randomUUID();
        const env = { DATABASE_URL: databaseUrl };
        await pawlCommand(["tenants", "create", merchant], env);
        const { rows } = await database.query(
            "select organization from pawl.tenant where name = $1",
            [merchant],
        );
        assert.equal(
            rows[0].organization,
            merchant,
            "which is what the merchant is known by in SQL",
        );
        const key = await createKey(databaseUrl, ["admin"], merchant);
        const theirs = new Pawl({ url, key, fetch: checkedFetch });
        const orders = `${table}_orders`;
        await database.query(`create table ${orders} (merchant_id uuid, person text);
            select pawl.watch_table('${orders}', tenant => 'merchant_id', subject => 'person')`);
        const workflow = { name: "w", steps: [{ name: "s", code: "noop" }] };
        await theirs.workflows.apply({ ...workflow, triggers: [{ event: orders }] } as never);
        await database.query(`insert into ${orders} values ('${merchant}', 'ann'),
            ('${randomUUID()}', 'eve')`);
        const run = await until("their run is started", async () => {
            const [found] = await theirs.list({ workflow: "w" }).take(2);
            return found;
        });
        assert.equal(run.subject, "ann");
    });

    // The runs go round as they would for ever: each writes the row that starts the next.
    test("do not let runs go round in a circle", async () => {
        const marker = 7;
        const statement = `insert into ${table} (person, n) values ('round', ${marker})`;
        const name = `circle-${randomUUID()}`;
        const nodes = [{ id: "again", sql: { statement }, retry: { attempts: 1 } }];
        const triggers = [{ event: table, operation: "INSERT", conditions: { n: marker } }];
        await pawl.workflows.apply({ name, nodes, edges: [], triggers } as never);
        await database.query(`insert into ${table} (person, n) values ('first', ${marker})`);
        const refused = await until("a run is refused", async () => {
            const [run] = await pawl.list({ workflow: name, status: "failed" }).take(1);
            return run ? await pawl.get(run.id) : undefined;
        });
        const error = refused.error as { message: string; code?: string };
        assert.match(error.message, new RegExp(`changes of ${table} go round in a circle`));
        assert.match(error.message, new RegExp(`${name} -> ${name}`));
        // Ten changes were made by runs, one by hand; the eleventh was taken back.
        await until("nothing goes on", async () => (await runs(name)) === 11);
        const { rows } = await database.query<{ n: number }>(
            `select count(*)::int as n from ${table} where n = ${marker}`,
        );
        assert.equal(rows[0]?.n, 11);
    });
});
