import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { pawlCommand, pawlExit, Program } from "./support/process.js";
import { until } from "./support/until.js";

// `pawl dev --demo journeys`: everything is real but the providers, and those speak as real ones.

interface Ready {
    url: string;
    env_file: string;
    merchants: Record<string, string>;
    merchant_ui_urls: Record<string, string>;
}

describe("pawl dev --demo journeys", () => {
    let program: Program;
    let ready: Ready;
    let database: pg.Pool;
    let databaseUrl = "";
    before(async () => {
        const args = ["dev", "--demo", "journeys", "--ephemeral", "--listen", "127.0.0.1:0"];
        program = new Program([...args, "-o", "json"]);
        ready = await program.printed<Ready>();
        const env = readFileSync(ready.env_file, "utf8");
        databaseUrl = /^DATABASE_URL=(.+)$/m.exec(env)?.[1] ?? "";
        database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    });
    after(async () => {
        await database.end();
        await program.stop();
    });

    async function get(merchant: string, path: string): Promise<any> {
        const headers = { Authorization: `Bearer ${ready.merchants[merchant]!}` };
        const response = await fetch(ready.url + path, { headers });
        assert.equal(response.status, 200, path);
        return await response.json();
    }

    test("two merchants have a thousand customers each, and six journeys", async () => {
        assert.deepEqual(Object.keys(ready.merchants), ["siam_coffee", "river_books"]);
        const { rows } = await database.query(
            "select count(*)::int as n from user_accounts group by merchant_id",
        );
        assert.deepEqual(
            rows.map((row) => row.n as number),
            [1000, 1000],
        );
        for (const merchant of Object.keys(ready.merchants)) {
            const { data } = await get(merchant, "/v1/workflows?limit=50");
            const names = data.map((one: any) => one.name as string);
            for (const name of ["abandoned_cart", "birthday", "welcome_series"]) {
                assert.ok(names.includes(name), `${merchant}: ${name}`);
            }
        }
    });

    test("an audience is read with the login of its merchant", async () => {
        await database.query(
            `update user_accounts set birthday = (now() at time zone timezone)::date - 7305
              where id in (select distinct on (merchant_id) id from user_accounts)`,
        );
        for (const merchant of Object.keys(ready.merchants)) {
            const { data } = await get(merchant, "/v1/schedules?limit=50");
            const birthdays = data.find((one: any) => one.workflow === "birthday");
            const headers = { Authorization: `Bearer ${ready.merchants[merchant]!}` };
            const url = `${ready.url}/v1/schedules/${birthdays.id}/preview`;
            const answer = await fetch(url, { method: "POST", headers });
            const preview = (await answer.json()) as any;
            assert.equal(answer.status, 200, JSON.stringify(preview));
            const { rows } = await database.query(
                `select u.id
                   from user_accounts u
                   join pawl.tenant t on t.organization::uuid = u.merchant_id
                  where t.name = $1
                    and to_char(birthday, 'MM-DD') = to_char(now() at time zone timezone, 'MM-DD')`,
                [merchant],
            );
            assert.equal(preview.count, rows.length, merchant);
            const own = rows.map((row) => row.id as string);
            assert.ok(preview.examples.every((one: any) => own.includes(one.subject)));
        }
    });

    test("customers act, journeys write to them, and providers tell the rest", async () => {
        const args = ["demo", "traffic", "--rate", "100", "--seconds", "2", "-o", "json"];
        const acted = await pawlCommand(args, { DATABASE_URL: databaseUrl });
        const times = Object.values(JSON.parse(acted) as Record<string, number>);
        assert.equal(
            times.reduce((sum, one) => sum + one, 0),
            200,
        );
        for (const merchant of Object.keys(ready.merchants)) {
            await until(`messages of ${merchant} are opened`, async () => {
                const opened = await get(merchant, "/v1/messages?state=opened");
                return (opened.data as unknown[]).length > 0;
            });
        }
        const providers = await until("every channel was used", async () => {
            const { rows } = await database.query(
                `select distinct connector from pawl.message
                  where state > 1 and connector is not null`,
            );
            return rows.length >= 4 && rows.map((row) => row.connector as string);
        });
        assert.ok(providers.includes("line"), providers.join());
        await until("an action has given points", async () => {
            const { rows } = await database.query("select count(*)::int as n from wallet_ledger");
            return (rows[0]!.n as number) > 0;
        });
        await database.query(
            `update purchase_ledger set created_at = now() - interval '31 days'
              where user_id = (select user_id from purchase_ledger order by id limit 1)`,
        );
        for (const merchant of Object.keys(ready.merchants)) {
            const { data } = await get(merchant, "/v1/schedules?limit=50");
            const quiet = data.find((one: any) => one.workflow === "re_engagement");
            const headers = { Authorization: `Bearer ${ready.merchants[merchant]!}` };
            const url = `${ready.url}/v1/schedules/${quiet.id}/trigger`;
            const answer = await fetch(url, { method: "POST", headers });
            assert.ok(answer.ok, await answer.text());
        }
        await until("a customer who was not seen gets a mail", async () => {
            const { rows } = await database.query(
                "select count(*)::int as n from pawl.message m where m.node = 'miss_you'",
            );
            return (rows[0]!.n as number) > 0;
        });
        const stuck = await database.query(
            "select e.node, e.error from pawl.event e where e.type = 2 " +
                "and e.error ->> 'code' <> 'not_begun' limit 5",
        );
        // A journey that a customer leaves stops steps that have not begun.
        assert.deepEqual(stuck.rows, [], "no step has failed");
        const failed = await database.query(
            "select m.connector, m.error from pawl.message m where m.failed_at is not null",
        );
        assert.deepEqual(failed.rows, []);
        const response = await fetch(`${ready.url}/sandbox/messages?limit=500`);
        const { data } = (await response.json()) as { data: any[] };
        assert.ok(data.length > 0);
        const told = data.flatMap((one) => one.events as { status: number }[]);
        assert.ok(told.every((one) => one.status === 200));
    });

    test("its console needs a key, its messages do not", async () => {
        for (const path of ["/sandbox/accounts", "/sandbox/faults"]) {
            assert.equal((await fetch(ready.url + path)).status, 401, path);
        }
        const page = await fetch(`${ready.url}/sandbox`);
        assert.match(await page.text(), /<title>Pawl sandbox<\/title>/);
    });

    test("another demo, or no customers, is an error that says what to do", async () => {
        const wrong = await pawlExit(["dev", "--demo", "nothing"], {});
        assert.equal(wrong.code, 2);
        assert.match(wrong.stderr, /--demo takes journeys/);
        const empty = databaseUrl.replace(/\/pawl$/, "/postgres");
        const none = await pawlExit(["demo", "traffic", "--seconds", "1"], { DATABASE_URL: empty });
        assert.equal(none.code, 2);
        assert.match(none.stderr, /pawl dev --demo journeys/);
    });
});
