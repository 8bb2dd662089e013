import type { Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { pawl, request, sink } from "./support/server.js";
import { ok } from "./support/sink.js";
import { until } from "./support/until.js";

type Clause = { code: string; values: Record<string, unknown> };
type Why = {
    sentence: string;
    clauses: Clause[];
    what_helps: string;
    help: Clause;
    places: string[];
    place_clauses: Clause[];
};

async function apply(definition: object): Promise<string> {
    const name = `graph-${randomUUID()}`;
    await pawl.workflows.apply({ name, ...definition } as Definition);
    return name;
}

async function why(id: string): Promise<Why> {
    const response = await request("GET", `/v1/runs/${id}/why`);
    assert.equal(response.status, 200);
    return (await response.json()) as Why;
}

describe("graphs", { concurrency: 4 }, () => {
    test("branches join, a list is walked by child runs, and a condition chooses", async () => {
        const child = await apply({ steps: [{ name: "s", code: "echo", input: "{{ n }}" }] });
        const workflow = await apply({
            nodes: [
                { id: "split", type: "parallel" },
                { id: "a", code: "echo", input: { a: 1 } },
                { id: "each", foreach: { items: "{{ input.list }}", concurrency: 2 } },
                { id: "body", call: { workflow: child, input: { n: "{{ item }}" } } },
                { id: "both", type: "join" },
                { id: "enter", lock: "stock" },
                { id: "leave", unlock: "stock" },
                { id: "big", condition: { path: "input.total", operator: ">", value: 10 } },
                { id: "yes", end: { output: { list: "{{ steps.each.result }}" } } },
                { id: "no", end: { output: "small" } },
            ],
            edges: [
                { from: "split", to: "a" },
                { from: "split", to: "each" },
                { from: "each", to: "body", handle: "each" },
                { from: "a", to: "both" },
                { from: "each", to: "both" },
                { from: "both", to: "enter" },
                { from: "enter", to: "leave" },
                { from: "leave", to: "big" },
                { from: "big", to: "yes", handle: "true" },
                { from: "big", to: "no", handle: "false" },
            ],
        });
        const big = await pawl.start(workflow, { list: [1, 2, 3], total: 50 });
        const run = await pawl.wait(big.id, { timeout: 60_000 });
        assert.equal(run.status, "completed", JSON.stringify(run));
        assert.deepEqual(run.output, { list: [1, 2, 3] });
        const small = await pawl.start(workflow, { list: [], total: 5 });
        assert.equal((await pawl.wait(small.id, { timeout: 60_000 })).output, "small");
        assert.equal((await why(big.id)).sentence, "It completed.");
    });

    test("why names the step under way, and every branch", async () => {
        const f = sink.function();
        const release = f.waits(ok({}));
        const workflow = await apply({
            nodes: [
                { id: "split", type: "parallel" },
                { id: "slow", function: f.name },
                { id: "later", wait: "1h" },
            ],
            edges: [
                { from: "split", to: "slow" },
                { from: "split", to: "later" },
            ],
        });
        const { id } = await pawl.start(workflow, {});
        await f.called(1);
        const answer = await why(id);
        assert.match(answer.sentence, /^Waits at 'later' until /);
        assert.ok(
            answer.places.some((place) => place === "'slow' is being carried out (attempt 1)."),
        );
        const [waits, ...more] = answer.clauses;
        assert.deepEqual([waits?.code, waits?.values["step"], more], ["waits_time", "later", []]);
        assert.ok(answer.sentence.includes(String(waits?.values["at"])));
        assert.deepEqual(answer.help, { code: "nothing", values: {} });
        const codes = answer.place_clauses.map(({ code, values }) => [code, values["step"]]);
        assert.deepEqual(codes, [
            ["waits_time", "later"],
            ["at_work", "slow"],
        ]);
        release();
        await request("POST", `/v1/runs/${id}/cancel`, { body: {} });
        await until("the cancel", async () => (await pawl.status(id)).status === "cancelled");
        assert.equal((await why(id)).sentence, "It was cancelled: cancelled through the API.");
        const unknown = await request("GET", `/v1/runs/${randomUUID()}/why`);
        assert.equal((await readProblem(unknown, 404)).code, "not_found");
    });

    test("rerun goes on from a step with another input", async () => {
        const workflow = await apply({
            steps: [
                { name: "first", code: "echo", input: { first: "{{ input.word }}" } },
                {
                    name: "second",
                    code: "echo",
                    input: "{{ steps.first.result.first }}-{{ input.word }}",
                },
            ],
        });
        const { id } = await pawl.start(workflow, { word: "a" });
        assert.equal((await pawl.wait(id, { timeout: 60_000 })).output, "a-a");
        const body = { from: "second", data: { word: "b" } };
        const response = await request("POST", `/v1/runs/${id}/rerun`, { body });
        assert.equal(response.status, 201);
        const again = (await response.json()) as { id: string };
        assert.equal((await pawl.wait(again.id, { timeout: 60_000 })).output, "a-b");
        const wrong = await request("POST", `/v1/runs/${id}/rerun`, { body: { from: "third" } });
        assert.equal((await readProblem(wrong, 422)).code, "validation_failed");
    });
});
