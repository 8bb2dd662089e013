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

const each = 12;
const rate = 10;
const minutes = 70;

interface Kind {
    channel: string;
    address: () => string;
    content: Record<string, unknown>;
}
const digits = (many: number): string =>
    Array.from({ length: many }, () => Math.floor(Math.random() * 10)).join("");
const mail = { subject: "Hello", text: "Hi" };
const kinds: Record<string, Kind> = {
    line: {
        channel: "line",
        address: () => `U${randomUUID().replaceAll("-", "")}`,
        content: { text: "Hi" },
    },
    resend: {
        channel: "email",
        address: () => `a${digits(9)}@customers.example`,
        content: mail,
    },
    sendgrid: {
        channel: "email",
        address: () => `b${digits(9)}@customers.example`,
        content: mail,
    },
    twilio: { channel: "sms", address: () => `+668${digits(8)}`, content: { text: "Hi" } },
    sms_8x8: { channel: "sms", address: () => `+668${digits(8)}`, content: { text: "Hi" } },
    webhook: { channel: "webhook", address: () => "", content: { text: "Hi" } },
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
                settings: { ...settings, rate },
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
    /** So much time is over for all that wait, in the log and beside it. */
    async function pass(minutesOver: number): Promise<void> {
        const over = `interval '${minutesOver} minutes'`;
        await db.query("begin");
        await db.query("set local session_replication_role = replica");
        await db.query(
            `update pawl.event
                set data = jsonb_set(data, '{until}', to_jsonb(
                    (data ->> 'until')::bigint - ${minutesOver * 60_000_000}))
              where type = 3 and data ->> 'for' = 'target'`,
        );
        await db.query(`update pawl.live_run set due_at = due_at - ${over} where state = 0`);
        await db.query(
            `update pawl.message_inquiry
                set due_at = due_at - ${over}, created_at = created_at - ${over}`,
        );
        await db.query("commit");
    }
    /** All runs wait: for a time that has not come, or for the outcome to be known. */
    const parked = (many: number): Promise<unknown> =>
        until("all are put aside", async () => {
            assert.equal(await failed(), 0, "no run fails");
            const waiting = await count(
                `select count(*) from pawl.live_run
                  where state = 2 or state = 0 and due_at > now()`,
            );
            return waiting === many && true;
        });

    test("no run fails, and each message is sent once afterwards, at its rate", async () => {
        const all = each * Object.keys(kinds).length;
        await sandbox.faults({ provider: "*", fault: "error" });
        for (let i = 0; i < each; i++) {
            await Promise.all(Object.keys(kinds).map(start));
        }
        await parked(all);
        for (let minute = 0; minute < minutes; minute += 10) {
            // It is overloaded in the middle of it, and a server is killed.
            const fault = minute === 30 ? { fault: "limit", retry_after: 300 } : { fault: "error" };
            await sandbox.faults({ provider: "*", ...fault });
            if (minute === 40) {
                await world.server.kill();
                await world.server.start();
            }
            await pass(10);
            await parked(all);
        }
        const lengths = await db.query(
            `select max(n) from (select count(*) as n from pawl.event group by run_id) as x`,
        );
        assert.ok(Number(lengths.rows[0].max) < 40, `${lengths.rows[0].max} events in a log`);
        assert.equal(await count("select count(*) from pawl.event where type = 2"), 0);
        const tried = await db.query(
            `select min(n) from (select count(*) as n from pawl.event
              where type = 3 and data ->> 'for' = 'target' group by run_id) as x`,
        );
        assert.ok(Number(tried.rows[0].min) >= minutes / 10, `tried ${tried.rows[0].min} times`);

        await sandbox.faults();
        // 8x8 cannot be asked, and says nothing here: those stay for a fact or a person.
        const unknown = each;
        let passed = 0;
        await until(
            "all others are sent",
            async () => {
                assert.equal(await failed(), 0);
                if (Date.now() - passed > 2000) {
                    await pass(10);
                    passed = Date.now();
                }
                return (await count("select count(*) from pawl.live_run")) === unknown && true;
            },
            180_000,
        );
        assert.equal(
            await count(
                `select count(*) from pawl.message
                  where state = 2 and connector = 'sms_8x8'`,
            ),
            unknown,
        );
        for (const provider of Object.keys(kinds)) {
            const there = await sandbox.messages(provider);
            const expected = provider === "sms_8x8" ? 0 : each;
            assert.equal(there.length, expected, `${provider}: each once`);
            assert.equal(new Set(there.map((one) => one.to + one.client_id)).size, expected);
            assertPaced(provider, there);
        }
    });

    /** So many within a second at most, with the burst of a second that may be late. */
    function assertPaced(provider: string, there: SandboxMessage[]): void {
        const times = there.map((one) => Date.parse((one as any).at)).sort((a, b) => a - b);
        for (let i = 0; i + rate < times.length; i++) {
            const took = times[i + rate]! - times[i]!;
            assert.ok(took >= 700, `${provider}: ${rate + 1} messages in ${took} ms`);
        }
    }
});
