import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { ended, start, waiting } from "./support/runs.js";
import { define, keyWith, pawl, request, runToEnd, sink } from "./support/server.js";
import { until } from "./support/until.js";

const event = "order.paid";
const waitFor = (rest: Record<string, unknown> = {}): Record<string, unknown> => ({
    name: "paid",
    wait: { event, key: "{{ order }}", ...rest },
});

describe("events", { concurrency: 4 }, () => {
    test("wake a run that waits, with their data", async () => {
        const workflow = await define([waitFor()]);
        const [order, other] = [randomUUID(), randomUUID()];
        const mine = await start(workflow, { order });
        const others = await start(workflow, { order: other });
        await waiting(mine);
        await waiting(others);
        const answer = await pawl.inbox.publish({ name: event, key: order, data: { total: 9 } });
        assert.equal(answer.duplicate, false);
        const output = await ended(mine);
        assert.deepEqual(output, { id: answer.id, name: event, key: order, data: { total: 9 } });
        assert.equal((await pawl.get(others)).status, "waiting");
        await pawl.cancel(others);
    });

    test("that come before the wait are kept for it", async () => {
        const f = sink.function();
        const release = f.waits();
        const workflow = await define([{ name: "s", function: f.name, action: "a" }, waitFor()]);
        const order = randomUUID();
        const run = await start(workflow, { order });
        await f.called(1);
        await pawl.inbox.publish({ name: event, key: order, data: 1 });
        release();
        assert.equal((await ended(run))["data"], 1);
    });

    test("that came before the run do not count", async () => {
        const workflow = await define([waitFor({ timeout: "300ms" })]);
        const order = randomUUID();
        await pawl.inbox.publish({ name: event, key: order });
        const run = await runToEnd(workflow, { order });
        assert.equal(run.status, "failed");
        assert.equal((run.error as { code: string }).code, "timeout");
    });

    test("with one id count once", async () => {
        const id = randomUUID();
        const first = await pawl.inbox.publish({ id, name: event, key: "x" });
        assert.deepEqual(first, { id, duplicate: false });
        assert.deepEqual(await pawl.inbox.publish({ id, name: event, key: "x" }), {
            id,
            duplicate: true,
        });
    });

    test("without an id get one; with an Idempotency-Key always the same", async () => {
        const send = async (key: string): Promise<unknown> => {
            const headers = { "Idempotency-Key": key };
            const body = { name: event, key: "x" };
            const response = await request("POST", "/v1/events", { headers, body });
            assert.equal(response.status, 202);
            return ((await response.json()) as { id: string }).id;
        };
        const key = randomUUID();
        assert.equal(await send(key), await send(key));
        assert.notEqual(await send(key), await send(randomUUID()));
    });

    test("come as a list of up to 1,000, answered in its order", async () => {
        const workflow = await define([waitFor()]);
        const orders = ["a", "b", "c"].map((one) => one + randomUUID());
        const runs = await Promise.all(orders.map((order) => start(workflow, { order })));
        const id = randomUUID();
        const answers = await pawl.inbox.publishMany([
            ...orders.map((key) => ({ name: event, key, data: key })),
            { id, name: event },
            { id, name: event },
        ]);
        assert.deepEqual(
            answers.map((one) => one.duplicate),
            [false, false, false, false, true],
        );
        const outputs = await Promise.all(runs.map(ended));
        assert.deepEqual(
            outputs.map((output) => output["data"]),
            orders,
        );
    });

    test("wait for one of several, or for all", async () => {
        const step = {
            name: "either",
            wait: {
                events: [
                    { event: "paid", key: "{{ order }}" },
                    { event: "refused", key: "{{ order }}" },
                ],
                mode: "{{mode}}",
            },
        };
        for (const mode of ["any", "all"]) {
            const wait = { ...step.wait, mode };
            const workflow = await define([{ ...step, wait }]);
            const order = randomUUID();
            const run = await start(workflow, { order });
            await waiting(run);
            await pawl.inbox.publish({ name: "refused", key: order });
            if (mode === "all") await pawl.inbox.publish({ name: "paid", key: order });
            const output = await ended(run);
            const names = [output].flat().map((one) => (one as { name: string }).name);
            assert.deepEqual(names, mode === "any" ? ["refused"] : ["paid", "refused"]);
        }
    });

    test("the subject is the key where nothing else is said", async () => {
        const workflow = await define([{ name: "paid", wait: { event } }]);
        const subject = randomUUID();
        const { id } = await pawl.start(workflow, {}, { subject });
        await waiting(id);
        await pawl.inbox.publish({ name: event, subject });
        await ended(id);
    });

    test("exit_on ends a run wherever it stands", async () => {
        const workflow = await define([{ name: "nap", wait: { duration: "1h" } }], {
            exit_on: [{ event: "unsubscribed" }],
        });
        const subject = randomUUID();
        const { id } = await pawl.start(workflow, {}, { subject });
        await waiting(id);
        await pawl.inbox.publish({ name: "unsubscribed", key: subject });
        assert.deepEqual(await ended(id), { exited_by: "unsubscribed" });
    });

    test("emit reaches runs of other workflows", async () => {
        const listener = await define([waitFor()]);
        const order = randomUUID();
        const run = await start(listener, { order });
        await waiting(run);
        const speaker = await define([
            { id: "tell", type: "emit", config: { event, key: order, data: { from: "emit" } } },
        ]);
        await runToEnd(speaker);
        assert.deepEqual((await ended(run))["data"], { from: "emit" });
    });
});

