import { Pawl, type Run } from "@pawl/client";
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { never, Sink, type Answer, type StepFunction } from "./support/sink.js";
import { until } from "./support/until.js";

// Agents, with a model over real HTTP that fails, is silent, does not keep to its schema, calls
// tools; and a server that is killed between two replies.

type Config = Record<string, unknown>;

const says =
    (content: unknown, tokens = 10): Answer =>
    () => ({
        body: {
            model: "m-1",
            choices: [
                { message: { role: "assistant", content: text(content) }, finish_reason: "stop" },
            ],
            usage: { prompt_tokens: tokens, completion_tokens: 5 },
        },
    });
const text = (content: unknown): string =>
    typeof content === "string" ? content : JSON.stringify(content);
const calls =
    (...tools: [name: string, args: unknown][]): Answer =>
    () => ({
        body: {
            choices: [
                {
                    message: {
                        content: null,
                        tool_calls: tools.map(([name, args], i) => ({
                            id: `c${i}`,
                            type: "function",
                            function: { name, arguments: JSON.stringify(args) },
                        })),
                    },
                    finish_reason: "tool_calls",
                },
            ],
            usage: { prompt_tokens: 10, completion_tokens: 5 },
        },
    });

describe("agents", () => {
    const sink = new Sink();
    let place: string;
    let server: Serve;
    let pawl: Pawl;
    let database: pg.Client;

    before(async () => {
        place = await sink.start();
        const url = await freshDatabase();
        server = new Serve(url, ["--unsafe-sql-as-engine"], {
            PAWL_SECRET_KEY: randomBytes(32).toString("hex"),
        });
        await server.start();
        pawl = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch, retries: 50 });
        database = new pg.Client({ connectionString: url });
        await database.connect();
    });
    after(async () => {
        await database.end();
        await server.stop();
        sink.stop();
    });

    /** A model of its own for one test. */
    function model(...answers: Answer[]): StepFunction {
        return sink.function(`m${randomUUID()}/chat`).will(...answers);
    }
    async function start(asked: StepFunction, config: Config, more: Config = {}): Promise<string> {
        const name = `w-${randomUUID()}`;
        const agent = {
            url: `${place}/${asked.name}`,
            model: "m",
            instructions: "Decide",
            ...config,
        };
        const node = { id: "think", type: "agent", config: agent, ...more };
        const after = ["yes", "no", "other", "broken"].map((id) => ({
            id,
            type: "end",
            config: { output: id },
        }));
        const edges = [
            { from: "think", to: "other" },
            { from: "think", to: "broken", handle: "error" },
        ];
        for (const handle of (config["decide"] as string[] | undefined) ?? [])
            edges.push({ from: "think", to: handle, handle });
        const used = new Set(edges.map((one) => one.to));
        const nodes = [node, ...after.filter((one) => used.has(one.id))];
        await pawl.workflows.apply({ name, nodes, edges } as never);
        const { id } = await pawl.start(name, { sum: 7 }, { subject: "ann" });
        return id;
    }
    async function run(asked: StepFunction, config: Config, more: Config = {}): Promise<Run> {
        return await pawl.wait(await start(asked, config, more), { timeout: 30_000 });
    }
    async function step(id: string): Promise<any> {
        const answer = await checkedFetch(`${server.url}/v1/runs/${id}/steps`, {
            headers: { Authorization: `Bearer ${server.key}` },
        });
        const { data } = (await answer.json()) as { data: any[] };
        return data.find((one) => one.step === "think");
    }

    test("decide: the run goes where the model says", async () => {
        const asked = model(says({ decision: "no" }));
        const done = await run(asked, { decide: ["yes", "no"], sees: ["trigger.sum"] });
        assert.equal(done.output, "no");
        const body = asked.calls[0]!.body as any;
        assert.match(body.messages[1].content, /"trigger.sum":7/);
        assert.deepEqual(body.response_format.json_schema.schema.required, ["decision"]);
    });

    test("a model that is busy, and one whose line breaks, is asked again", async () => {
        const busy: Answer = () => ({ status: 503, body: {} });
        const asked = model(busy, busy, says({ decision: "yes" }));
        const retry = { attempts: 4, base: "50ms" };
        assert.equal((await run(asked, { decide: ["yes", "no"] }, { retry })).output, "yes");
        assert.equal(asked.calls.length, 3);
        const silent = model(never, says({ decision: "yes" }));
        const more = { retry, timeout: "500ms" };
        assert.equal((await run(silent, { decide: ["yes"] }, more)).output, "yes");
    });

    test("an answer that does not fit is asked for twice more, then it is an error", async () => {
        const asked = model(says("hm"), says({ text: 5 }), says({}));
        const schema = {
            type: "object",
            required: ["text"],
            properties: { text: { type: "string" } },
        };
        const id = await start(asked, { schema });
        assert.equal((await pawl.wait(id, { timeout: 30_000 })).output, "broken");
        assert.equal(asked.calls.length, 3);
        const { turns, error } = await step(id);
        assert.deepEqual(
            turns.map((one: any) => typeof one.problem),
            ["string", "string"],
        );
        assert.equal(error.code, "agent_answer");
    });

    test("a budget ends it", async () => {
        const asked = model(says("hm", 100));
        const schema = { type: "object", required: ["text"], properties: {} };
        const id = await start(asked, { schema, budget: { tokens: 100 } });
        assert.equal((await pawl.wait(id, { timeout: 30_000 })).output, "broken");
        assert.equal(asked.calls.length, 1);
        assert.equal((await step(id)).error.code, "budget");
    });

    test("tools: an action exactly once, a request, a query that can change nothing", async () => {
        await database.query(`create table points (person text, amount int, step text primary key);
            create table orders (id int, person text);
            insert into orders values (1, 'ann'), (2, 'bob');
            select pawl.register_action(
                'award', 'insert into points values ($person, $amount, $key) returning amount');`);
        const shop = sink.function(`shop${randomUUID()}`).will(() => ({ body: { open: true } }));
        const asked = model(
            calls(["award", { amount: 5 }], ["orders", {}], ["shop", { day: "mon tue" }]),
            calls(["sneaky", {}]),
            says("done"),
        );
        const tools = [
            {
                action: "award",
                description: "Gives points",
                parameters: { type: "object", properties: { amount: { type: "integer" } } },
            },
            {
                name: "orders",
                description: "Lists orders",
                sql: {
                    statement: "select id from orders where person = $1;",
                    params: ["{{ run.subject }}"],
                },
            },
            {
                name: "sneaky",
                description: "Deletes",
                sql: {
                    statement: "with gone as (delete from orders returning id) select * from gone",
                },
            },
            {
                name: "shop",
                description: "Asks the shop",
                parameters: { type: "object", properties: { day: { type: "string" } } },
                http: { url: `${place}/${shop.name}`, method: "POST" },
            },
        ];
        const id = await start(asked, { tools });
        assert.equal((await pawl.wait(id, { timeout: 30_000 })).output, "other");
        const { turns, result } = await step(id);
        assert.equal(turns.length, 6, JSON.stringify(turns));
        assert.deepEqual(turns[2].result.rows, [{ id: 1 }]);
        assert.deepEqual(shop.calls[0]!.body, { day: "mon tue" });
        assert.match(turns[5].error, /read-only/);
        assert.equal(result.answer, "done");
        assert.deepEqual(result.usage, {
            calls: 3,
            tool_calls: 4,
            prompt_tokens: 30,
            completion_tokens: 15,
        });
        assert.equal((await database.query("select * from points")).rowCount, 1);
        assert.equal((await database.query("select * from orders")).rowCount, 2);
    });

    test("tools: a model cannot say whose step it is, nor what is not listed", async () => {
        await database.query(`create table gift (person text, tenant text, step text, note text);
            select pawl.register_action(
                'give', 'insert into gift values ($person, $tenant, $key, $note)');`);
        const other = { note: "x", person: "victim", tenant: "acme", key: "mine" };
        const asked = model(
            calls(["give", other], ["open", other], ["give", { note: "hello" }]),
            says("done"),
        );
        const parameters = { type: "object", properties: { note: { type: "string" } } };
        const id = await start(asked, {
            tools: [
                { action: "give", description: "Gives", parameters },
                {
                    name: "open",
                    action: "give",
                    description: "Gives",
                    parameters: { ...parameters, additionalProperties: true },
                },
            ],
        });
        await pawl.wait(id, { timeout: 30_000 });
        const { turns } = await step(id);
        assert.equal(turns[1].error, "it takes no argument 'person'");
        assert.equal(turns[2].error, "'give' takes no param 'person'");
        assert.equal(turns[3].error, undefined);
        const { rows } = await database.query("select person, tenant, note from gift");
        assert.deepEqual(rows, [{ person: "ann", tenant: "default", note: "hello" }]);
    });

    test("review: a person sees the draft, and what they write counts", async () => {
        const asked = model(says("Dear Ann"));
        const id = await start(asked, { review: { assignee: "eve" } });
        const task = await until("the task is there", async () => {
            const tasks = await pawl.tasks.list({ run: id }).all();
            return tasks[0];
        });
        assert.equal((task as any).data, "Dear Ann");
        await pawl.tasks.approve(task.id, { by: "eve", data: "Dear Ann!" });
        assert.equal((await pawl.wait(id, { timeout: 30_000 })).output, "other");
        const { result } = await step(id);
        assert.equal(result.answer, "Dear Ann!");
        assert.equal(result.review.by, "eve");
        assert.equal(asked.calls.length, 1);
    });

    test("a credential is sent, and stands nowhere", async () => {
        const secret = `sk-${randomUUID()}`;
        const put = await checkedFetch(`${server.url}/v1/credentials/openai`, {
            method: "PUT",
            headers: {
                Authorization: `Bearer ${server.key}`,
                "Content-Type": "application/json",
            },
            body: JSON.stringify({ value: secret }),
        });
        assert.ok(put.ok, await put.text());
        const asked = model((call) => ({
            body: {
                choices: [{ message: { content: `you said ${call.headers["authorization"]}` } }],
            },
        }));
        const id = await start(asked, { credential: "openai" });
        await pawl.wait(id, { timeout: 30_000 });
        assert.equal(asked.calls[0]!.headers["authorization"], `Bearer ${secret}`);
        assert.ok(!JSON.stringify(await step(id)).includes(secret));
    });

    test("kill -9 between replies: none is asked for again, no tool is called twice", async () => {
        const shop = sink.function(`shop${randomUUID()}`).will(() => ({ body: { open: true } }));
        const asked = model(
            calls(["shop", { n: 1 }]),
            calls(["shop", { n: 2 }]),
            never,
            says({ decision: "yes" }),
        );
        const parameters = { type: "object", properties: { n: { type: "integer" } } };
        const http = { url: `${place}/${shop.name}`, method: "POST" };
        const tools = [{ name: "shop", description: "Asks", parameters, http }];
        const id = await start(asked, { tools, decide: ["yes", "no"] });
        // Two replies and two calls are in the log; the third reply is on its way.
        await asked.called(3);
        await server.kill();
        await server.start();
        assert.equal((await pawl.wait(id, { timeout: 60_000 })).output, "yes");
        assert.equal(asked.calls.length, 4, "only the reply that never came is asked for again");
        assert.equal(shop.calls.length, 2);
        const keys = shop.calls.map((call) => call.headers["idempotency-key"]);
        assert.notEqual(keys[0], keys[1], "each call has a key of its own");
        const { turns } = await step(id);
        assert.deepEqual(
            turns.map((one: any) => (one.tool ? "tool" : "reply")),
            ["reply", "tool", "reply", "tool"],
        );
    });
});
