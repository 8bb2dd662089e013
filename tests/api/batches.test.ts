import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { Journeys, newSecret, signedHook } from "./support/journeys.js";
import { LoggingProvider, type Asked } from "./support/logging_provider.js";
import { until } from "./support/until.js";

// Messages that go to a provider in one call, and how long a provider is trusted to know a key.

interface Mail {
    to: string[];
    tags: { name: string; value: string }[];
}

const mailsIn = (asked: Asked): Mail[] => {
    const body = JSON.parse(asked.body) as Mail | Mail[];
    return Array.isArray(body) ? body : [body];
};
const idOf = (mail: Mail): string => mail.tags.find((tag) => tag.name === "pawl_message")!.value;

/** Resend, which refuses a call with an address at bad.example. */
function answerAsResend(asked: Asked): void {
    const mails = mailsIn(asked);
    if (mails.some((mail) => mail.to[0]!.includes("@bad.example"))) {
        asked.answer(422, { name: "validation_error", message: "Invalid `to` field." });
    } else if (asked.path.endsWith("/batch")) {
        asked.answer(200, { data: mails.map((mail) => ({ id: `re-${idOf(mail)}` })) });
    } else {
        asked.answer(200, { id: `re-${idOf(mails[0]!)}` });
    }
}

describe("batches", () => {
    const world = new Journeys();
    const provider = new LoggingProvider();
    const secret = newSecret();
    let db: pg.Client;
    let hook = "";

    const call = async (method: string, path: string, body?: unknown): Promise<any> => {
        const answer = await world.call("ann", method, path, body);
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        return answer.json;
    };

    before(async () => {
        await world.start("ann");
        await provider.start();
        db = new pg.Client({ connectionString: world.databaseUrl });
        await db.connect();
        const settings = { base_url: provider.url };
        const resend = await call("PUT", "/v1/connectors/resend/accounts/main", {
            credentials: { api_key: "re_1", webhook_secret: secret },
            settings: { ...settings, from: "news@shop.example", batch: true },
        });
        hook = resend.hook_url as string;
        await call("PUT", "/v1/connectors/line/accounts/main", {
            credentials: { channel_access_token: "token" },
            settings,
        });
    });
    after(async () => {
        await db.end();
        await world.stop();
        await provider.stop();
    });

    /** A run that sends a mail to each address, all at once. */
    async function mailTo(addresses: string[]): Promise<string> {
        const name = `mails_${randomUUID().slice(0, 8)}`;
        await call("POST", "/v1/workflows", {
            name,
            nodes: [
                {
                    id: "all",
                    foreach: { items: "{{ input.to }}", concurrency: 100, tolerated_failures: 100 },
                },
                {
                    id: "send",
                    message: {
                        channel: "email",
                        to: "{{ item }}",
                        category: "transactional",
                        subject: "Hello",
                        text: "Hi {{ item }}",
                    },
                },
            ],
            edges: [{ from: "all", to: "send", handle: "each" }],
        });
        const run = await call("POST", "/v1/runs", { workflow: name, data: { to: addresses } });
        return run.id as string;
    }
    const messages = async (run: string): Promise<any[]> =>
        (await call("GET", `/v1/messages?run=${run}&limit=200`)).data;
    const states = async (run: string): Promise<Record<string, number>> => {
        const counts: Record<string, number> = {};
        for (const { state } of await messages(run)) counts[state] = (counts[state] ?? 0) + 1;
        return counts;
    };
    const ended = (run: string) =>
        until("the run ends", async () => {
            const { status } = await call("GET", `/v1/runs/${run}`);
            return ["completed", "failed"].includes(status) && (status as string);
        });
    const people = (many: number): string[] =>
        Array.from({ length: many }, (_, i) => `p${i}@shop.example`);

    test("mails that are ready at the same time go in few calls, each once", async () => {
        provider.asked.length = 0;
        provider.onAsked = answerAsResend;
        const run = await mailTo(people(60));
        assert.equal(await ended(run), "completed");
        const sent = await messages(run);
        assert.equal(sent.length, 60);
        for (const message of sent) {
            assert.equal(message.state, "sent");
            assert.equal(message.external_id, `re-${message.id}`, "its own");
        }
        const ids = provider.asked.flatMap(mailsIn).map(idOf);
        assert.equal(ids.length, 60);
        assert.equal(new Set(ids).size, 60);
        assert.ok(provider.asked.length <= 20, `${provider.asked.length} calls`);
        const keys = provider.asked.map((asked) => asked.headers["idempotency-key"]);
        assert.equal(new Set(keys).size, keys.length);
    });

    test("a bad address does not stop the others", async () => {
        provider.asked.length = 0;
        provider.onAsked = answerAsResend;
        const run = await mailTo([...people(20), "x@bad.example", ...people(10)]);
        await ended(run);
        assert.deepEqual(await states(run), { sent: 30, failed: 1 });
        const bad = (await messages(run)).find((message) => message.state === "failed");
        assert.match(bad.error, /Invalid `to` field/);
    });

    test("a batch whose worker is killed is not sent again, and facts settle it", async () => {
        provider.asked.length = 0;
        const isBatch = (asked: Asked): boolean => asked.path.endsWith("/batch");
        // No answer comes to a batch; they gather while the others are under way.
        provider.onAsked = (asked) => {
            if (!isBatch(asked)) setTimeout(() => answerAsResend(asked), 500);
        };
        const run = await mailTo(people(30));
        await until("all are under way", () => provider.asked.flatMap(mailsIn).length === 30);
        const batched = provider.asked.filter(isBatch).flatMap(mailsIn);
        const alone = 30 - batched.length;
        assert.ok(alone <= 10, `${alone} went alone`);
        await until("some are sent", async () => {
            const now = await states(run);
            return now.sent === alone && now.sending === batched.length;
        });
        await world.server.kill();
        provider.asked.length = 0;
        provider.onAsked = answerAsResend;
        await world.server.start();
        await until("it is in doubt", async () => (await states(run)).unknown === batched.length);
        assert.equal(provider.asked.length, 0, "none is sent again");
        for (const mail of batched) {
            const told = signedHook(secret, {
                type: "email.delivered",
                data: { email_id: `re-${idOf(mail)}`, tags: { pawl_message: idOf(mail) } },
            });
            const headers = Object.fromEntries(
                Object.entries(told.headers as Record<string, string>).map(([name, value]) => [
                    name.replace("webhook-", "svix-"),
                    value,
                ]),
            );
            const answer = await checkedFetch(hook, { ...told, headers });
            assert.equal(answer.status, 200, await answer.text());
        }
        assert.equal(await ended(run), "completed");
        assert.deepEqual(await states(run), { sent: alone, delivered: batched.length });
    });

    test("a key is not trusted for longer than the provider knows it", async () => {
        const person = randomUUID();
        await call("PUT", `/v1/people/${person}`, { addresses: { line: `U${"b".repeat(32)}` } });
        const name = `late_${randomUUID().slice(0, 8)}`;
        await call("POST", "/v1/workflows", {
            name,
            nodes: [{ id: "send", message: { channel: "line", text: "Hi" } }],
            edges: [],
        });
        provider.asked.length = 0;
        provider.onAsked = () => undefined;
        const run = (await call("POST", "/v1/runs", { workflow: name, subject: person })).id;
        await until("it is under way", () => provider.asked.length === 1);
        await world.server.kill();
        await db.query("update pawl.message set tried_at = now() - interval '25 hours'");
        provider.asked.length = 0;
        provider.onAsked = (asked) => asked.answer(200, { sentMessages: [{ id: "m1" }] });
        await world.server.start();
        await until("it is not known", async () => (await states(run)).unknown === 1);
        assert.equal(provider.asked.length, 0, "it may have been sent a day ago");
        await call("POST", `/v1/runs/${run}/settle`, {
            node: "send",
            as: "retry",
            reason: "the person has not got it",
        });
        assert.equal(await ended(run), "completed");
        assert.equal(provider.asked.length, 1);
        assert.deepEqual(await states(run), { sent: 1 });
    });
});