describe("what is refused about events", { concurrency: 4 }, () => {
    const bad: [string, unknown, string[]][] = [
        ["no name", {}, ["/name"]],
        ["a name that is no text", { name: 5 }, ["/name"]],
        ["an empty key", { name: "x", key: "" }, ["/key"]],
        ["a long id", { name: "x", id: "i".repeat(401) }, ["/id"]],
        ["a long id in bytes", { name: "x", id: "ü".repeat(250) }, ["/id"]],
        ["a long name in bytes", { name: "ü".repeat(150) }, ["/name"]],
        ["a misspelt member", { name: "x", dta: 1 }, ["/dta"]],
        ["a name of the engine", { name: "pawl.task.opened" }, ["/name"]],
        ["a list with a wrong one", [{ name: "x" }, { nam: "x" }], ["/1/name", "/1/nam"]],
        ["a list of something else", [5], ["/0"]],
        ["an empty list", [], [""]],
        ["a list that is too long", Array(1001).fill({ name: "x" }), [""]],
        ["text", "text", [""]],
    ];
    for (const [what, body, pointers] of bad) {
        test(what, async () => {
            const text = JSON.stringify(body);
            const headers = { "Content-Type": "application/json" };
            const response = await request("POST", "/v1/events", { headers, body: text });
            const problem = await readProblem(response, 422);
            assert.deepEqual(
                problem.errors?.map((one) => one.pointer),
                pointers,
            );
        });
    }

    test("bodies that cannot be read", async () => {
        const post = (body: string, type: string): Promise<Response> =>
            request("POST", "/v1/events", { headers: { "Content-Type": type }, body });
        await readProblem(await post("{", "application/json"), 400);
        await readProblem(await post("a=b", "application/x-www-form-urlencoded"), 415);
        const empty = await request("POST", "/v1/events", {});
        assert.equal((await readProblem(empty, 400)).code, "invalid_json");
    });

    test("parameters that are not known", async () => {
        for (const path of ["/v1/events?nam=x", "/v1/events?limit=0", "/v1/events?cursor=x"]) {
            await readProblem(await request("GET", path), 400);
        }
    });
});

describe("the inbox", { concurrency: 4 }, () => {
    test("lists what came, newest first, by name and key, in pages", async () => {
        const name = `n-${randomUUID()}`;
        for (const key of ["a", "b", "a"]) await pawl.inbox.publish({ name, key, data: { key } });
        const all = await pawl.inbox.list({ name, limit: 2 }).all();
        assert.deepEqual(
            all.map((one) => one.key),
            ["a", "b", "a"],
        );
        assert.equal((await pawl.inbox.list({ name, key: "a" }).all()).length, 2);
        await until("matched", async () => {
            const [newest] = await pawl.inbox.list({ name }).all();
            return newest?.state === "matched";
        });
    });

    test("scopes: one may send without seeing, and the other way round", async () => {
        const [write, read] = [await keyWith("events:write"), await keyWith("events:read")];
        const body = { name: event };
        assert.equal((await request("POST", "/v1/events", { key: write, body })).status, 202);
        assert.equal((await request("GET", "/v1/events", { key: write })).status, 403);
        assert.equal((await request("GET", "/v1/events", { key: read })).status, 200);
    });
});
