import { PawlError } from "@pawl/client";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { define, pawl, request, runToEnd, sink } from "./support/server.js";
import { ok, refuses, type StepFunction } from "./support/sink.js";
import { until } from "./support/until.js";

/** A workflow whose one step gives up, and so many dead letters of it. */
async function deadRuns(
    count: number,
): Promise<{ workflow: string; f: StepFunction; ids: string[] }> {
    const f = sink.function();
    let calls = 0;
    // Messages that differ only in what differs from run to run.
    f.will((call) => refuses(`order ${1000 + ++calls} is unknown`)(call));
    const workflow = await define([
        { name: "order", function: f.name, action: "a", on_failure: "abort" },
    ]);
    const ids: string[] = [];
    for (let i = 0; i < count; ++i) ids.push((await runToEnd(workflow)).id);
    return { workflow, f, ids };
}

describe("dead letters", { concurrency: 4 }, () => {
    test("list: newest first, page by page, with what went wrong", async () => {
        const { workflow, ids } = await deadRuns(3);
        const found: string[] = [];
        for await (const letter of pawl.deadLetters.list({ workflow, limit: 2 })) {
            found.push(letter.run_id);
            assert.equal(letter.step, "order");
            assert.match(letter.error.message, /^order \d+ is unknown$/);
            assert.equal(letter.replayed_as, null);
        }
        assert.deepEqual(found, [...ids].reverse());
        assert.deepEqual(await pawl.deadLetters.list({ workflow, step: "other" }).take(1), []);
    });

    test("groups: the same error is one group, however it is numbered", async () => {
        const { workflow, ids } = await deadRuns(3);
        const [group, ...rest] = await pawl.deadLetters.groups({ workflow });
        assert.deepEqual(rest, []);
        assert.equal(group?.count, 3);
        assert.equal(group?.step, "order");
        assert.ok(ids.includes(group?.sample_run_id ?? ""));
        assert.ok(Date.parse(group?.first_at ?? "") <= Date.parse(group?.last_at ?? ""));
        const filter = { workflow, fingerprint: group?.fingerprint };
        assert.equal((await pawl.deadLetters.list(filter).take(9)).length, 3);
        const short = { workflow, fingerprint: group?.fingerprint.slice(0, 12) };
        assert.equal((await pawl.deadLetters.list(short).take(9)).length, 3);
        const none = await pawl.deadLetters.list({ workflow, fingerprint: "000000" }).take(1);
        assert.deepEqual(none, []);
        await readProblem(await request("GET", "/v1/dead-letters?fingerprint=none"), 400);
        const body = { fingerprint: "3f9c1" };
        await readProblem(await request("POST", "/v1/dead-letters/replay", { body }), 422);
    });

    test("replay one: a new run, once; the letter remembers it", async () => {
        const { workflow, f, ids } = await deadRuns(1);
        f.will(ok({ fine: true }));
        const replayed = await pawl.deadLetters.replay(ids[0]!);
        assert.equal(replayed.created, true);
        const run = await pawl.wait(replayed.id, { timeout: 60_000 });
        assert.equal(run.status, "completed");
        assert.equal(run.parent, ids[0]);
        assert.deepEqual(await pawl.deadLetters.list({ workflow }).take(1), []);
        const [letter] = await pawl.deadLetters.list({ workflow, replayed: true }).take(1);
        assert.equal(letter?.replayed_as, replayed.id);
        assert.ok(letter?.replayed_at);
        const again = await pawl.deadLetters.replay(ids[0]!);
        assert.deepEqual(again, { ...replayed, created: false });
    });

    test("replay all that match, as a job", async () => {
        const { workflow, f, ids } = await deadRuns(3);
        const other = await deadRuns(1);
        f.will(ok());
        const response = await request("POST", "/v1/dead-letters/replay", { body: { workflow } });
        assert.equal(response.status, 202);
        const { id } = (await response.json()) as { id: string };
        assert.equal(response.headers.get("location"), `/v1/jobs/${id}`);
        const job = await until("the job is done", async () => {
            const now = await pawl.job(id);
            return now.status === "done" && now;
        });
        assert.deepEqual([job.total, job.done, job.failed], [3, 3, 0]);
        const letters = await pawl.deadLetters.list({ workflow, replayed: true }).take(9);
        assert.deepEqual(letters.map((letter) => letter.run_id).sort(), [...ids].sort());
        for (const letter of letters) {
            const run = await pawl.wait(letter.replayed_as ?? "", { timeout: 60_000 });
            assert.equal(run.status, "completed");
        }
        assert.equal((await pawl.deadLetters.list({ workflow: other.workflow }).take(9)).length, 1);
    });

    test("replay a few by their ids, at once", async () => {
        const { workflow, f, ids } = await deadRuns(2);
        f.will(ok());
        const path = "/v1/dead-letters/replay";
        const stranger = "0198c0de-0000-7000-8000-000000000000";
        const response = await request("POST", path, { body: { runs: [...ids, stranger] } });
        assert.equal(response.status, 200);
        const { data } = (await response.json()) as {
            data: { run_id: string; replayed_as: string | null }[];
        };
        const fresh = new Map(data.map((one) => [one.run_id, one.replayed_as]));
        assert.equal(fresh.get(stranger), null);
        for (const id of ids) {
            const run = await pawl.wait(fresh.get(id) ?? "", { timeout: 60_000 });
            assert.equal(run.status, "completed");
        }
        assert.equal((await pawl.deadLetters.list({ workflow }).take(9)).length, 0);
        await readProblem(await request("POST", path, { body: { runs: [] } }), 422);
        await readProblem(await request("POST", path, { body: { runs: ["x"] } }), 422);
        await readProblem(await request("POST", path, { body: { runs: ids, all: true } }), 422);
    });

    test("replaying everything must be said", async () => {
        const path = "/v1/dead-letters/replay";
        await readProblem(await request("POST", path, { body: {} }), 422);
        await readProblem(await request("POST", path, { body: { all: false } }), 422);
        await readProblem(await request("POST", path, { body: { worklow: "x" } }), 422);
    });

    test("replay with a mended input, on the active version", async () => {
        const check = 'if .input.ok then "fine" else error("not ok") end';
        const workflow = await define([{ name: "check", transform: check }]);
        const old = await runToEnd(workflow, { ok: false, kept: 7 });
        assert.equal(old.status, "failed");
        await pawl.workflows.apply({
            name: workflow,
            steps: [
                { name: "check", transform: check },
                { name: "more", code: "echo", input: { said: "{{ input.kept }}" } },
            ],
        });
        const body = { workflow, data: { ok: true }, active_version: true };
        const response = await request("POST", "/v1/dead-letters/replay", { body });
        assert.equal(response.status, 202);
        const letter = await until("it is replayed", async () => {
            const [one] = await pawl.deadLetters.list({ workflow, replayed: true }).take(1);
            return one;
        });
        const run = await pawl.wait(letter.replayed_as ?? "", { timeout: 60_000 });
        assert.deepEqual([run.status, run.version], ["completed", 2]);
        assert.deepEqual(run.input, { ok: true, kept: 7 });
        const path = "/v1/dead-letters/replay";
        await readProblem(await request("POST", path, { body: { workflow, data: [] } }), 422);
        await readProblem(await request("POST", path, { body: { data: {} } }), 422);
    });

    test("an error is muted with a reason, and counts as failing again", async () => {
        const { workflow } = await deadRuns(2);
        const [group] = await pawl.deadLetters.groups({ workflow });
        assert.equal(group?.muted, null);
        assert.equal(group?.pulse.length, 24);
        assert.equal(
            group?.pulse.reduce((sum, one) => sum + one, 0),
            2,
        );
        const path = `/v1/dead-letters/groups/${group?.fingerprint}/mute`;
        await readProblem(await request("PUT", path, { body: {} }), 422);
        await readProblem(await request("DELETE", path), 404);
        const failing = async (): Promise<number> => {
            const response = await request("GET", "/v1/overview");
            return ((await response.json()) as any).failures.groups as number;
        };
        const reason = "<b>seen</b> ' ; --";
        const muted = await request("PUT", path, { body: { reason, by: "ann" } });
        assert.equal(muted.status, 200);
        const [after] = await pawl.deadLetters.groups({ workflow });
        assert.deepEqual([after?.muted?.by, after?.muted?.reason], ["ann", reason]);
        assert.ok((await failing()) >= 0);
        assert.equal((await request("DELETE", path)).status, 200);
        assert.equal((await pawl.deadLetters.groups({ workflow }))[0]?.muted, null);
        const none = "/v1/dead-letters/groups/0123456789abcdef/mute";
        await readProblem(await request("PUT", none, { body: { reason } }), 404);
        await readProblem(
            await request("PUT", "/v1/dead-letters/groups/none!/mute", { body: { reason } }),
            400,
        );
    });

    test("what is not there is 404, and what has not failed cannot be replayed", async () => {
        const id = "0198c0de-0000-7000-8000-000000000000";
        await readProblem(await request("POST", `/v1/dead-letters/${id}/replay`), 404);
        await readProblem(await request("GET", `/v1/jobs/${id}`), 404);
        const fine = await runToEnd(await define([{ name: "s", code: "noop" }]));
        const wrong = pawl.deadLetters.replay(fine.id);
        await assert.rejects(wrong, (error: PawlError) => [404, 409].includes(error.status));
    });
});
