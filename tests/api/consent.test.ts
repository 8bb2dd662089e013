import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { checkedFetch } from "./support/contract.js";
import { Journeys } from "./support/journeys.js";
import { until } from "./support/until.js";

// What people do not want to get.

describe("consent", () => {
    const world = new Journeys();
    before(async () => {
        await world.start("ann", "carol");
        await world.account("ann");
    });
    after(() => world.stop());

    test("a journey ends when its person unsubscribes, in whatever way", async () => {
        const name = `leave_${randomUUID().slice(0, 8)}`;
        const applied = await world.call("ann", "POST", "/v1/workflows", {
            name,
            person: true,
            exit_on: [{ event: "message.unsubscribed" }],
            nodes: [{ id: "long", wait: "1h" }],
        });
        assert.ok(applied.status <= 201, applied.text);
        const form = { "Content-Type": "application/x-www-form-urlencoded" };
        const post = (url: string, body: string): Promise<Response> =>
            checkedFetch(url, { method: "POST", headers: form, body });
        const ways: Record<string, (path: string, links: any) => Promise<{ status: number }>> = {
            api: (path) => world.call("ann", "POST", `${path}/unsubscribe`, {}),
            link: (_, links) => post(links.unsubscribe_url, "List-Unsubscribe=One-Click"),
            page: (_, links) => post(links.preferences_url, "seen=webhook%3Amarketing&none=1"),
        };
        for (const [way, unsubscribe] of Object.entries(ways)) {
            const person = `${way}-${randomUUID()}`;
            const path = `/v1/people/${person}`;
            await world.call("ann", "PUT", path, { addresses: { webhook: world.provider.url } });
            const { json: run } = await world.call("ann", "POST", "/v1/runs", {
                workflow: name,
                subject: person,
                data: {},
            });
            await until("the run waits", async () => {
                const { json } = await world.call("ann", "GET", `/v1/runs/${run.id}`);
                return json.status === "waiting";
            });
            const { json: links } = await world.call("ann", "GET", `${path}/links`);
            assert.equal((await unsubscribe(path, links)).status, 200, way);
            const output = await until(`the run ends: ${way}`, async () => {
                const { json } = await world.call("ann", "GET", `/v1/runs/${run.id}`);
                return json.status === "completed" && json.output;
            });
            assert.equal(output.exited_by, "message.unsubscribed");
        }
    });

    test("who wants one channel again after none gets that one alone", async () => {
        const person = randomUUID();
        const path = `/v1/people/${person}`;
        await world.call("ann", "POST", `${path}/unsubscribe`, {});
        const wish = { channel: "webhook" };
        const { json } = await world.call("ann", "POST", `${path}/resubscribe`, wish);
        const left = json.unsubscribed.map((one: any) => `${one.channel} ${one.category}`);
        assert.deepEqual(left.sort(), ["email *", "line *", "push *", "sms *"]);
        const run = await world.send("ann", person);
        const message = await until("the message is there", async () => {
            const found = await world.call("ann", "GET", `/v1/messages?run=${run}`);
            return found.json.data[0];
        });
        assert.notEqual(message.state, "skipped", message.reason);
        const none = await world.call("ann", "POST", `${path}/resubscribe`, {});
        assert.deepEqual(none.json.unsubscribed, []);
    });

    test("a channel that no message has is refused, and not kept without effect", async () => {
        const channel = "emial";
        for (const [method, path, body, place] of [
            ["POST", "/v1/people/4711/unsubscribe", { channel }, "/channel"],
            ["POST", "/v1/people/4711/resubscribe", { channel }, "/channel"],
            ["POST", "/v1/suppressions", { channel, address: "a@example.com" }, "/channel"],
            ["POST", "/v1/suppressions", { channel: "*", address: "a@example.com" }, "/channel"],
            ["POST", "/v1/suppressions", { channel: "sms", address: "none" }, "/address"],
            ["PUT", "/v1/message-policy", { channel, holdout: 5 }, "/channel"],
        ] as const) {
            const refused = await world.call("carol", method, path, body);
            assert.equal(refused.status, 422, `${path} ${refused.text}`);
            assert.equal(refused.json.errors[0].pointer, place);
        }
        assert.deepEqual((await world.call("carol", "GET", "/v1/suppressions")).json.data, []);
        assert.deepEqual((await world.call("carol", "GET", "/v1/message-policy")).json.data, []);
    });
});
