import { PawlError, type Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { waiting } from "./support/runs.js";
import { define, pawl, request } from "./support/server.js";

interface Deleted {
    name: string;
    version: number;
    schedules: number;
    events: number;
    open_runs: number;
    job: { id: string } | null;
}

const remove = (name: string, query = ""): Promise<Response> =>
    request("DELETE", `/v1/workflows/${name}${query}`);

const deleted = async (name: string, query = ""): Promise<Deleted> => {
    const answer = await remove(name, query);
    assert.equal(answer.status, 200);
    return (await answer.json()) as Deleted;
};

const gone = (error: PawlError): boolean => error.status === 404;

describe("deleting workflows", { concurrency: 4 }, () => {
    test("what starts it goes with it; runs and versions stay", async () => {
        const name = `w-${randomUUID()}`;
        const event = `e-${randomUUID()}`;
        const triggers = [{ cron: "0 9 * * *" }, { event }];
        const definition = { name, triggers, steps: [{ name: "s", code: "noop" }] };
        await pawl.workflows.apply(definition as Definition);
        const run = await pawl.start(name, {});
        await pawl.wait(run.id, { timeout: 60_000 });
        const answer = await deleted(name);
        assert.deepEqual(answer, {
            name,
            version: 1,
            schedules: 1,
            events: 1,
            open_runs: 0,
            job: null,
        });
        await assert.rejects(pawl.workflows.get(name), gone);
        await assert.rejects(pawl.start(name, {}), gone);
        assert.equal((await pawl.get(run.id)).status, "completed");
        const steps = await request("GET", `/v1/runs/${run.id}/steps`);
        assert.equal(steps.status, 200);
        const schedules = await request("GET", `/v1/schedules?workflow=${name}`);
        assert.deepEqual(((await schedules.json()) as { data: unknown[] }).data, []);
        await readProblem(await remove(name), 404);
        // The name is free again, and numbers go on.
        const again = await pawl.workflows.apply({ ...definition, description: "again" } as never);
        assert.deepEqual(again, { name, version: 2, changed: true });
    });

    test("open runs prevent it, unless the request says what becomes of them", async () => {
        const name = await define([{ name: "s", wait: "1h" } as never]);
        const run = await pawl.start(name, {});
        const problem = await readProblem(await remove(name), 409);
        assert.equal(problem.code, "open_runs");
        await readProblem(await remove(name, "?open_runs=maybe"), 400);
        assert.equal((await pawl.workflows.get(name)).active, true);
        const answer = await deleted(name, "?open_runs=finish");
        assert.equal(answer.open_runs, 1);
        await waiting(run.id);
        await pawl.cancel(run.id);
        assert.equal((await pawl.wait(run.id, { timeout: 60_000 })).status, "cancelled");
    });

    test("open runs can be cancelled with it", async () => {
        const name = await define([{ name: "s", wait: "1h" } as never]);
        const run = await pawl.start(name, {});
        const answer = await deleted(name, "?open_runs=cancel");
        assert.ok(answer.job?.id);
        assert.equal((await pawl.wait(run.id, { timeout: 60_000 })).status, "cancelled");
    });
});
