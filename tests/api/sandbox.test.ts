import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { Journeys } from "./support/journeys.js";
import { Sandbox, type SandboxMessage } from "./support/sandbox.js";
import { until } from "./support/until.js";

// Every connector that comes with Pawl, from a step to a provider that speaks its wire format, and
// back by a hook that is signed as the provider signs.

interface Kind {
    channel: string;
    address: () => string;
    content: Record<string, unknown>;
    /** What the provider tells by itself when all goes well. */
    ends: string;
    events: string[];
    id: RegExp;
}

const hex = (digits: number): string =>
    Array.from({ length: digits }, () => "0123456789abcdef"[Math.floor(Math.random() * 16)]).join(
        "",
    );
const digits = (many: number): string =>
    Array.from({ length: many }, () => Math.floor(Math.random() * 10)).join("");
const mail = (): string => `ann.${hex(8)}@customers.example`;
const phone = (): string => `+668${digits(8)}`;

const email = { subject: "Hello", text: "Hi {{ user.first_name }}", html: "<p>Hi</p>" };
const kinds: Record<string, Kind> = {
    line: {
        channel: "line",
        address: () => `U${hex(32)}`,
        content: { messages: [{ type: "text", text: "Hi {{ user.first_name }}" }] },
        ends: "sent",
        events: [],
        id: /^\d{18}$/,
    },
    sms_8x8: {
        channel: "sms",
        address: phone,
        content: { text: "Hi {{ user.first_name }}" },
        ends: "opened",
        events: ["sent", "delivered", "opened"],
        id: /^[0-9a-f-]{36}$/,
    },
    twilio: {
        channel: "sms",
        address: phone,
        content: { text: "Hi {{ user.first_name }}" },
        ends: "opened",
        events: ["sent", "delivered", "opened"],
        id: /^SM[0-9a-f]{32}$/,
    },
    sendgrid: {
        channel: "email",
        address: mail,
        content: email,
        ends: "clicked",
        events: ["sent", "delivered", "opened", "clicked"],
        id: /^[\w-]{22}$/,
    },
    resend: {
        channel: "email",
        address: mail,
        content: email,
        ends: "clicked",
        events: ["sent", "delivered", "opened", "clicked"],
        id: /^[0-9a-f-]{36}$/,
    },
    fcm: {
        channel: "push",
        address: () => `device-${hex(40)}`,
        content: { title: "Hello", body: "Hi {{ user.first_name }}" },
        ends: "sent",
        events: [],
        id: /^projects\/.+\/messages\/0:\d+%[0-9a-f]+$/,
    },
    smtp: {
        channel: "email",
        address: mail,
        content: email,
        ends: "sent",
        events: [],
        id: /^<.+@.+>$/,
    },
    webhook: {
        channel: "webhook",
        address: () => "",
        content: { text: "Hi {{ user.first_name }}" },
        ends: "clicked",
        events: ["sent", "delivered", "opened", "clicked"],
        id: /^hook_[0-9a-f]{24}$/,
    },
};

