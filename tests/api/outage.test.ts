import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Journeys } from "./support/journeys.js";
import { Sandbox, type SandboxMessage } from "./support/sandbox.js";
import { until } from "./support/until.js";

// Providers are down for an hour: messages wait as long as it takes, no run fails, and then each
// goes out once, at the rate of its account. What waits is told that time has passed; the servers,
// the database and the providers are real.

const minutes = 70;
const rounds = 7;
// While the providers are down, and when they are back.
const fastRate = 50;
const rate = 4;

interface Kind {
    channel: string;
    address: () => string;
    content: Record<string, unknown>;
    /** How many messages; fewer of those that are asked about one by one. */
    many: number;
}
const digits = (many: number): string =>
    Array.from({ length: many }, () => Math.floor(Math.random() * 10)).join("");
const mail = { subject: "Hello", text: "Hi" };
const kinds: Record<string, Kind> = {
    line: {
        channel: "line",
        address: () => `U${randomUUID().replaceAll("-", "")}`,
        content: { text: "Hi" },
        many: 12,
    },
    resend: {
        channel: "email",
        address: () => `a${digits(9)}@customers.example`,
        content: mail,
        many: 12,
    },
    sendgrid: {
        channel: "email",
        address: () => `b${digits(9)}@customers.example`,
        content: mail,
        many: 3,
    },
    twilio: {
        channel: "sms",
        address: () => `+668${digits(8)}`,
        content: { text: "Hi" },
        many: 4,
    },
    sms_8x8: {
        channel: "sms",
        address: () => `+668${digits(8)}`,
        content: { text: "Hi" },
        many: 4,
    },
    webhook: { channel: "webhook", address: () => "", content: { text: "Hi" }, many: 12 },
};

