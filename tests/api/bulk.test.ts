import type { BulkRuns, Job } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { ended, waiting } from "./support/runs.js";
import {
    countRuns,
    database,
    databaseUrl,
    define,
    pawl,
    request,
    runToEnd,
    sink,
} from "./support/server.js";
import { pawlCommand } from "./support/process.js";
import { freshDatabase, Serve } from "./support/serve.js";
import { ok, refuses } from "./support/sink.js";
import { until } from "./support/until.js";

async function jobDone(id: string): Promise<Job> {
    return await until("the job is over", async () => {
        const job = await pawl.job(id);
        return job.status === "done" && job;
    });
}

const go = { name: "go", wait: { signal: "go" } };

/** Runs that wait for the signal `go`. */
async function waitingRuns(count: number, steps: Record<string, unknown>[] = [go]) {
    const workflow = await define(steps);
    const runs = Array.from({ length: count }, (_, i) => ({ workflow, subject: `s${i}` }));
    const ids = (await pawl.startMany(runs)).map((one) => one.id);
    for (const id of ids) await waiting(id);
    return { workflow, ids };
}

describe("bulk", { concurrency: 4 }, () => {
    test("a dry run counts and changes nothing", async () => {
        const { workflow, ids } = await waitingRuns(12);
        const request: BulkRuns = { action: "cancel", filter: { workflow } };
        const preview = await pawl.previewBulk(request);
        assert.deepEqual([preview.total, preview.complete], [12, true]);
        assert.deepEqual(preview.sample, [...ids].reverse().slice(0, 10));
        const narrow = { ...request, filter: { workflow, subject: "s3", status: "waiting" } };
        assert.deepEqual((await pawl.previewBulk(narrow)).sample, [ids[3]]);
        for (const id of ids) assert.equal((await pawl.get(id)).status, "waiting");
    });

    test("cancel: all that match, and no others", async () => {
        const { workflow, ids } = await waitingRuns(7);
        const other = await waitingRuns(1);
        const reason = "the shop is closed";
        const job = await pawl.bulk({ action: "cancel", filter: { workflow }, reason });
        assert.deepEqual([job.kind, job.action, job.total], ["bulk", "cancel", 7]);
        const over = await jobDone(job.id);
        assert.deepEqual([over.done, over.failed, over.examples], [7, 0, []]);
        for (const id of ids) {
            const run = await pawl.wait(id, { timeout: 60_000 });
            assert.equal(run.status, "cancelled");
        }
        assert.equal((await pawl.get(other.ids[0]!)).status, "waiting");
        const log = await pawl.events(ids[0]!).all();
        assert.equal((log.at(-1)?.data as any).reason, reason);
    });

    test("jobs are listed and cancelled", async () => {
        const { workflow } = await waitingRuns(1);
        const filter = { workflow };
        const job = await pawl.bulk({ action: "pause", filter });
        assert.equal(job.workflow, workflow);
        await jobDone(job.id);
        const done = await pawl.jobs({ status: "done", limit: 2 }).take(1000);
        assert.ok(done.some((one) => one.id === job.id));
        const over = await request("POST", `/v1/jobs/${job.id}/cancel`);
        assert.match((await readProblem(over, 409)).detail, /the job is done/);
        // One that a server took and that takes its time.
        const id = randomUUID();
        await database.query(
            `insert into pawl.job (id, tenant, kind, filter, request, total, status, lease_until)
             values ($1, 1, 'bulk', '{}', '{"action": "pause"}', 9, 'running',
                     now() + interval '1 hour')`,
            [id],
        );
        const running = await pawl.jobs({ status: "running" }).take(100);
        assert.ok(running.some((one) => one.id === id));
        const cancelled = await pawl.cancelJob(id);
        assert.equal(cancelled.status, "cancelled");
        assert.match(cancelled.error ?? "", /^cancelled by /);
        assert.deepEqual(await pawl.cancelJob(id), cancelled);
        for (const path of [`/v1/jobs/${randomUUID()}/cancel`, "/v1/jobs/x/cancel"]) {
            await readProblem(await request("POST", path), 404);
        }
        await readProblem(await request("GET", "/v1/jobs?status=asleep"), 400);
        await readProblem(await request("GET", "/v1/jobs?cursor=bm9uc2Vuc2U"), 400);
    });

    test("pause, resume and signal", async () => {
        const { workflow, ids } = await waitingRuns(3);
        const types = async () => {
            const logs = await Promise.all(ids.map((id) => pawl.events(id).all()));
            return logs.map((log) => log.at(-1)?.type);
        };
        const filter = { workflow };
        await jobDone((await pawl.bulk({ action: "pause", filter })).id);
        await until("paused", async () => (await types()).every((one) => one === "run_paused"));
        await jobDone((await pawl.bulk({ action: "resume", filter })).id);
        await until("resumed", async () => (await types()).every((one) => one === "run_resumed"));
        const signal: BulkRuns = { action: "signal", filter, name: "go", data: { n: 1 } };
        await jobDone((await pawl.bulk(signal)).id);
        for (const id of ids) assert.deepEqual((await ended(id))["data"], { n: 1 });
    });

    test("skip: what cannot be skipped is counted, with examples", async () => {
        const { workflow, ids } = await waitingRuns(3, [
            go,
            { name: "more", wait: { signal: "x" } },
        ]);
        await pawl.signal(ids[1]!, "go");
        await until("it is further on", async () =>
            (await pawl.steps(ids[1]!)).some(
                (one) => one.step === "more" && one.status !== "pending",
            ),
        );
        const skip: BulkRuns = { action: "skip", filter: { workflow }, node: "go", reason: "r" };
        const job = await jobDone((await pawl.bulk(skip)).id);
        assert.deepEqual([job.done, job.failed], [2, 1]);
        assert.equal(job.examples?.[0]?.run, ids[1]);
        assert.match(job.examples?.[0]?.problem ?? "", /not at the step 'go' now; it is at more/);
    });

    test("retry once, and rerun with the current version", async () => {
        const f = sink.function();
        f.will(refuses("no"));
        const steps = [{ name: "s", function: f.name, action: "a", on_failure: "abort" }];
        const workflow = await define(steps);
        for (let i = 0; i < 3; ++i) await runToEnd(workflow);
        f.will(ok({ fine: true }));
        const job = await jobDone((await pawl.bulk({ action: "retry", filter: { workflow } })).id);
        assert.deepEqual([job.total, job.done, job.failed], [3, 3, 0]);
        const failed = await pawl.list({ workflow, status: "failed" }).all();
        for (const old of failed) assert.ok((await pawl.get(old.id)).retried_as);
        const again = await pawl.previewBulk({ action: "retry", filter: { workflow } });
        assert.equal(again.total, 0, "all were retried");
        await until("all retries completed", async () => {
            return (await pawl.list({ workflow, status: "completed" }).all()).length === 3;
        });
        const rerun: BulkRuns = { action: "rerun", filter: { workflow, status: ["completed"] } };
        const idempotencyKey = randomUUID();
        const [one, same] = [
            await pawl.bulk(rerun, { idempotencyKey }),
            await pawl.bulk(rerun, { idempotencyKey }),
        ];
        assert.equal(one.id, same.id);
        assert.equal((await jobDone(one.id)).done, 3);
        assert.equal(await countRuns(workflow), 9);
    });

    test("what is wrong is refused before anything is done", async () => {
        const bulk = (body: unknown) => request("POST", "/v1/runs/bulk", { body });
        const place = async (body: unknown) =>
            (await readProblem(await bulk(body), 422)).errors?.map((one) => one.pointer);
        const filter = { workflow: "w" };
        assert.deepEqual(await place({}), ["/action"]);
        assert.deepEqual(await place({ action: "cancle", filter }), ["/action"]);
        assert.deepEqual(await place({ action: "cancel" }), ["/filter"]);
        assert.deepEqual(await place({ action: "cancel", filter: {} }), ["/filter"]);
        assert.deepEqual(await place({ action: "cancel", filter: { workflw: "w" } }), [
            "/filter/workflw",
        ]);
        assert.deepEqual(await place({ action: "cancel", filter: { status: "failed" } }), [
            "/filter/status",
        ]);
        assert.deepEqual(await place({ action: "retry", filter: { status: ["nope"] } }), [
            "/filter/status",
        ]);
        assert.deepEqual(await place({ action: "skip", filter }), ["/node", "/reason"]);
        assert.deepEqual(await place({ action: "settle", filter }), ["/node", "/as"]);
        const gone = { action: "settle", node: "a", as: "gone", filter };
        assert.deepEqual(await place(gone), ["/as"]);
        assert.deepEqual(await place({ action: "signal", filter }), ["/name"]);
        assert.deepEqual(await place({ action: "cancel", filter, node: "x" }), ["/node"]);
        // Names that stand for nothing: a job over no runs would look as if all were well.
        const { workflow } = await waitingRuns(2);
        const other = { workflow: `${workflow}x` };
        const skip = { action: "skip", node: "go", reason: "r" };
        for (const dry_run of [true, false]) {
            assert.deepEqual(await place({ action: "cancel", filter: other, dry_run }), [
                "/filter/workflow",
            ]);
            assert.deepEqual(await place({ ...skip, filter: other, dry_run }), [
                "/filter/workflow",
            ]);
            const gone = { ...skip, node: "gone", filter: { workflow }, dry_run };
            assert.deepEqual(await place(gone), ["/node"]);
        }
        const refused = await readProblem(await bulk({ action: "cancel", filter: other }), 422);
        assert.match(refused.detail ?? "", /^there is no workflow '.*x'; GET \/v1\/workflows/);
        await assert.rejects(pawl.bulk({ action: "cancel", filter: other }), (e: any) => {
            return e.status === 422 && e.errors[0].pointer === "/filter/workflow";
        });
        assert.equal((await pawl.previewBulk({ ...skip, filter: { workflow } } as any)).total, 2);
        const many = await bulk({ action: "cancel", filter: { workflow }, limit: 1 });
        const problem = await readProblem(many, 422);
        assert.match(problem.detail ?? "", /^2 runs match, and the limit is 1/);
        const all = await pawl.previewBulk({ action: "cancel", all: true });
        assert.ok(all.total >= 2);
    });

    test("the command line: preview, then do it", async () => {
        const { workflow, ids } = await waitingRuns(3);
        const env = { DATABASE_URL: databaseUrl };
        const command = ["runs", "bulk", "cancel", "--workflow", workflow, "-o", "json"];
        const unknown = ["runs", "bulk", "cancel", "--workflow", `${workflow}x`, "--yes"];
        await assert.rejects(pawlCommand(unknown, env), /there is no workflow named/);
        const nowhere = ["runs", "bulk", "skip", "--workflow", workflow, "--node", "gone"];
        await assert.rejects(
            pawlCommand([...nowhere, "--reason", "r", "--yes"], env),
            /no version of workflow '.*' has a step 'gone'/,
        );
        const preview = JSON.parse(await pawlCommand([...command, "--dry-run"], env));
        assert.equal(preview.total, 3);
        await assert.rejects(pawlCommand(command, env), (error: any) => error.code === 2);
        const job = JSON.parse(await pawlCommand([...command, "--yes"], env));
        assert.deepEqual([job.status, job.done], ["done", 3]);
        for (const id of ids) {
            assert.equal((await pawl.wait(id, { timeout: 60_000 })).status, "cancelled");
        }
        const { ids: skipped } = await waitingRuns(1);
        const skip = ["runs", "skip", skipped[0]!, "--reason", "r", "--node"];
        await assert.rejects(pawlCommand([...skip, "gone"], env), (e: any) => e.code === 2);
        await pawlCommand([...skip, "go", "--value", '{"x": 1}'], env);
        assert.deepEqual(await ended(skipped[0]!), { x: 1 });
        await assert.rejects(pawlCommand([...skip, "go"], env), (e: any) => e.code === 8);
    });
});

describe("a job of the command line", () => {
    for (const options of [[], ["--no-worker"]]) {
        test(`wakes a server ${options.join(" ")}`, async () => {
            const server = new Serve(await freshDatabase(), options);
            const env = { DATABASE_URL: server.databaseUrl };
            await server.start();
            try {
                // After the first one the server looks again five seconds later, unless it is told.
                const cancel = ["runs", "bulk", "cancel", "--all", "--yes", "-o", "json"];
                const took = [];
                for (let i = 0; i < 3; ++i) {
                    const begun = Date.now();
                    const job = JSON.parse(await pawlCommand(cancel, env)) as Job;
                    assert.equal(job.status, "done");
                    took.push(Date.now() - begun);
                }
                assert.ok(Math.max(...took.slice(1)) < 4000, `${took.join(", ")} ms`);
            } finally {
                await server.stop();
            }
        });
    }
});
