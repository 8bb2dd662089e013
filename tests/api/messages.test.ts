import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { checkedFetch } from "./support/contract.js";
import { Journeys, signedHook, type Hook, type Received } from "./support/journeys.js";
import { pawlCommand } from "./support/process.js";
import { until } from "./support/until.js";

// Messages from the step to what providers say about them.

const times = (message: Record<string, unknown>): unknown =>
    Object.fromEntries(
        Object.entries(message).filter(
            ([key]) => key.endsWith("_at") && !["created_at", "sent_at"].includes(key),
        ),
    );

describe("messages", () => {
    const world = new Journeys();
    const hooks: Record<string, { secret: string; hookUrl: string }> = {};

    before(async () => {
        await world.start("ann", "bob");
        for (const who of ["ann", "bob"]) hooks[who] = await world.account(who);
    });
    after(() => world.stop());

    const hook = (who: string, fact: Hook): Promise<Response> =>
        checkedFetch(hooks[who]!.hookUrl, signedHook(hooks[who]!.secret, fact));

    const ofRun = async (who: string, run: string): Promise<any> =>
        (await world.call(who, "GET", `/v1/messages?run=${run}`)).json.data[0];

    async function sent(who: string, person: string = randomUUID()): Promise<any> {
        const run = await world.send(who, person);
        return await answered(who, run);
    }

    // The message of a run, once the answer of the provider is noted.
    const answered = async (who: string, run: string): Promise<any> =>
        await until("the answer is noted", async () => {
            const message = await ofRun(who, run);
            return message?.state === "sending" ? undefined : message;
        });

    test("a message is found by all that is known of it", async () => {
        const person = randomUUID();
        const message = await sent("ann", person);
        assert.equal(message.state, "sent");
        assert.equal(message.person, person);
        assert.equal(message.channel, "webhook");
        assert.equal(message.connector, "webhook");
        assert.equal(message.external_id, `ext-${message.id}`);
        const received = world.provider.received.find((one) => one.messageId === message.id)!;
        assert.deepEqual(received.content, { text: "Hi Ann" });
        for (const query of [
            `external_id=${message.external_id}`,
            `person=${person}`,
            `person=${person}&state=sent`,
            `workflow=${message.workflow}`,
        ]) {
            const { json } = await world.call("ann", "GET", `/v1/messages?${query}`);
            assert.deepEqual(
                json.data.map((one: any) => one.id),
                [message.id],
                query,
            );
            const others = await world.call("bob", "GET", `/v1/messages?${query}`);
            assert.deepEqual(others.json.data, [], "another tenant sees nothing");
        }
        assert.equal((await world.call("bob", "GET", `/v1/messages/${message.id}`)).status, 404);
        assert.equal((await world.call("ann", "GET", "/v1/messages/x")).status, 404);
        assert.equal((await world.call("ann", "GET", "/v1/messages?state=nope")).status, 400);
        assert.equal((await world.call("ann", "GET", "/v1/messages?cursor=eA")).status, 400);
    });

    test("one that is skipped says what is wrong with it", async () => {
        const run = await world.send("ann", randomUUID(), { text: "Hi {{ user.nick }}" });
        const message = await answered("ann", run);
        assert.deepEqual([message.state, message.reason], ["skipped", "invalid_content"]);
        assert.match(message.error, /user\.nick/);
    });

    test("it is shown what a message said, as long as that is known", async () => {
        const read = async (id: string): Promise<any> =>
            (await world.call("ann", "GET", `/v1/messages/${id}`)).json;
        const person = randomUUID();
        const plain = await sent("ann", person);
        const shown = await read(plain.id);
        assert.deepEqual([shown.content, shown.content_missing], [{ text: "Hi Ann" }, null]);

        // The version that was sent, also when there is a newer one.
        const name = `content_${randomUUID().slice(0, 8)}`;
        const put = (text: string): Promise<unknown> =>
            world.call("ann", "PUT", `/v1/templates/${name}`, { languages: { en: { text } } });
        await put("First {{ user.first_name }} {{ unsubscribe_url }}");
        const run = await world.send("ann", randomUUID(), { template: name, text: undefined });
        const { id } = await answered("ann", run);
        await put("Second");
        const first = await read(id);
        assert.equal(first.content_missing, null);
        assert.deepEqual(first.content, { text: "First Ann {{ unsubscribe_url }}" });
        await world.call("ann", "DELETE", `/v1/templates/${name}`);
        assert.equal((await read(id)).content_missing, "template_gone");

        const skipped = await world.send("ann", randomUUID(), { text: "Hi {{ user.nick }}" });
        const none = await read((await answered("ann", skipped)).id);
        assert.deepEqual([none.content, none.content_missing], [null, "skipped"]);

        assert.equal((await world.call("ann", "DELETE", `/v1/people/${person}`)).status, 200);
        const erased = await read(plain.id);
        assert.deepEqual([erased.content, erased.content_missing], [null, "erased"]);
    });

    test("pages go on where the last one ended", async () => {
        const person = randomUUID();
        const ids: string[] = [];
        for (let i = 0; i < 3; i++) ids.unshift((await sent("ann", person)).id);
        const seen: string[] = [];
        let cursor = "";
        do {
            const path = `/v1/messages?person=${person}&limit=1${cursor}`;
            const { json } = await world.call("ann", "GET", path);
            seen.push(...json.data.map((one: any) => one.id));
            cursor = json.has_more ? `&cursor=${json.next_cursor}` : "";
        } while (cursor);
        assert.deepEqual(seen, ids);
    });

    test("facts twice, late and in any order give the same numbers", async () => {
        const at = (second: number): string =>
            new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
        const facts = (id: string): Hook[] =>
            ["delivered", "opened", "clicked"].map((kind, i) => ({
                id: `${kind}-${id}`,
                type: `message.${kind}`,
                at: at(i),
                data: { message_id: id },
            }));
        const first = await sent("ann");
        for (const fact of facts(first.id)) await hook("ann", fact);
        const second = await sent("ann");
        const shuffled = facts(second.id).reverse();
        for (const fact of [...shuffled, ...shuffled, ...facts(second.id)]) {
            assert.equal((await hook("ann", fact)).status, 200);
        }
        const read = async (id: string): Promise<any> =>
            (await world.call("ann", "GET", `/v1/messages/${id}`)).json;
        const [one, other] = [await read(first.id), await read(second.id)];
        assert.equal(one.state, "clicked");
        assert.equal(other.state, "clicked");
        assert.deepEqual(times(other), times(one));
        assert.equal(one.delivered_at, "2026-01-01T00:00:00.000000Z");
        assert.deepEqual(
            other.facts.map((fact: any) => fact.kind),
            ["delivered", "opened", "clicked"],
        );
    });

    test("a fact that is quicker than the answer of its provider is kept for it", async () => {
        const earlier = world.provider.answer;
        const early = async (message: Received): Promise<{ status: number; body: unknown }> => {
            const data = { message_id: message.messageId, external_id: `ext-${message.messageId}` };
            const taken = await hook("ann", { type: "message.delivered", data });
            assert.equal(taken.status, 200);
            return await earlier(message);
        };
        world.provider.answer = early;
        try {
            const message = await sent("ann");
            await until("the fact is matched", async () => {
                const { json } = await world.call("ann", "GET", `/v1/messages/${message.id}`);
                return json.state === "delivered" && json.facts.length === 1;
            });
        } finally {
            world.provider.answer = earlier;
        }
    });

    test("a fact about the message of another tenant changes nothing", async () => {
        const message = await sent("ann");
        const data = { message_id: message.id, external_id: message.external_id };
        assert.equal((await hook("bob", { type: "message.bounced", data })).status, 200);
        const { json } = await world.call("ann", "GET", `/v1/messages/${message.id}`);
        assert.equal(json.state, "sent");
        assert.deepEqual(json.facts, []);
    });

    test("hostile values are kept as they are, or refused", async () => {
        const message = await sent("ann");
        const nasty = `'); drop table pawl.message; --\u202e${"ก".repeat(500)}`;
        const data = { message_id: message.id, external_id: nasty, reason: nasty, address: nasty };
        for (const fact of [
            { id: "n".repeat(5000), type: "message.failed", data },
            { type: "message.failed", data: { ...data, message_id: "no uuid" } },
            { type: "message.failed", at: "yesterday", data },
            { type: "message.failed", at: "9999-12-31T23:59:59Z", data },
            { type: "message.failed", data: { message_id: [1], external_id: { a: 1 } } },
        ]) {
            assert.equal((await hook("ann", fact)).status, 200, JSON.stringify(fact).slice(0, 80));
        }
        const secret = hooks["ann"]!.secret;
        const zero = signedHook(secret, { type: "message.failed", data: { reason: "a\u0000b" } });
        assert.equal((await checkedFetch(hooks["ann"]!.hookUrl, zero)).status, 200);
        const { json } = await world.call("ann", "GET", `/v1/messages/${message.id}`);
        assert.equal(json.state, "failed");
    });

    test("a send that was not answered is settled by a fact", async () => {
        const earlier = world.provider.answer;
        world.provider.answer = () => Promise.resolve({ status: 200, body: {} });
        const own = {
            name: "doubtful",
            title: "Doubtful",
            channels: ["webhook"],
            address: "url",
            credentials: { secret: { required: true } },
            request: {
                url: "{{ to }}",
                json: { data: { message_id: "{{ message.id }}", content: "{{ content }}" } },
            },
            answers: [{ status: "2xx", means: "unknown" }],
            hooks: {
                signature: "standard_webhook",
                secret: "secret",
                id: "headers.webhook-id",
                word: "event.type",
                message_id: "event.data.message_id",
                at: "event.timestamp",
                words: { "message.delivered": "delivered" },
            },
        };
        try {
            const made = await world.call("bob", "PUT", "/v1/connectors/doubtful", own);
            assert.equal(made.status, 200, made.text);
            const { secret } = hooks["bob"]!;
            const path = "/v1/connectors/doubtful/accounts/main";
            const account = await world.call("bob", "PUT", path, { credentials: { secret } });
            const run = await world.send("bob", randomUUID(), { connector: "doubtful" });
            const message = await answered("bob", run);
            assert.equal(message.state, "unknown");
            const fact = { type: "message.delivered", data: { message_id: message.id } };
            const taken = await checkedFetch(account.json.hook_url, signedHook(secret, fact));
            assert.equal(taken.status, 200);
            await until("the run goes on", async () => {
                const { json } = await world.call("bob", "GET", `/v1/runs/${run}`);
                return json.status === "completed";
            });
            assert.equal((await ofRun("bob", run)).state, "delivered");
        } finally {
            world.provider.answer = earlier;
        }
    });

    test("the timeline of a person has runs, messages and facts", async () => {
        const person = `${randomUUID()}/ä`;
        const message = await sent("ann", person);
        await hook("ann", { type: "message.opened", data: { message_id: message.id } });
        const path = `/v1/people/${encodeURIComponent(person)}/timeline`;
        const { json } = await world.call("ann", "GET", path);
        assert.deepEqual(
            json.data.map((one: any) => one.type),
            ["fact", "message", "run"],
        );
        assert.equal(json.data[0].fact, "opened");
        assert.equal(json.data[1].state, "opened");
        assert.equal(json.data[2].run_id, message.run_id);
        const seen: string[] = [];
        let cursor = "";
        do {
            const page = await world.call("ann", "GET", `${path}?limit=1${cursor}`);
            seen.push(...page.json.data.map((one: any) => one.type));
            cursor = page.json.has_more ? `&cursor=${page.json.next_cursor}` : "";
        } while (cursor);
        assert.deepEqual(seen, ["fact", "message", "run"]);
        assert.deepEqual((await world.call("bob", "GET", path)).json.data, []);
        assert.equal((await world.call("ann", "GET", `${path}?cursor=eA`)).status, 400);
    });

    test("the command line lists messages", async () => {
        const person = randomUUID();
        await sent("ann", person);
        const env = { PAWL_URL: world.server.url, PAWL_API_KEY: world.keyOf("ann") };
        const listed = await pawlCommand(["messages", "list", "--person", person], env);
        assert.match(listed, /webhook +sent/);
    });
});