describe("an outage of an hour", () => {
    const world = new Journeys();
    const sandbox = new Sandbox();
    let db: pg.Client;
    const shop = "shop";

    const call = async (method: string, path: string, body?: unknown): Promise<any> => {
        const answer = await world.call(shop, method, path, body);
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        return answer.json;
    };

    before(async () => {
        await sandbox.start();
        await world.start(shop);
        db = new pg.Client({ connectionString: world.databaseUrl });
        await db.connect();
        for (const [provider, kind] of Object.entries(kinds)) {
            const { credentials, settings } = await sandbox.account(provider, "shop");
            await call("PUT", `/v1/connectors/${provider}/accounts/main`, {
                credentials,
                settings: { ...settings, rate: fastRate },
            });
            const to = provider === "webhook" ? `${sandbox.url}/sandbox/webhook/shop` : undefined;
            const message = {
                channel: kind.channel,
                connector: provider,
                category: "transactional",
                ...kind.content,
                ...(to ? { to } : {}),
            };
            const nodes = [{ id: "send", message }];
            await call("POST", "/v1/workflows", { name: `by_${provider}`, nodes, edges: [] });
        }
    });
    after(async () => {
        await db.end();
        await world.stop();
        await sandbox.stop();
    });

    async function start(provider: string): Promise<string> {
        const kind = kinds[provider]!;
        const person = randomUUID();
        const to = kind.address();
        await call("PUT", `/v1/people/${person}`, {
            addresses: to ? { [kind.channel]: to } : {},
        });
        const body = { workflow: `by_${provider}`, subject: person, data: {} };
        return (await call("POST", "/v1/runs", body)).id as string;
    }
    const count = async (text: string): Promise<number> =>
        Number((await db.query(text)).rows[0].count);
    const failed = (): Promise<number> => count("select count(*) from pawl.run where status <> 1");
    /** So much time is over for runs that wait for a provider, in the log and beside it. */
    async function hurry(over: number): Promise<void> {
        // What waits for its turn at the account waits for that in earnest.
        await db.query("begin");
        await db.query("set local session_replication_role = replica");
        await db.query(
            `with due as materialized (
                 select l.bucket, l.run_id, e.at, e.seq
                   from pawl.live_run l
                  cross join lateral (select * from pawl.event x
                                       where x.bucket = l.bucket and x.run_id = l.run_id
                                       order by x.seq desc limit 1) as e
                  where l.state = 0 and l.due_at > now() and e.type = 3
                    and e.data ->> 'for' = 'target' and not e.data ? 'limit'
                    for update of l skip locked
             ), told as (
                 update pawl.event e
                    set data = jsonb_set(e.data, '{until}',
                        to_jsonb((e.data ->> 'until')::bigint - $1 * 60000000::bigint))
                   from due d
                  where e.bucket = d.bucket and e.run_id = d.run_id and e.at = d.at
                    and e.seq = d.seq
             )
             update pawl.live_run l set due_at = l.due_at - $1 * interval '1 minute'
               from due d where l.bucket = d.bucket and l.run_id = d.run_id`,
            [over],
        );
        await db.query("select pg_notify('pawl_wake', '0')");
        await db.query("commit");
    }
    /** The same for questions to providers: due so much earlier, and so much older. */
    async function hurryInquiries(over: number, age: number): Promise<void> {
        await db.query(
            `update pawl.message_inquiry set due_at = due_at - $1 * interval '1 minute',
                created_at = created_at - $2 * interval '1 minute'`,
            [over, age],
        );
        await db.query(
            `update pawl.flow_rate set next_at = next_at - $1 * interval '1 minute'
              where gate like 'inquiry/%'`,
            [over],
        );
    }
    /** How many runs were told to wait so often, or have to learn what became of their message. */
    const parked = (times: number): Promise<number> =>
        count(
            `select count(*) from pawl.live_run l
              where l.state = 2 and exists (select 1 from pawl.message m
                     where m.bucket = l.bucket and m.run_id = l.run_id and m.state = 2)
                 or ${times} <= (select count(*) from pawl.event e
                     where e.bucket = l.bucket and e.run_id = l.run_id and e.type = 3
                       and e.data ->> 'for' = 'target')`,
        );
    /** Does it at once, and then each second, until it is so. */
    async function hurryUntil(
        what: string,
        again: () => Promise<void>,
        so: () => Promise<boolean>,
    ): Promise<void> {
        let last = 0;
        await until(what, async () => {
            assert.equal(await failed(), 0, "no run fails");
            if (await so()) return true;
            if (Date.now() - last > 1000) {
                await again();
                last = Date.now();
            }
            return false;
        });
    }

    test("no run fails, and each message is sent once afterwards, at its rate", async () => {
        const providers = Object.entries(kinds);
        const all = providers.reduce((sum, [, kind]) => sum + kind.many, 0);
        await sandbox.faults({ provider: "*", fault: "error" });
        await Promise.all(
            providers.flatMap(([provider, kind]) =>
                Array.from({ length: kind.many }, () => start(provider)),
            ),
        );
        const each = minutes / rounds;
        for (let round = 1; round <= rounds; round++) {
            await hurryUntil(
                `all wait for the ${round}. time`,
                () => hurry(each),
                async () => (await parked(round)) === all,
            );
            // It is overloaded in the middle of it, and a server is killed.
            const fault = round === 3 ? { fault: "limit", retry_after: 300 } : { fault: "error" };
            await sandbox.faults({ provider: "*", ...fault });
            if (round === 4) {
                await world.server.kill();
                await world.server.start();
            }
            await hurryInquiries(each, each);
        }
        assert.equal(await count("select count(*) from pawl.live_run"), all, "all are there yet");
        assert.equal(await count("select count(*) from pawl.event where type = 2"), 0);
        const longest = await count(
            `select max(n) as count
               from (select count(*) as n from pawl.event group by run_id) as x`,
        );
        assert.ok(longest < 40, `${longest} events in a log`);
        for (const provider of Object.keys(kinds)) {
            assert.equal((await sandbox.messages(provider)).length, 0);
        }

        for (const [provider] of providers) {
            const { settings } = await sandbox.account(provider, "shop");
            await call("PUT", `/v1/connectors/${provider}/accounts/main`, {
                settings: { ...settings, rate },
            });
        }
        await world.server.kill();
        await world.server.start();
        await sandbox.faults();
        await hurryUntil(
            "all are sent, but for those of 8x8, which cannot be asked",
            async () => {
                await hurry(each);
                await hurryInquiries(each, 0);
            },
            async () => (await count("select count(*) from pawl.live_run")) === kinds.sms_8x8!.many,
        );
        const { rows } = await db.query(
            "select run_id, connector from pawl.message where state = 2 order by id",
        );
        assert.deepEqual(
            rows.map((row) => row.connector),
            Array.from({ length: kinds.sms_8x8!.many }, () => "sms_8x8"),
        );
        for (const { run_id: run } of rows) {
            await call("POST", `/v1/runs/${run}/settle`, { node: "send", as: "retry" });
        }
        await hurryUntil(
            "these are sent as well",
            () => hurry(each),
            async () => (await count("select count(*) from pawl.live_run")) === 0,
        );
        assert.equal(await failed(), 0);
        for (const [provider, kind] of providers) {
            const there = await sandbox.messages(provider);
            assert.equal(there.length, kind.many, `${provider}: each once`);
            assert.equal(new Set(there.map((one) => one.to + one.client_id)).size, kind.many);
            assertPaced(provider, there);
        }
    });

    /** All take as long as their rate says, but for a second that the first ones may be late. */
    function assertPaced(provider: string, there: SandboxMessage[]): void {
        const times = there.map((one) => Date.parse(one.at));
        const took = Math.max(...times) - Math.min(...times);
        const least = ((there.length - 1) / rate) * 1000 - 1000;
        assert.ok(took >= least, `${provider}: ${there.length} messages in ${took} ms`);
    }
});
