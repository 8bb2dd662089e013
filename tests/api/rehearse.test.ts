import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { pawl, request } from "./support/server.js";

// One run of a definition that need not be published, in virtual time: each step with what it got
// and what came of it.

const journey = (name: string) =>
    ({
        name,
        exit_on: [{ event: "left" }],
        nodes: [
            { id: "came", type: "trigger" },
            { id: "an_hour", wait: "1h" },
            { id: "loyal", condition: { path: "trigger.points", operator: ">", value: 100 } },
            { id: "thanks", message: { channel: "sms", text: "Hi {{ user.first_name }}" } },
            { id: "ask", human: { title: "A gift?", due: "2d" } },
            { id: "call", http: { url: "https://a.example/{{ trigger.points }}" } },
        ],
        edges: [
            { from: "came", to: "an_hour" },
            { from: "an_hour", to: "loyal" },
            { from: "loyal", to: "ask", handle: "true" },
            { from: "loyal", to: "thanks", handle: "false" },
            { from: "ask", to: "call", handle: "approved" },
            { from: "ask", to: "thanks", handle: "timeout" },
        ],
    }) as never;

const post = (body: unknown) => request("POST", "/v1/workflows/rehearse", { body });

describe("rehearsals", () => {
    const name = `rehearsed_${randomUUID().slice(0, 8)}`;
    const person = { first_name: "Ann", addresses: { sms: "+66811111111" } };

    test("each step says what it got and what came of it, and nothing is kept", async () => {
        const run = await pawl.workflows.rehearse(journey(name), {
            subject: "ann",
            person,
            input: { points: 7 },
        });
        assert.deepEqual([run.status, run.took, run.waits_at], ["completed", "1h", []]);
        assert.deepEqual(
            run.steps.map((one) => [one.node, one.handle, one.by?.from ?? null]),
            [
                ["came", "default", null],
                ["an_hour", "default", "came"],
                ["loyal", "false", "an_hour"],
                ["thanks", null, "loyal"],
            ],
        );
        const [, wait, , thanks] = run.steps;
        assert.equal(wait!.ended_at, "2026-01-01T01:00:00.000000Z");
        assert.deepEqual(thanks!.input, { channel: "sms", text: "Hi Ann" });
        assert.deepEqual(thanks!.result, { state: "sent", channel: "sms" });
        assert.deepEqual(
            run.edges.map((edge) => edge.count),
            [1, 1, 0, 1, 0, 0],
        );
        assert.equal((await request("GET", `/v1/workflows/${name}`)).status, 404);
    });

    test("people decide, time passes, and what is made up says so", async () => {
        const input = { points: 200 };
        const late = await pawl.workflows.rehearse(journey(name), { person, input });
        assert.deepEqual(
            late.steps.map((one) => one.node),
            ["came", "an_hour", "loyal", "ask", "thanks"],
        );
        assert.equal(late.took, "49h");
        const yes = { ask: { decision: "approved" } };
        const run = await pawl.workflows.rehearse(journey(name), { person, input, mocks: yes });
        const call = run.steps.at(-1)!;
        assert.equal((call.input as any).url, "https://a.example/200");
        assert.deepEqual([call.made_up, call.result], [true, {}]);
        const failed = await pawl.workflows.rehearse(journey(name), {
            input,
            mocks: { ...yes, call: { error: { code: "http_503" } } },
        });
        assert.equal(failed.status, "failed");
        assert.equal((failed.steps.at(-1)!.error as any).code, "http_503");
        const left = await pawl.workflows.rehearse(journey(name), {
            subject: "ann",
            input,
            events: [{ after: "30m", event: "left", key: "ann" }],
        });
        assert.deepEqual(
            left.steps.map((one) => one.node),
            ["came", "an_hour"],
        );
    });

    test("the subject is looked up, and one without an address is skipped", async () => {
        await request("PUT", `/v1/people/${name}`, {
            body: { attributes: { first_name: "Bob" }, addresses: {} },
        });
        const run = await pawl.workflows.rehearse(journey(name), {
            subject: name,
            input: { points: 1 },
        });
        const sent = run.steps.at(-1)!;
        assert.equal((sent.input as any).text, "Hi Bob");
        assert.equal((sent.result as any).reason, "no_address");
        assert.equal((run.person as any).first_name, "Bob");
    });

    test("expectations are compared", async () => {
        const expect = { path: ["came", "thanks"] };
        const run = await pawl.workflows.rehearse(journey(name), {
            person,
            input: { points: 1 },
            expect,
        });
        assert.equal(run.mismatches[0]!.what, "path");
    });

    test("one that goes in circles is broken off", async () => {
        const circle = {
            name,
            nodes: [
                { id: "a", code: "noop" },
                { id: "b", wait: "1s" },
            ],
            edges: [
                { from: "a", to: "b" },
                { from: "b", to: "a" },
            ],
        };
        const run = await pawl.workflows.rehearse(circle as never);
        assert.equal((run.error as any).code, "loop_limit");
        assert.ok(run.truncated);
        assert.equal(run.steps.length, 1000);
    });

    test("what is wrong is said with its place", async () => {
        const places = async (body: unknown) =>
            (await readProblem(await post(body), 422)).errors?.map((one) => one.pointer);
        const definition = journey(name);
        assert.deepEqual(await places({}), ["/definition"]);
        assert.deepEqual(await places({ definition: "nodes: 1" }), ["/definition"]);
        assert.deepEqual(await places({ definition, test: { zzz: 1 } }), ["/test/zzz"]);
        assert.deepEqual(await places({ definition, test: { mocks: { none: {} } } }), [
            "/test/mocks/none",
        ]);
        assert.deepEqual(await places({ definition, test: { events: [{ after: "x" }] } }), [
            "/test/events/0/after",
        ]);
        assert.deepEqual(await places({ definition, test: [] }), ["/test"]);
        assert.deepEqual(await places({ definition, more: 1 }), ["/more"]);
    });
});
