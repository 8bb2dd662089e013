import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { checkedFetch } from "./support/contract.js";
import { Journeys } from "./support/journeys.js";
import { LoggingProvider, type Asked } from "./support/logging_provider.js";
import { until } from "./support/until.js";

// What happens to messages when a worker or a provider goes down, and how fast they go out.

const authToken = "secret of the tests";

const twilioId = (asked: Asked): string =>
    new URL(new URLSearchParams(asked.body).get("StatusCallback")!).searchParams.get("message")!;

const sentByTwilio = (asked: Asked): void =>
    asked.answer(201, { sid: `SM${twilioId(asked)}`, status: "queued" });

describe("sending", () => {
    const world = new Journeys();
    const provider = new LoggingProvider();
    let twilioHook = "";

    const call = async (method: string, path: string, body?: unknown): Promise<any> => {
        const answer = await world.call("ann", method, path, body);
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        return answer.json;
    };
    const account = (connector: string, name: string, credentials: object, settings = {}) =>
        call("PUT", `/v1/connectors/${connector}/accounts/${name}`, {
            credentials,
            settings: { base_url: provider.url, ...settings },
        });
    const twilio = (name: string, settings = {}) =>
        account(
            "twilio",
            name,
            { account_sid: "AC1", auth_token: authToken, from: "+15005550006" },
            settings,
        );

    before(async () => {
        await world.start("ann");
        await provider.start();
        twilioHook = (await twilio("main")).hook_url as string;
        await account("line", "main", { channel_access_token: "token" });
    });
    after(async () => {
        await world.stop();
        await provider.stop();
    });

    /** Starts a run about a new person. */
    async function start(nodes: unknown[], edges: unknown[] = [], data = {}): Promise<string> {
        const person = randomUUID();
        await call("PUT", `/v1/people/${person}`, {
            addresses: { sms: "+15005550010", line: `U${"a".repeat(32)}` },
        });
        const name = `send_${randomUUID().slice(0, 8)}`;
        await call("POST", "/v1/workflows", { name, nodes, edges });
        const run = await call("POST", "/v1/runs", { workflow: name, subject: person, data });
        return run.id as string;
    }
    const sms = (config = {}) => ({
        id: "send",
        message: { channel: "sms", connector: "twilio", account: "main", text: "Hi", ...config },
    });
    const messages = async (run: string): Promise<any[]> =>
        (await call("GET", `/v1/messages?run=${run}`)).data;
    const status = async (run: string): Promise<string> =>
        (await call("GET", `/v1/runs/${run}`)).status;
    const ended = (run: string) =>
        until("the run ends", async () => {
            const now = await status(run);
            return ["completed", "failed"].includes(now) && now;
        });

    /** The call of Twilio about a message. */
    async function delivered(message: string): Promise<void> {
        const url = `${twilioHook}?message=${message}`;
        const fields = { MessageSid: `SM${message}`, MessageStatus: "delivered" };
        const signed = url + Object.entries(fields).flat().join("");
        const signature = createHmac("sha1", authToken).update(signed).digest("base64");
        const answer = await checkedFetch(url, {
            method: "POST",
            headers: {
                "Content-Type": "application/x-www-form-urlencoded",
                "X-Twilio-Signature": signature,
            },
            body: new URLSearchParams(fields).toString(),
        });
        assert.equal(answer.status, 200, await answer.text());
    }

    test("a worker that is killed in the middle of a send does not send twice", async () => {
        provider.onAsked = () => undefined; // no answer comes
        const one = await start([sms()]);
        const two = await start(
            [
                { id: "all", foreach: { items: ["+15005550011", "+15005550012"] } },
                sms({
                    to: "{{ item }}",
                }),
            ],
            [{ from: "all", to: "send", handle: "each" }],
        );
        const line = await start([
            { id: "send", message: { channel: "line", connector: "line", text: "Hi" } },
        ]);
        await until("all are under way", () => provider.asked.length === 4);
        assert.deepEqual(
            (await messages(one)).map((message) => message.state),
            ["sending"],
        );
        await world.server.kill();
        const before = provider.asked.splice(0);
        provider.onAsked = (asked) => asked.answer(200, { sentMessages: [{ id: "m1" }] });
        await world.server.start();

        // LINE recognises the repeat by its key.
        assert.equal(await ended(line), "completed");
        const isLine = (asked: Asked): boolean => asked.path.includes("/bot/");
        const key = before.find(isLine)!.headers["x-line-retry-key"];
        assert.equal(provider.asked.find(isLine)!.headers["x-line-retry-key"], key);
        assert.equal((await messages(line))[0].external_id, "m1");

        // Twilio does not: it may have sent them, and is not asked again.
        const states = async (run: string): Promise<string> =>
            (await messages(run)).map((message) => message.state).join(" ");
        await until("it is not known", async () => (await states(one)) === "unknown");
        await until("nor of both", async () => (await states(two)) === "unknown unknown");
        assert.equal(await status(one), "waiting");
        const [oneMessage] = await messages(one);
        await delivered(oneMessage.id);
        assert.equal(await ended(one), "completed");
        const [proved] = await messages(one);
        assert.equal(proved.state, "delivered");
        assert.equal(proved.external_id, `SM${proved.id}`);

        // A word about one of the two says nothing about the other.
        const ids = before
            .filter((asked) => asked.body.includes("550012") || asked.body.includes("550011"))
            .sort((a, b) => b.body.localeCompare(a.body))
            .map(twilioId);
        await delivered(ids[0]!);
        const completed = async (): Promise<string[]> =>
            (await call("GET", `/v1/runs/${two}/events`)).data
                .filter((event: any) => event.type === "step_completed")
                .map((event: any) => event.data.message)
                .filter(Boolean);
        await until("that one goes on", async () => (await completed()).length === 1);
        assert.deepEqual(await completed(), [ids[0]]);
        assert.equal(await status(two), "waiting");
        await delivered(ids[1]!);
        assert.equal(await ended(two), "completed");
        const again = provider.asked.filter((asked) => !isLine(asked) && asked.method === "POST");
        assert.equal(again.length, 0);
    });

    test("a provider that is down for a while gets every message once when it is up", async () => {
        const down = new LoggingProvider();
        down.onAsked = sentByTwilio;
        await down.start();
        await twilio("down", { base_url: down.url });
        await down.stop();
        const runs: string[] = [];
        for (let i = 0; i < 12; i++) runs.push(await start([sms({ account: "down" })]));
        await until("all are put aside", async () => {
            const states = await Promise.all(runs.map(status));
            assert.ok(!states.includes("failed"), states.join());
            return states.every((one) => one === "waiting");
        });
        for (const run of runs) assert.deepEqual(await messages(run), [], "nothing is in doubt");
        await down.start();
        for (const run of runs) assert.equal(await ended(run), "completed");
        assert.equal(down.asked.length, runs.length);
        assert.equal(new Set(down.asked.map(twilioId)).size, runs.length, "each once");
        await down.stop();
    });

    test("who is told to come back later does so then, and not before", async () => {
        provider.asked.length = 0;
        provider.onAsked = (asked) => {
            if (provider.asked.length > 1) return sentByTwilio(asked);
            asked.answer(429, { code: 20429, message: "Too many" }, { "Retry-After": "2" });
        };
        const run = await start([sms()]);
        assert.equal(await ended(run), "completed");
        const [first, second] = provider.asked;
        assert.equal(provider.asked.length, 2);
        assert.ok(second!.at - first!.at >= 2000, `after ${second!.at - first!.at} ms`);
        assert.equal(twilioId(second!), twilioId(first!));
    });

    test("an account sends no faster than its rate", async () => {
        provider.asked.length = 0;
        provider.onAsked = sentByTwilio;
        await twilio("slow", { rate: 4 });
        const runs = await Promise.all(
            Array.from({ length: 10 }, () => start([sms({ account: "slow" })])),
        );
        for (const run of runs) assert.equal(await ended(run), "completed");
        const times = provider.asked.map((asked) => asked.at).sort((a, b) => a - b);
        assert.equal(times.length, 10);
        // Nine steps of a quarter of a second; the first request may be late, on a busy machine by
        // more than one of them.
        assert.ok(times[9]! - times[0]! >= 1600, times.map((at) => at - times[0]!).join());
        const wrong = await world.call("ann", "PUT", "/v1/connectors/twilio/accounts/slow", {
            settings: { base_url: provider.url, rate: 0 },
        });
        assert.equal(wrong.status, 422, wrong.text);
        assert.equal(wrong.json.errors[0].pointer, "/settings/rate");
    });
});
