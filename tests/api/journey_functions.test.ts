import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { Journeys, type Answered } from "./support/journeys.js";
import { until } from "./support/until.js";

// The functions of document 003.

interface Sent {
    path: string;
    headers: Record<string, string | string[] | undefined>;
    body: any;
}

/** Answers as LINE and 8x8 do. */
class Providers {
    readonly sent: Sent[] = [];
    url = "";
    private readonly server: Server = createServer((request, response) => {
        const parts: Buffer[] = [];
        request.on("data", (part: Buffer) => parts.push(part));
        request.on("end", () => {
            const body = JSON.parse(Buffer.concat(parts).toString());
            this.sent.push({ path: request.url!, headers: request.headers, body });
            const refused = body.text === "refuse";
            response.statusCode = refused ? 400 : 200;
            response.setHeader("Content-Type", "application/json");
            const line = { sentMessages: [{ id: `line-${this.sent.length}` }] };
            const sms = { umid: `umid-${this.sent.length}`, status: { code: "QUEUED" } };
            const no = { code: 1002, message: "Invalid MSISDN format" };
            response.end(JSON.stringify(refused ? no : body.messages ? line : sms));
        });
    });

    async start(): Promise<void> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }
    stop(): void {
        this.server.close();
    }
}

describe("the functions of journeys", () => {
    const world = new Journeys();
    const providers = new Providers();
    const secrets: Record<string, string> = {};
    before(async () => {
        await providers.start();
        await world.start("ann", "bob");
        const settings = { base_url: providers.url };
        for (const who of ["ann", "bob"]) {
            secrets[who] = `secret-of-${who}`;
            const line = {
                credentials: {
                    messaging_channel_access_token: `token-of-${who}`,
                    messaging_channel_secret: secrets[who],
                },
                settings,
            };
            const put = await world.call(who, "PUT", "/v1/connectors/line/accounts/main", line);
            assert.equal(put.status, 200, put.text);
        }
        const sms = { credentials: { subaccount_id: "sub", api_key: "k" }, settings };
        await world.call("ann", "PUT", "/v1/connectors/sms_8x8/accounts/main", sms);
    });
    after(async () => {
        await world.stop();
        providers.stop();
    });

    const invoke = (who: string, name: string, body: unknown): Promise<Answered> =>
        world.call(who, "POST", `/functions/v1/${name}`, body);

    test("send-line-message sends to the LINE user of a person", async () => {
        const person = randomUUID();
        const user = `U${randomUUID().replaceAll("-", "")}`;
        await world.call("ann", "PUT", `/v1/people/${person}`, { addresses: { line: user } });
        const messages = [
            { type: "text", text: "Hi" },
            { type: "flex", altText: "Reward", contents: { type: "bubble" } },
        ];
        const call = { merchant_id: "ann", user_id: person, messages, correlation_id: person };
        const answer = await invoke("ann", "send-line-message", call);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.success, true, answer.text);
        assert.equal(answer.json.status, "sent");
        assert.match(answer.json.message_id, /^line-/);
        const sent = providers.sent.find((one) => one.body.to === user)!;
        assert.equal(sent.path, "/v2/bot/message/push");
        assert.equal(sent.headers["authorization"], "Bearer token-of-ann");
        assert.deepEqual(sent.body.messages, messages);
        const again = await invoke("ann", "send-line-message", call);
        assert.equal(again.json.message_id, answer.json.message_id);
        assert.equal(providers.sent.filter((one) => one.body.to === user).length, 1);
        const direct = `U${randomUUID().replaceAll("-", "")}`;
        const other = { line_user_id: direct, message: "Hello" };
        assert.equal((await invoke("ann", "send-line-message", other)).json.success, true);
        assert.deepEqual(providers.sent.find((one) => one.body.to === direct)!.body.messages, [
            { type: "text", text: "Hello" },
        ]);
    });

    test("send-sms-8x8 sends a text", async () => {
        const call = {
            phone: "+66812345678",
            message: "Your code is 1",
            category: "transactional",
        };
        const answer = await invoke("ann", "send-sms-8x8", call);
        assert.equal(answer.json.success, true, answer.text);
        assert.match(answer.json.external_message_id, /^umid-/);
        const sent = providers.sent.find((one) => one.body.destination === "+66812345678")!;
        assert.equal(sent.path, "/api/v1/subaccounts/sub/messages");
        assert.equal(sent.body.text, "Your code is 1");
        const refused = await invoke("ann", "send-sms-8x8", { ...call, message: "refuse" });
        assert.equal(refused.status, 400, refused.text);
        assert.equal(refused.json.success, false);
        assert.match(refused.json.error, /Invalid MSISDN/);
    });

    test("send-sms-8x8 sends by 8x8, whatever else there is", async () => {
        const twilio = {
            credentials: { account_sid: "AC1", auth_token: "t", from: "+15005550006" },
            settings: { base_url: providers.url, default: true },
        };
        for (const who of ["ann", "bob"]) {
            const path = "/v1/connectors/twilio/accounts/main";
            const put = await world.call(who, "PUT", path, twilio);
            assert.equal(put.status, 200, put.text);
        }
        const phone = "+66812345679";
        const call = { phone, message: "By 8x8", category: "transactional" };
        const answer = await invoke("ann", "send-sms-8x8", call);
        assert.equal(answer.json.success, true, answer.text);
        const sent = providers.sent.find((one) => one.body.destination === phone)!;
        assert.equal(sent.path, "/api/v1/subaccounts/sub/messages");
        const none = await invoke("bob", "send-sms-8x8", call);
        assert.equal(none.status, 400, none.text);
        assert.equal(none.json.success, false);
        assert.equal(none.json.status, "failed");
        assert.match(none.json.error, /sms_8x8.*has no account/);
        assert.equal(providers.sent.filter((one) => one.body.text === "By 8x8").length, 1);
    });

    test("a message that the person does not want is not sent", async () => {
        const person = randomUUID();
        await world.call("ann", "PUT", `/v1/people/${person}`, { addresses: { line: "Uabc" } });
        await world.call("ann", "POST", `/v1/people/${person}/unsubscribe`, {});
        const answer = await invoke("ann", "send-line-message", { user_id: person, message: "x" });
        assert.equal(answer.status, 200);
        assert.equal(answer.json.success, false);
        assert.equal(answer.json.reason, "unsubscribed");
    });

    test("what is wrong with a call is told in the document's form", async () => {
        for (const [name, body, says] of [
            ["send-line-message", { user_id: "x" }, /messages is required/],
            [
                "send-line-message",
                { messages: [{ type: "text", text: "x" }] },
                /user_id is required/,
            ],
            ["send-line-message", { user_id: "x", messages: [] }, /1 to 5/],
            ["send-line-message", { user_id: ["x"], message: "x" }, /user_id must be text/],
            ["send-line-message", { user_id: "x".repeat(501), message: "x" }, /500 bytes/],
            ["send-sms-8x8", { phone: "+66812345678" }, /message is required/],
            ["dispatch-workflow-trigger", {}, /trigger_table is required/],
            [
                "dispatch-workflow-trigger",
                { trigger_table: "t", trigger_operation: "TRUNCATE" },
                /INSERT, UPDATE or DELETE/,
            ],
            [
                "dispatch-workflow-trigger",
                { trigger_table: "t", trigger_operation: "INSERT", record_data: 5 },
                /record_data must be an object/,
            ],
        ] as const) {
            const answer = await invoke("ann", name, body);
            assert.equal(answer.status, 400, answer.text);
            assert.equal(answer.json.success, false);
            assert.match(answer.json.error, says);
        }
        for (const name of ["send-line-message", "send-sms-8x8", "dispatch-workflow-trigger"]) {
            const open = await checkedFetch(`${world.server.url}/functions/v1/${name}`, {
                method: "POST",
                body: "{}",
            });
            assert.equal(open.status, 401, "the key says which merchant it is for");
            const call = {
                merchant_id: "bob",
                user_id: "x",
                message: "x",
                trigger_table: "t",
                trigger_operation: "INSERT",
            };
            const foreign = await invoke("ann", name, call);
            assert.equal(foreign.status, 403, foreign.text);
        }
    });

    test("dispatch-workflow-trigger starts the workflows that want the change", async () => {
        const table = `ledger_${randomUUID().slice(0, 8)}`;
        const name = `on_${table}`;
        const applied = await world.call("ann", "POST", "/v1/workflows", {
            name,
            person: true,
            triggers: [
                {
                    event: table,
                    operation: ["INSERT"],
                    subject: "{{ key }}",
                    conditions: { amount: { operator: ">=", value: 100 } },
                },
            ],
            nodes: [{ id: "all", type: "transform", config: { jq: ".input" } }],
            edges: [],
        });
        assert.ok(applied.status <= 201, applied.text);
        const change = {
            trigger_table: table,
            trigger_operation: "INSERT",
            merchant_id: "ann",
            user_id: "user-456",
            record_id: "r1",
            record_data: { amount: 100, transaction_type: "earn" },
        };
        const answer = await invoke("ann", "dispatch-workflow-trigger", change);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.dispatched, 1);
        assert.equal(answer.json.workflows[0].workflow_code, name);
        const runs = async (): Promise<any[]> =>
            (await world.call("ann", "GET", `/v1/runs?workflow=${name}`)).json.data;
        const [run] = await until("it runs", async () => {
            const all = await runs();
            return all.length > 0 ? all : undefined;
        });
        assert.equal(run.subject, "user-456");
        const again = await invoke("ann", "dispatch-workflow-trigger", change);
        assert.equal(again.json.dispatched, 0, "the same insert comes once");
        for (const [other, count] of [
            [{ record_data: { amount: 99 } }, 0],
            [{ trigger_operation: "DELETE" }, 0],
            [{ trigger_table: "elsewhere" }, 0],
            [{ record_id: "r2" }, 1],
        ] as const) {
            const call = { ...change, record_id: undefined, ...other };
            const { json } = await invoke("ann", "dispatch-workflow-trigger", call);
            assert.equal(json.dispatched, count, JSON.stringify(other));
        }
        const foreign = { ...change, merchant_id: undefined, record_id: "r3" };
        const theirs = await invoke("bob", "dispatch-workflow-trigger", foreign);
        assert.equal(theirs.json.dispatched, 0, "a workflow of another merchant");
        await until("two have run", async () => (await runs()).length === 2);
    });

    test("merchant_credentials is written to, and shows no secret", async () => {
        const database = new pg.Client({ connectionString: world.databaseUrl });
        await database.connect();
        try {
            const secret = `secret-${randomUUID()}`;
            const write = (service: string, credentials: object): Promise<pg.QueryResult> =>
                database.query(
                    `insert into pawl.merchant_credentials
                            (merchant_id, service_name, account_name, credentials, settings)
                     select organization, $1, 'sql', $2, $3 from pawl.tenant where name = 'ann'
                     returning credentials`,
                    [service, credentials, { from: "a@shop.example", base_url: providers.url }],
                );
            const status = async (service: string): Promise<string | undefined> => {
                const { rows } = await database.query(
                    `select status, credentials from pawl.merchant_credentials
                      where service_name = $1 and account_name = 'sql'`,
                    [service],
                );
                assert.equal(rows[0]?.credentials ?? null, null);
                return rows[0]?.status as string | undefined;
            };
            const made = await until("the server has made its key", async () => {
                const made = await write("resend", { api_key: secret }).catch(() => undefined);
                return made ? [made] : undefined;
            });
            assert.deepEqual(made[0]!.rows, [{ credentials: null }]);
            await until("it is taken in", async () => (await status("resend")) === "active");
            const path = "/v1/connectors/resend/accounts";
            const listed = await world.call("ann", "GET", path);
            assert.deepEqual(
                listed.json.data.map((one: any) => one.account),
                ["sql"],
            );
            assert.ok(!listed.text.includes(secret));
            const dump = await database.query(
                "select (select json_agg(i) from pawl.credential_inbox i)::text as text",
            );
            assert.equal(dump.rows[0].text, null, "nothing is left of it");
            await write("sendgrid", { wrong: secret });
            const problem = await until("it is refused", async () => {
                const now = await status("sendgrid");
                return now === "pending" ? undefined : now;
            });
            assert.match(problem, /wrong|api_key/);
            assert.ok(!problem.includes(secret));
            await database.query(
                "update pawl.merchant_credentials set credentials = $1 where account_name = 'sql'",
                [{ api_key: `${secret}-2` }],
            );
            await until("both are taken in", async () =>
                [await status("resend"), await status("sendgrid")].every((one) => one === "active"),
            );
            await database.query(
                "delete from pawl.merchant_credentials where account_name = 'sql'",
            );
            assert.deepEqual((await world.call("ann", "GET", path)).json.data, []);
        } finally {
            await database.end();
        }
    });

    test("line-webhook finds the account by the signature", async () => {
        const url = `${world.server.url}/functions/v1/line-webhook`;
        const hook = (body: string, secret: string, to = url): Promise<Response> =>
            checkedFetch(to, {
                method: "POST",
                headers: {
                    "Content-Type": "application/json",
                    "x-line-signature": createHmac("sha256", secret).update(body).digest("base64"),
                },
                body,
            });
        const unfollow = (user: string): string =>
            JSON.stringify({
                destination: "Ubot",
                events: [
                    {
                        type: "unfollow",
                        webhookEventId: randomUUID(),
                        timestamp: Date.now(),
                        source: { type: "user", userId: user },
                        filler: "x".repeat(5000),
                    },
                ],
            });
        const suppressed = async (who: string): Promise<string[]> =>
            (await world.call(who, "GET", "/v1/suppressions?channel=line")).json.data.map(
                (one: any) => one.address,
            );
        const taken = await hook(unfollow("Uone"), secrets["bob"]!);
        assert.equal(taken.status, 200);
        assert.deepEqual(await taken.json(), { success: true, processed: 1 });
        assert.deepEqual(await suppressed("bob"), ["Uone"]);
        assert.ok(!(await suppressed("ann")).includes("Uone"));
        // The receiver is known now, and still only the signature counts.
        assert.equal((await hook(unfollow("Utwo"), secrets["ann"]!)).status, 200);
        assert.ok((await suppressed("ann")).includes("Utwo"));
        const empty = JSON.stringify({ destination: "Ubot", events: [] });
        assert.equal(
            (await hook(empty, secrets["ann"]!)).status,
            200,
            "LINE looks whether it answers",
        );
        assert.equal((await hook(empty, "wrong")).status, 401);
        assert.equal((await hook(empty, secrets["ann"]!, `${url}?merchant_id=bob`)).status, 401);
        assert.equal((await hook(empty, secrets["ann"]!, `${url}?merchant_id=ann`)).status, 200);
        const bare = await checkedFetch(url, { method: "POST", body: empty });
        assert.equal(bare.status, 401);
        assert.equal((await hook("not json", secrets["ann"]!)).status, 400);
    });
});
