import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Journeys } from "./support/journeys.js";
import { LoggingProvider } from "./support/logging_provider.js";
import { Sandbox, type SandboxMessage } from "./support/sandbox.js";
import { until } from "./support/until.js";

// Messages whose answer never came, by providers that know no repeats: the provider is asked. Its
// hooks tell nothing here, so that nothing else can settle them.

const digits = (many: number): string =>
    Array.from({ length: many }, () => Math.floor(Math.random() * 10)).join("");

describe("messages whose answer never came", () => {
    const world = new Journeys();
    const sandbox = new Sandbox();
    const mute = new LoggingProvider();
    let db: pg.Client;
    const shop = "shop";

    const call = async (method: string, path: string, body?: unknown): Promise<any> => {
        const answer = await world.call(shop, method, path, body);
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        return answer.json;
    };

    before(async () => {
        await sandbox.start();
        await mute.start();
        await world.start(shop);
        db = new pg.Client({ connectionString: world.databaseUrl });
        await db.connect();
        for (const provider of ["twilio", "sendgrid"]) {
            const { credentials, settings } = await sandbox.account(provider, "shop");
            const path = `/v1/connectors/${provider}/accounts/main`;
            await call("PUT", path, { credentials, settings });
        }
        await call("PUT", "/v1/connectors/sendgrid/accounts/mute", {
            credentials: { api_key: "SG.x" },
            settings: { from: "news@shop.example", base_url: mute.url },
        });
    });
    after(async () => {
        await db.end();
        await world.stop();
        await sandbox.stop();
        await mute.stop();
    });

    async function send(
        provider: "twilio" | "sendgrid",
        { to = "", text = `Hi ${randomUUID()}`, account = "main" } = {},
    ): Promise<{ run: string; to: string }> {
        const channel = provider === "twilio" ? "sms" : "email";
        to ||= provider === "twilio" ? `+668${digits(8)}` : `a.${digits(9)}@customers.example`;
        const person = randomUUID();
        await call("PUT", `/v1/people/${person}`, { addresses: { [channel]: to } });
        const name = `ask_${randomUUID().slice(0, 8)}`;
        const message = {
            channel,
            connector: provider,
            account,
            category: "transactional",
            text,
            ...(channel === "email" ? { subject: "Hello" } : {}),
        };
        await call("POST", "/v1/workflows", { name, nodes: [{ id: "send", message }], edges: [] });
        const run = await call("POST", "/v1/runs", { workflow: name, subject: person, data: {} });
        return { run: run.id as string, to };
    }
    const messageOf = async (run: string): Promise<any> =>
        (await call("GET", `/v1/messages?run=${run}`)).data[0];
    const reaches = (run: string, state: string): Promise<any> =>
        until(`the message of ${run} is ${state}`, async () => {
            const message = await messageOf(run);
            return message?.state === state && message;
        });
    const ended = (run: string): Promise<string> =>
        until(`${run} ends`, async () => {
            const { status } = await call("GET", `/v1/runs/${run}`);
            return ["completed", "failed"].includes(status) && (status as string);
        });
    const got = (provider: string, to: string): Promise<SandboxMessage[]> =>
        sandbox.messages(provider, to);
    const inquiries = async (): Promise<any[]> =>
        (await db.query("select *, due_at > now() as later from pawl.message_inquiry")).rows;
    /** The provider is asked now, as one that has had an hour for it. */
    const anHourPasses = (): Promise<unknown> =>
        db.query(
            `update pawl.message_inquiry
                set due_at = now(), created_at = created_at - interval '1 hour'`,
        );
    /** Asked now, a moment after it became unknown. */
    const askNow = (): Promise<unknown> =>
        db.query("update pawl.message_inquiry set due_at = now()");
    const endedOnceAsked = (run: string): Promise<string> =>
        until(`${run} ends`, async () => {
            await askNow();
            const { status } = await call("GET", `/v1/runs/${run}`);
            return ["completed", "failed"].includes(status) && (status as string);
        });
    /** How the run ends an hour later. An answer still on its way may put the next one off. */
    const endedAnHourLater = async (run: string): Promise<string> => {
        await anHourPasses();
        return endedOnceAsked(run);
    };

    /** Nothing is left to ask, when it comes to that. */
    const forgotten = (): Promise<unknown> =>
        until("it is forgotten", async () => {
            await askNow();
            return (await inquiries()).length === 0;
        });

    for (const provider of ["twilio", "sendgrid"] as const) {
        test(`${provider}: one that it has is found, and not sent again`, async () => {
            await sandbox.faults({ provider, fault: "drop", times: 1 });
            const { run, to } = await send(provider);
            // Unknown, until the provider tells by itself or is asked.
            await until("it is taken up", async () => {
                const { state = "sending" } = (await messageOf(run)) ?? {};
                return state !== "sending";
            });
            assert.equal(await endedOnceAsked(run), "completed");
            const message = await messageOf(run);
            const there = await got(provider, to);
            assert.equal(there.length, 1);
            // The provider may have said more about it meanwhile.
            assert.ok(["sent", "delivered"].includes(message.state), message.state);
            assert.equal(message.external_id, there[0]!.id);
            await until("nothing is left to ask", async () => (await inquiries()).length === 0);
        });

        test(`${provider}: what it does not have is sent again, once sure`, async () => {
            await sandbox.faults({ provider, fault: "error", times: 1 });
            const { run, to } = await send(provider);
            await reaches(run, "unknown");
            await askNow();
            await until("it was asked too early to be sure", async () => {
                const [one] = await inquiries();
                return one?.tries === 1 && one.later;
            });
            assert.equal((await messageOf(run)).state, "unknown");
            assert.equal((await got(provider, to)).length, 0);
            assert.equal(await endedAnHourLater(run), "completed");
            assert.equal((await got(provider, to)).length, 1);
            assert.ok(["sent", "delivered"].includes((await messageOf(run)).state));
        });
    }

    test("a server that is killed twice in the middle sends each message once", async () => {
        await sandbox.faults({ provider: "twilio", fault: "slow", delay_ms: 3000, times: 2 });
        const one = await send("twilio");
        const two = await send("twilio");
        await reaches(one.run, "sending");
        await reaches(two.run, "sending");
        await world.server.kill();
        await sandbox.faults();
        await world.server.start();
        // Its outcome is unknown, until the provider tells by itself or is asked.
        for (const { run } of [one, two]) {
            await until("it is taken up", async () => (await messageOf(run)).state !== "sending");
        }
        await world.server.kill();
        await world.server.start();
        for (const { run, to } of [one, two]) {
            assert.equal(await endedAnHourLater(run), "completed");
            assert.equal((await got("twilio", to)).length, 1, "once");
        }
    });

    test("the same text to the same number is told apart by the ids of others", async () => {
        await sandbox.faults();
        const to = `+668${digits(8)}`;
        const text = "Your order is on its way";
        const first = await send("twilio", { to, text });
        assert.equal(await ended(first.run), "completed");
        await sandbox.faults({ provider: "twilio", fault: "error", times: 1 });
        const second = await send("twilio", { to, text });
        await reaches(second.run, "unknown");
        assert.equal(await endedAnHourLater(second.run), "completed");
        const ids = (await got("twilio", to)).map((message) => message.id);
        assert.equal(ids.length, 2);
        const known = [await messageOf(first.run), await messageOf(second.run)];
        assert.deepEqual(known.map((message) => message.external_id).sort(), ids.sort());
    });

    test("another text to that number settles nothing", async () => {
        const to = `+668${digits(8)}`;
        await sandbox.faults({ provider: "twilio", fault: "error", times: 1 });
        const { run } = await send("twilio", { to });
        await reaches(run, "unknown");
        const { credentials } = await sandbox.account("twilio", "shop");
        const { account_sid: sid, auth_token: token } = credentials as Record<string, string>;
        const path = `/sandbox/twilio/2010-04-01/Accounts/${sid}/Messages.json`;
        const answer = await fetch(sandbox.url + path, {
            method: "POST",
            headers: { Authorization: `Basic ${btoa(`${sid}:${token}`)}` },
            body: new URLSearchParams({ To: to, From: "+15005550006", Body: "of another system" }),
        });
        assert.equal(answer.status, 201);
        await anHourPasses();
        await until("it was asked", async () =>
            (await inquiries()).some((row) => row.tries > 0 && row.later),
        );
        assert.equal((await messageOf(run)).state, "unknown");
        await call("POST", `/v1/runs/${run}/settle`, { node: "send", as: "failed" });
        assert.equal(await ended(run), "failed");
        assert.equal((await messageOf(run)).state, "failed");
        await forgotten();
    });

    test("a provider is not asked once a person has settled the step", async () => {
        const asked = (): number => mute.asked.filter((one) => one.method === "GET").length;
        mute.onAsked = (one) => one.answer(500, {});
        const as = ["completed", "failed", "cancel"];
        const runs: string[] = [];
        for (const _ of as) runs.push((await send("sendgrid", { account: "mute" })).run);
        for (const run of runs) await reaches(run, "unknown");
        await until("all wait for it", async () => {
            const states = await Promise.all(
                runs.map(async (run) => (await call("GET", `/v1/runs/${run}`)).status),
            );
            return states.every((state) => state === "waiting");
        });
        assert.equal((await inquiries()).length, as.length);
        for (const [i, run] of runs.entries()) {
            if (as[i] === "cancel") await call("POST", `/v1/runs/${run}/cancel`, {});
            else await call("POST", `/v1/runs/${run}/settle`, { node: "send", as: as[i] });
            await until("it ends", async () => {
                const { status } = await call("GET", `/v1/runs/${run}`);
                return ["completed", "failed", "cancelled"].includes(status);
            });
            // What the person said; a run that is cancelled says nothing about its message.
            const says = { completed: "sent", failed: "failed" }[as[i]!] ?? "unknown";
            assert.equal((await messageOf(run)).state, says);
        }
        await forgotten();
        assert.equal(asked(), 0);
    });

    test("a provider is asked as often as it allows, and tells or does not", async () => {
        const asked = (): number[] =>
            mute.asked.filter((one) => one.method === "GET").map((one) => one.at);
        mute.onAsked = (one) =>
            one.method === "GET"
                ? one.answer(403, { errors: [{ message: "access forbidden" }] })
                : one.answer(500, {});
        const runs = [];
        for (let i = 0; i < 3; i++) runs.push((await send("sendgrid", { account: "mute" })).run);
        for (const run of runs) await reaches(run, "unknown");
        await askNow();
        await until("all had their turn or were put off", async () => {
            const left = await inquiries();
            return left.length < 3 && left.every((row) => row.later);
        });
        // Six times a minute; the first turn of a second may be as late.
        const times = asked();
        assert.ok(times.length > 0 && times.length < 3, `asked ${times.length} times`);
        for (let i = 1; i < times.length; i++) {
            assert.ok(times[i]! - times[i - 1]! > 8000, `asked at ${times.join()}`);
        }
        for (const run of runs) assert.equal((await messageOf(run)).state, "unknown");
        for (const run of runs) {
            await call("POST", `/v1/runs/${run}/settle`, { node: "send", as: "completed" });
            assert.equal(await ended(run), "completed");
        }
        await forgotten();
    });
});
