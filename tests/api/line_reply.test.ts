import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { checkedFetch } from "./support/contract.js";
import { Journeys } from "./support/journeys.js";
import { Sandbox, type SandboxMessage } from "./support/sandbox.js";
import { until } from "./support/until.js";

// A person writes by LINE, and is answered by the token of that: once, and by a push after that.

describe("replies by LINE", () => {
    const world = new Journeys();
    const sandbox = new Sandbox();
    const shop = "shop";
    let hookUrl = "";
    let secret = "";

    const call = async (method: string, path: string, body?: unknown): Promise<any> => {
        const answer = await world.call(shop, method, path, body);
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        return answer.json;
    };

    before(async () => {
        await sandbox.start();
        await world.start(shop);
        const { credentials, settings } = await sandbox.account("line", "shop");
        secret = credentials["channel_secret"] as string;
        const put = await call("PUT", "/v1/connectors/line/accounts/main", {
            credentials,
            settings,
        });
        hookUrl = put.hook_url as string;
        await sandbox.account("line", "shop", { hook_url: hookUrl });
        const reply = (id: string): unknown => ({
            id,
            message: {
                channel: "line",
                connector: "line_reply",
                to: "{{ trigger.detail.reply_token }}",
                category: "transactional",
                text: `${id}: {{ trigger.detail.text }}`,
            },
        });
        await call("POST", "/v1/workflows", {
            name: "answer",
            triggers: [{ event: "message.replied" }],
            nodes: [reply("first"), reply("second")],
            edges: [{ from: "first", to: "second" }],
        });
    });
    after(async () => {
        await world.stop();
        await sandbox.stop();
    });

    const newUser = (): string => `U${randomUUID().replaceAll("-", "")}`;
    const writes = (user: string, text: string): Promise<unknown> =>
        sandbox.console("POST", "accounts/line/shop/events", {
            event: "replied",
            from: user,
            text,
        });
    const gotBy = async (user: string): Promise<SandboxMessage[]> =>
        (await sandbox.messages("line", user)).sort((a, b) => a.number - b.number);
    const runs = async (): Promise<any[]> =>
        (await call("GET", "/v1/runs?workflow=answer&limit=100")).data;
    const ended = (many: number): Promise<any[]> =>
        until("the answers are over", async () => {
            const all = await runs();
            const over = all.filter((run) => ["completed", "failed"].includes(run.status));
            return over.length === many && over;
        });

    /** The person links their LINE account. */
    async function link(person: string, user: string): Promise<void> {
        await call("PUT", `/v1/people/${person}`, {});
        const { nonce } = await call("POST", `/v1/people/${person}/line-link`, {
            link_token: "abc",
        });
        const event = {
            type: "accountLink",
            webhookEventId: randomUUID(),
            timestamp: Date.now(),
            source: { type: "user", userId: user },
            link: { result: "ok", nonce },
        };
        const body = JSON.stringify({ destination: "U0", events: [event] });
        const signature = createHmac("sha256", secret).update(body).digest("base64");
        const answer = await checkedFetch(hookUrl, {
            method: "POST",
            headers: { "x-line-signature": signature, "Content-Type": "application/json" },
            body,
        });
        assert.equal(answer.status, 200);
    }

    test("the token is used once, and what comes after is pushed to the person", async () => {
        const user = newUser();
        await link(`ann-${user}`, user);
        await writes(user, "hello");
        const [run] = await ended(1);
        assert.equal(run.status, "completed");
        const there = await gotBy(user);
        assert.deepEqual(
            there.map((message) => message.text),
            ["first: hello", "second: hello"],
        );
        const { data: timeline } = await call("GET", `/v1/people/ann-${user}/timeline`);
        const reply = timeline.find((entry: any) => entry.fact === "replied");
        assert.deepEqual([reply.run_id, reply.message_id, reply.channel], [null, null, "line"]);
        assert.equal(reply.detail.text, "hello");
        const { data } = await call("GET", `/v1/messages?run=${run.id}`);
        const byNode = Object.fromEntries(data.map((one: any) => [one.node, one]));
        assert.equal(byNode.first.connector, "line_reply");
        assert.equal(byNode.second.connector, "line", "its quota is used");
        assert.deepEqual([byNode.first.state, byNode.second.state], ["sent", "sent"]);
        assert.equal(there[0]!.client_id, "", "a reply has no key");
        assert.equal(there[1]!.client_id, byNode.second.id, "a push has: a repeat is known");
        assert.equal(byNode.second.external_id, there[1]!.id);
    });

    test("a user who is no person here is answered, and gets no push", async () => {
        const user = newUser();
        await writes(user, "who am I");
        const all = await ended(2);
        const run = all.find((one) => one.status === "failed");
        assert.ok(run, JSON.stringify(all));
        assert.deepEqual(
            (await gotBy(user)).map((message) => message.text),
            ["first: who am I"],
        );
        const { data } = await call("GET", `/v1/messages?run=${run.id}`);
        const second = data.find((one: any) => one.node === "second");
        assert.equal(second.state, "failed");
        assert.match(second.error, /Invalid reply token/);
    });

    test("a worker that is killed in the middle of a reply does not answer twice", async () => {
        const user = newUser();
        await link(`bob-${user}`, user);
        await sandbox.faults({ provider: "line", fault: "slow", delay_ms: 3000, times: 1 });
        await writes(user, "hold on");
        const run = await until("it is under way", async () => {
            for (const one of await runs()) {
                const { data } = await call("GET", `/v1/messages?run=${one.id}`);
                if (data[0]?.state === "sending") return one.id as string;
            }
            return undefined;
        });
        await world.server.kill();
        await sandbox.faults();
        await world.server.start();
        await until("it is not known", async () => {
            const { data } = await call("GET", `/v1/messages?run=${run}`);
            return data.length === 1 && data[0].state === "unknown";
        });
        assert.ok((await gotBy(user)).length <= 1, "no second one, and no push");
        // The person who looked at the chat says what was there.
        await call("POST", `/v1/runs/${run}/settle`, { node: "first", as: "completed" });
        const all = await ended(3);
        assert.equal(all.find((one) => one.id === run)!.status, "completed");
        const texts = (await gotBy(user)).map((message) => message.text);
        assert.equal(texts.filter((text) => text.startsWith("second")).length, 1);
    });
});
