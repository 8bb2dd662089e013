import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { database, define, pawl, request, sink, url } from "./support/server.js";
import type { StepFunction } from "./support/sink.js";
import { until } from "./support/until.js";

// A step answers 202 and says later how it ended.

const accepted = (): { status: number; body: unknown } => ({ status: 202, body: {} });

interface Slow {
    f: StepFunction;
    run: string;
    token: string;
}

async function slowStep(rest: Record<string, unknown> = {}): Promise<Slow> {
    const f = sink.function().will(accepted);
    const step = { name: "slow", function: f.name, action: "a", callback: true, ...rest };
    const run = (await pawl.start(await define([step]), {})).id;
    const [call] = await f.called(1);
    const token = String(call!.headers["pawl-callback-token"]);
    assert.equal(call!.headers["pawl-callback-url"], `${url}/v1/callbacks/${token}`);
    return { f, run, token };
}

const answer = (token: string, body?: unknown): Promise<Response> =>
    request("POST", `/v1/callbacks/${token}`, { key: undefined, body });

describe("callbacks", { concurrency: 4 }, () => {
    test("the run goes on with what the callback says", async () => {
        const { run, token, f } = await slowStep();
        await until("it waits", async () => (await pawl.get(run)).status === "waiting");
        const response = await answer(token, { data: { pages: 12 } });
        assert.equal(response.status, 202);
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal(whole.status, "completed");
        assert.deepEqual(whole.output, { pages: 12 });
        assert.equal(f.calls.length, 1);
        // The sender may not have heard that it was taken; a stranger cannot take it back.
        assert.equal((await answer(token, { data: { pages: 12 } })).status, 202);
        assert.equal((await readProblem(await answer(token), 409)).code, "already_answered");
    });

    test("a token is used once, however often and fast it comes", async () => {
        const { run, token } = await slowStep();
        await until("it waits", async () => (await pawl.get(run)).status === "waiting");
        const right = { data: { paid: true } };
        const answers = await Promise.all(
            Array.from({ length: 50 }, (_, i) =>
                answer(token, i % 2 ? right : { data: { paid: false, by: i } }),
            ),
        );
        const statuses = answers.map((one) => one.status);
        assert.deepEqual([...new Set(statuses)].sort(), [202, 409]);
        const { rows: kept } = await database.query<{ text: string }>(
            "select u::text as text from pawl.callback_use u where u.run_id = $1",
            [run],
        );
        assert.equal(kept.length, 1);
        assert.ok(!kept[0]!.text.includes(token.split(".")[1]!));
        const whole = await pawl.wait(run, { timeout: 60_000 });
        const taken = answers.findIndex((one) => one.status === 202);
        assert.deepEqual(whole.output, taken % 2 ? right.data : { paid: false, by: taken });
    });

    test("a run that has closed takes no answer", async () => {
        const { run, token } = await slowStep();
        await request("POST", `/v1/runs/${run}/cancel`, { body: { force: true } });
        await pawl.wait(run, { timeout: 60_000 });
        assert.equal((await readProblem(await answer(token), 410)).code, "run_closed");
    });

    test("a callback that comes before the answer to the call is not lost", async () => {
        const f = sink.function();
        let run = "";
        f.will(async (call) => {
            const early = await answer(String(call.headers["pawl-callback-token"]), { data: 1 });
            assert.equal(early.status, 202);
            return accepted();
        });
        const step = { name: "slow", function: f.name, action: "a", callback: true };
        run = (await pawl.start(await define([step]), {})).id;
        assert.equal((await pawl.wait(run, { timeout: 60_000 })).output, 1);
    });

    test("a retryable failure is tried again", async () => {
        const { run, token, f } = await slowStep({ retry: { attempts: 2, base: "1ms" } });
        const error = { code: "busy", retryable: true };
        assert.equal((await answer(token, { status: "failed", error })).status, 202);
        const calls = await f.called(2);
        const next = String(calls[1]!.headers["pawl-callback-token"]);
        assert.equal((await answer(next, { data: 2 })).status, 202);
        assert.equal((await pawl.wait(run, { timeout: 60_000 })).output, 2);
    });

    test("the timeout of the step is how long the answer may take", async () => {
        const { run } = await slowStep({ timeout: "1s", retry: { attempts: 1 } });
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal((whole.error as { code: string }).code, "timeout");
    });

    test("a peer that does not answer in time has lost the step", async () => {
        const beat = (token: string): Promise<Response> =>
            request("POST", `/v1/callbacks/${token}/heartbeat`, { key: undefined });
        const silent = await slowStep({ heartbeat: "1s", retry: { attempts: 1 } });
        const whole = await pawl.wait(silent.run, { timeout: 60_000 });
        assert.equal((whole.error as { code: string }).code, "heartbeat_lost");
        assert.equal((await readProblem(await beat(silent.token), 410)).code, "run_closed");
        const heard = await slowStep({ heartbeat: "1h" });
        assert.equal((await beat(heard.token)).status, 202);
        assert.equal((await answer(heard.token, { data: 1 })).status, 202);
        assert.equal((await pawl.wait(heard.run, { timeout: 60_000 })).output, 1);
    });

    test("a failure fails the step", async () => {
        const { run, token } = await slowStep();
        const error = { code: "no_paper", message: "the printer is empty" };
        assert.equal((await answer(token, { status: "failed", error })).status, 202);
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal(whole.status, "failed");
        assert.equal((whole.error as { code: string }).code, "no_paper");
    });

    test("a step that answers 200 is over at once", async () => {
        const f = sink.function();
        const step = { name: "quick", function: f.name, action: "a", callback: true };
        const run = (await pawl.start(await define([step]), {})).id;
        assert.equal((await pawl.wait(run, { timeout: 60_000 })).status, "completed");
    });

    test("what is not a token of this server is refused", async () => {
        const { token, run } = await slowStep();
        for (const wrong of ["x", `${token}x`, token.slice(1), token.split(".")[0]!]) {
            assert.equal((await readProblem(await answer(wrong), 401)).code, "invalid_token");
        }
        for (const body of [{ status: "done" }, { nonsense: 1 }, { error: {} }]) {
            await readProblem(await answer(token, body), 422);
        }
        await request("POST", `/v1/runs/${run}/cancel`, { body: { force: true } });
    });
});