describe("the providers of the sandbox", () => {
    const world = new Journeys();
    const sandbox = new Sandbox();
    const shop = "shop";

    before(async () => {
        await sandbox.start();
        await world.start(shop);
        for (const provider of Object.keys(kinds)) {
            const made = await sandbox.account(provider, "shop");
            const path = `/v1/connectors/${provider}/accounts/main`;
            const { credentials, settings } = made;
            const put = await world.call(shop, "PUT", path, { credentials, settings });
            assert.equal(put.status, 200, put.text);
            const behaviour = { opened: 100, clicked: 100, pause_ms: 5 };
            const hook_url: string = put.json.hook_url ?? "";
            await sandbox.account(provider, "shop", { hook_url, behaviour });
        }
    });
    after(async () => {
        await world.stop();
        await sandbox.stop();
    });

    const workflows = new Map<string, string>();

    /** Starts a run that sends one message, and gives its id and the address. */
    async function send(
        provider: string,
        change: { address?: string; content?: Record<string, unknown> } = {},
    ): Promise<{ run: string; to: string }> {
        const kind = kinds[provider]!;
        const person = randomUUID();
        const to = change.address ?? kind.address();
        const put = await world.call(shop, "PUT", `/v1/people/${person}`, {
            attributes: { first_name: "Ann" },
            addresses: to === "" ? {} : { [kind.channel]: to },
        });
        assert.equal(put.status, 200, put.text);
        const config = {
            channel: kind.channel,
            connector: provider,
            category: "transactional",
            ...kind.content,
            ...change.content,
            ...(provider === "webhook" ? { to: `${sandbox.url}/sandbox/webhook/shop` } : {}),
        };
        const key = JSON.stringify(config);
        if (!workflows.has(key)) {
            const name = `send_${provider}_${randomUUID().slice(0, 8)}`;
            const nodes = [{ id: "send", message: config }];
            const made = await world.call(shop, "POST", "/v1/workflows", {
                name,
                nodes,
                edges: [],
            });
            assert.ok(made.status <= 201, made.text);
            workflows.set(key, name);
        }
        const data = { workflow: workflows.get(key), subject: person, data: {} };
        const started = await world.call(shop, "POST", "/v1/runs", data);
        assert.ok(started.status <= 201, started.text);
        return { run: started.json.id as string, to: to === "" ? person : to };
    }

    const messageOf = async (run: string): Promise<any> =>
        (await world.call(shop, "GET", `/v1/messages?run=${run}`)).json.data[0];
    const reaches = (run: string, state: string): Promise<any> =>
        until(`the message of ${run} is ${state}`, async () => {
            const message = await messageOf(run);
            return message?.state === state && message;
        });
    const got = async (provider: string, to: string): Promise<SandboxMessage[]> =>
        await sandbox.messages(provider, to);

    for (const [provider, kind] of Object.entries(kinds)) {
        test(`${provider}: a message is sent once, and what became of it comes back`, async () => {
            const { run, to } = await send(provider);
            const message = await reaches(run, kind.ends);
            assert.match(message.external_id, kind.id);
            const there = await until("all of it was told", async () => {
                const all = await got(provider, to);
                return (all[0]?.events.length ?? 0) >= kind.events.length && all;
            });
            assert.equal(there.length, 1);
            assert.equal(there[0]!.id, message.external_id);
            const told = there[0]!.events;
            assert.deepEqual(told.map((one) => one.event).sort(), [...kind.events].sort());
            assert.ok(
                told.every((one) => one.status === 200),
                JSON.stringify(told),
            );
        });
    }

    test("what people do at LINE comes back, and is answered by its token", async () => {
        const user = `U${hex(32)}`;
        const event = { event: "replied", from: user, text: "hello" };
        await sandbox.console("POST", "accounts/line/shop/events", event);
        await sandbox.console("POST", "accounts/line/shop/events", {
            event: "followed",
            from: user,
        });
        await assert.rejects(
            sandbox.console("POST", "accounts/line/shop/events", { event: "opened", from: user }),
            /is nothing that line tells/,
        );
    });

    test("a bounce is a bounce, and the address is not written to again", async () => {
        for (const provider of ["sendgrid", "resend"]) {
            await sandbox.account(provider, "shop", { behaviour: { bounced: 100 } });
            const { run, to } = await send(provider);
            await reaches(run, "bounced");
            await sandbox.account(provider, "shop", { behaviour: { bounced: 0 } });
            const again = await send(provider, { address: to });
            const skipped = await reaches(again.run, "skipped");
            assert.equal(skipped.reason, "suppressed");
            assert.equal((await got(provider, to)).length, 1);
        }
        const { run } = await send("smtp", { address: `bounce.${hex(6)}@customers.example` });
        await reaches(run, "failed");
    });

    test("a provider that wants to be left alone gets the message later, once", async () => {
        for (const provider of ["line", "sms_8x8", "twilio", "sendgrid", "resend", "webhook"]) {
            await sandbox.faults({ provider, fault: "limit", retry_after: 1, times: 1 });
            const { run, to } = await send(provider);
            await reaches(run, kinds[provider]!.ends);
            assert.equal((await got(provider, to)).length, 1, provider);
        }
    });

    test("a slow provider is waited for", async () => {
        await sandbox.faults({ provider: "resend", fault: "slow", delay_ms: 300, times: 1 });
        const { run, to } = await send("resend");
        await reaches(run, "clicked");
        assert.equal((await got("resend", to)).length, 1);
    });

    test("an answer that is lost leads to no second message", async () => {
        for (const provider of ["line", "resend"]) {
            await sandbox.faults({ provider, fault: "drop", times: 1 });
            const { run, to } = await send(provider);
            await reaches(run, kinds[provider]!.ends);
            assert.equal((await got(provider, to)).length, 1, "it knows the repeat");
        }
        for (const provider of ["sms_8x8", "twilio", "sendgrid"]) {
            await sandbox.faults({ provider, fault: "drop", times: 1 });
            const { run, to } = await send(provider);
            await reaches(run, kinds[provider]!.ends);
            assert.equal((await got(provider, to)).length, 1, "a receipt settles it");
        }
    });
});
