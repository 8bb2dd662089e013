import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import {
    countRuns,
    database,
    define,
    keyWith,
    pawl,
    request,
    runToEnd,
    sink,
    uncheckedRequest,
} from "./support/server.js";
import { ok, refuses } from "./support/sink.js";
import { until } from "./support/until.js";

const noop = { name: "s", code: "noop" };

function post(path: string, body: unknown, idempotencyKey: string): Promise<Response> {
    return request("POST", path, { body, headers: { "Idempotency-Key": idempotencyKey } });
}

/** Sends a request twice and expects the same answer, the second time as a replay. */
async function twice(
    path: string,
    body: unknown,
    idempotencyKey: string = randomUUID(),
): Promise<any> {
    const first = await post(path, body, idempotencyKey);
    const second = await post(path, body, idempotencyKey);
    assert.equal(first.headers.get("idempotent-replayed"), null);
    assert.equal(second.headers.get("idempotent-replayed"), "true");
    assert.equal(second.status, first.status);
    assert.equal(second.headers.get("location"), first.headers.get("location"));
    const text = await first.text();
    assert.equal(await second.text(), text);
    return JSON.parse(text);
}

describe("Idempotency-Key", { concurrency: 4 }, () => {
    test("the same start twice is one run and one answer", async () => {
        const workflow = await define([noop]);
        const started = await twice("/v1/runs", { workflow });
        assert.equal(started.created, true);
        assert.equal(await countRuns(workflow), 1);
    });

    test("every POST that wants a key of the API looks at it, and says so", async () => {
        const document = (await (await request("GET", "/openapi.json")).json()) as any;
        const key = "x".repeat(256);
        let seen = 0;
        for (const [path, methods] of Object.entries<any>(document.paths)) {
            if (
                !methods.post ||
                ["token", "signature", "credential"].includes(methods.post["x-scope"])
            )
                continue;
            seen++;
            const parameters = JSON.stringify(methods.post.parameters ?? []);
            assert.match(parameters, /parameters\/idempotencyKey/, path);
            const real = path.replaceAll(/\{[^}]*\}/g, "1");
            const answer = await uncheckedRequest("POST", real, {
                body: {},
                headers: { "Idempotency-Key": key },
            });
            assert.match(await answer.text(), /Idempotency-Key/, path);
        }
        assert.ok(seen > 40, `${seen}`);
    });

    test("bare or quoted is the same key", async () => {
        const workflow = await define([noop]);
        const key = randomUUID();
        const first = await (await post("/v1/runs", { workflow }, key)).json();
        const second = await (await post("/v1/runs", { workflow }, `"${key}"`)).json();
        assert.deepEqual(second, first);
    });

    test("another payload is 422, and another path too", async () => {
        const workflow = await define([noop]);
        const key = randomUUID();
        await post("/v1/runs", { workflow, data: { a: 1 } }, key);
        const other = await post("/v1/runs", { workflow, data: { a: 2 } }, key);
        assert.equal((await readProblem(other, 422)).code, "idempotency_key_reused");
        const batch = await post("/v1/runs/batch", { runs: [{ workflow }] }, key);
        await readProblem(batch, 422);
        assert.equal(await countRuns(workflow), 1);
    });

    test("a refusal is not remembered: the corrected request may use the key", async () => {
        const workflow = await define([noop]);
        const key = randomUUID();
        await readProblem(await post("/v1/runs", { workflow, data: 5 }, key), 422);
        const response = await post("/v1/runs", { workflow }, key);
        assert.equal(response.status, 201);
    });

    test("100 concurrent identical calls with one key are one run", async () => {
        const workflow = await define([noop]);
        const key = randomUUID();
        const calls = Array.from({ length: 100 }, () => post("/v1/runs", { workflow }, key));
        const answers = await Promise.all(
            (await Promise.all(calls)).map(
                (response) => response.json() as Promise<{ id: string }>,
            ),
        );
        assert.equal(new Set(answers.map((answer) => answer.id)).size, 1);
        assert.equal(await countRuns(workflow), 1);
    });

    test("100 concurrent identical calls with one correlation_id are one run", async () => {
        const workflow = await define([noop]);
        const body = { workflow, correlation_id: randomUUID() };
        const calls = Array.from({ length: 100 }, () => request("POST", "/v1/runs", { body }));
        const responses = await Promise.all(calls);
        assert.equal(responses.filter((response) => response.status === 201).length, 1);
        assert.equal(responses.filter((response) => response.status === 200).length, 99);
        const ids = await Promise.all(
            responses.map(async (response) => ((await response.json()) as { id: string }).id),
        );
        assert.equal(new Set(ids).size, 1);
        assert.equal(await countRuns(workflow), 1);
    });

    /** Two payloads with one key at the same time: their answers, in the order of the payloads. */
    async function collide(): Promise<{ workflow: string; answers: Response[] }> {
        const workflow = await define([noop]);
        const key = randomUUID();
        const calls = [0, 1].map((n) => post("/v1/runs", { workflow, data: { n } }, key));
        return { workflow, answers: await Promise.all(calls) };
    }

    test("concurrent calls with one key and two payloads: one is done, the other 422", async () => {
        const { workflow, answers } = await collide();
        assert.equal(answers.filter((answer) => answer.ok).length, 1);
        assert.equal(answers.filter((answer) => answer.status === 422).length, 1);
        assert.equal(await countRuns(workflow), 1);
    });

    test("the one that is done is the one that started the run", async () => {
        for (let round = 0; round < 10; ++round) {
            const { answers } = await collide();
            const n = answers.findIndex((answer) => answer.ok);
            const { id } = (await answers[n]?.json()) as { id: string };
            assert.deepEqual((await pawl.get(id)).input, { n });
        }
    });

    test("every other POST replays, too", async () => {
        const name = `w-${randomUUID()}`;
        assert.equal((await twice("/v1/workflows", { name, steps: [noop] })).version, 1);
        await twice("/v1/runs/batch", { runs: [{ workflow: name }, { workflow: name }] });
        assert.equal(await countRuns(name), 2);
        await twice(`/v1/workflows/${name}/deactivate`, {});
        await twice(`/v1/workflows/${name}/activate`, {});
        const run = await runToEnd(name);
        await twice(`/v1/runs/${run.id}/rerun`, {});
        assert.equal(await countRuns(name), 4);
        const key = { headers: { "Idempotency-Key": randomUUID() }, body: { from: noop.name } };
        const again = () => request("POST", `/v1/runs/${run.id}/rerun`, key);
        const answers = await Promise.all([again(), again(), again(), again()]);
        const made = answers.filter((answer) => answer.ok);
        const ids = await Promise.all(
            made.map(async (one) => ((await one.json()) as { id: string }).id),
        );
        assert.equal(new Set(ids).size, 1, "asked for at once, it is made once");
        assert.equal(await countRuns(name), 5);
        const { id } = await pawl.start(await define([{ name: "nap", wait: "1h" }]));
        await twice(`/v1/runs/${id}/cancel`, {});
    });

    test("retry and replay", async () => {
        const f = sink.function().will(refuses("down"), refuses("down"), ok());
        const step = { name: "s", function: f.name, action: "a", on_failure: "abort" };
        const workflow = await define([step]);
        const [one, two] = [await runToEnd(workflow), await runToEnd(workflow)];
        assert.equal((await twice(`/v1/runs/${one.id}/retry`, {})).created, true);
        assert.equal((await twice(`/v1/dead-letters/${two.id}/replay`, {})).created, true);
        await twice("/v1/dead-letters/replay", { workflow });
        assert.equal(await countRuns(workflow), 4);
    });

    test("a key that is too long is refused", async () => {
        const workflow = await define([noop]);
        const response = await post("/v1/runs", { workflow }, "k".repeat(256));
        const problem = await readProblem(response, 400);
        assert.equal(problem.errors?.[0]?.parameter, "Idempotency-Key");
    });

    test("a replay needs the right to do it", async () => {
        const workflow = await define([noop]);
        const headers = { "Idempotency-Key": randomUUID() };
        await request("POST", "/v1/runs", { body: { workflow }, headers });
        const key = await keyWith("runs:read");
        const response = await request("POST", "/v1/runs", { body: { workflow }, headers, key });
        await readProblem(response, 403);
    });

    test("an answer with a secret is kept so that the database does not show it", async () => {
        const workflow = await define([
            { name: "ask", type: "human", title: "May we?", assignee: "ann" },
        ]);
        const { id: run } = await pawl.start(workflow);
        const task = await until(
            "it asks",
            async () => (await pawl.tasks.list({ run }).take(1))[0],
        );
        const path = `/v1/tasks/${task.id}/links`;
        const key = randomUUID();
        const made = (await twice(path, { by: "ann" }, key)) as { url: string };
        const token = new URL(made.url).searchParams.get("token")!;
        const { rows } = await database.query<{ text: string }>(
            "select k::text as text from pawl.idempotency_key k where key = $1",
            [key],
        );
        assert.equal(rows.length, 1);
        for (const part of [...token.split("."), "token=", task.id]) {
            assert.ok(!rows[0]!.text.includes(part), part);
        }
        // As a server without a key leaves it.
        await database.query(
            `update pawl.idempotency_key set body = '', headers = headers || '{"(box)": {}}'
              where key = $1`,
            [key],
        );
        const again = await readProblem(await post(path, { by: "ann" }, key), 409);
        assert.equal(again.code, "answer_not_kept");
        assert.match(again.detail, /another Idempotency-Key/);
        await pawl.cancel(run);
    });
});
