import type { Task } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { keyWith, pawl, request } from "./support/server.js";
import { asked, post, result } from "./support/tasks.js";
import { until } from "./support/until.js";

const form = {
    type: "object",
    required: ["amount"],
    additionalProperties: false,
    properties: { amount: { type: "number", minimum: 0, maximum: 100 } },
};

describe("tasks", { concurrency: 4 }, () => {
    test("are found and approved", async () => {
        const { run, workflow, task } = await asked({ assignee: "ann", group: "finance" });
        assert.equal(task.title, "Refund?");
        assert.equal(task.state, "open");
        assert.equal(task.run_id, run);
        assert.equal(task.step, "ask");
        assert.equal(task.subject, "order 7");
        for (const filter of [
            { workflow },
            { assignee: "ann", workflow },
            { group: "finance", workflow },
        ]) {
            const found = await pawl.tasks.list({ ...filter, state: "open" }).all();
            assert.deepEqual(
                found.map((one) => one.id),
                [task.id],
            );
        }
        const approved = await pawl.tasks.approve(task.id, { by: "ann", reason: "fine" });
        assert.equal(approved.state, "approved");
        assert.equal(approved.decided_by, "ann");
        assert.deepEqual(await result(run), {
            decision: "approved",
            by: "ann",
            reason: "fine",
            data: { amount: 50 },
        });
        const whole = await pawl.tasks.get(task.id);
        assert.deepEqual(
            whole.audit.map((one) => [one.action, one.by, one.reason]),
            [
                ["open", "pawl", null],
                ["approve", "ann", "fine"],
            ],
        );
    });

    test("are listed when they are overdue or decided", async () => {
        const late = await asked({ due: "1s" });
        const calm = await asked({ due: "2d" });
        const list = async (workflow: string, state: string): Promise<string[]> => {
            const response = await request("GET", `/v1/tasks?workflow=${workflow}&state=${state}`);
            const { data } = (await response.json()) as { data: Task[] };
            return data.map((one) => one.id);
        };
        await until("its time is over", async () => {
            return (await list(late.workflow, "overdue")).length === 1;
        });
        assert.deepEqual(await list(calm.workflow, "overdue"), []);
        assert.deepEqual(await list(calm.workflow, "decided"), []);
        await pawl.tasks.reject(calm.task.id, "no", { by: "ann" });
        assert.deepEqual(await list(calm.workflow, "decided"), [calm.task.id]);
        assert.deepEqual(await list(calm.workflow, "open"), []);
        await readProblem(await request("GET", "/v1/tasks?state=late"), 400);
    });

    test("edit and approve, as the form allows", async () => {
        const { run, task } = await asked({ form });
        for (const [data, pointer] of [
            [{ amount: 500 }, "/data/amount"],
            [{}, "/data/amount"],
            [{ amount: 1, note: "x" }, "/data/note"],
            ["text", "/data"],
        ] as const) {
            const problem = await readProblem(
                await post(task.id, "approve", { by: "ann", data }),
                422,
            );
            assert.equal(problem.errors?.[0]?.pointer, pointer);
        }
        await pawl.tasks.approve(task.id, { by: "ann", data: { amount: 20 } });
        assert.deepEqual((await result(run))["data"], { amount: 20 });
        const { audit } = await pawl.tasks.get(task.id);
        assert.deepEqual(
            audit.map((one) => one.action),
            ["open", "edit", "approve"],
        );
    });

    test("what was not filled in cannot be approved as it is", async () => {
        const { run, task } = await asked({ form, data: {} });
        const problem = await readProblem(await post(task.id, "approve", { by: "ann" }), 422);
        assert.equal(problem.errors?.[0]?.detail, "is required");
        await pawl.tasks.reject(task.id, "no", { by: "ann" });
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal((whole.error as { code: string }).code, "rejected");
    });

    test("a second decision gets 409", async () => {
        const { run, task } = await asked();
        await pawl.tasks.reject(task.id, "too much", { by: "ann" });
        for (const action of ["approve", "claim", "unclaim"]) {
            const problem = await readProblem(await post(task.id, action, { by: "bob" }), 409);
            assert.equal(problem.code, "task_closed");
            assert.match(problem.detail, /rejected by ann/);
        }
        assert.equal((await pawl.wait(run, { timeout: 60_000 })).status, "failed");
    });

    test("of two decisions at once one counts", async () => {
        const { run, task } = await asked();
        const people = ["ann", "bob", "cyd", "dan", "eve"];
        const answers = await Promise.all(
            people.map((by) => post(task.id, "approve", { by, reason: by })),
        );
        const statuses = answers.map((one) => one.status).sort();
        assert.deepEqual(statuses, [200, 409, 409, 409, 409]);
        const winner = people[answers.findIndex((one) => one.status === 200)];
        assert.equal((await result(run))["by"], winner);
    });

    test("n of m approvers", async () => {
        const { run, task } = await asked({ approvers: ["ann", "bob", "cyd"], approvals: 2 });
        const stranger = await readProblem(await post(task.id, "approve", { by: "eve" }), 403);
        assert.equal(stranger.code, "not_asked");
        const first = await pawl.tasks.approve(task.id, { by: "ann" });
        assert.equal(first.state, "open");
        const twice = await readProblem(await post(task.id, "approve", { by: "ann" }), 409);
        assert.equal(twice.code, "already_approved");
        const both = await Promise.all(
            ["bob", "cyd"].map((by) => post(task.id, "approve", { by })),
        );
        assert.deepEqual(both.map((one) => one.status).sort(), [200, 409]);
        assert.equal((await result(run))["decision"], "approved");
    });

    test("claim, unclaim, delegate", async () => {
        const { run, task } = await asked({ group: "finance" });
        await pawl.tasks.claim(task.id, { by: "ann" });
        const problem = await readProblem(await post(task.id, "approve", { by: "bob" }), 409);
        assert.equal(problem.code, "task_claimed");
        assert.match(problem.detail, /ann/);
        await pawl.tasks.unclaim(task.id, { by: "ann" });
        await pawl.tasks.delegate(task.id, "cyd", { by: "bob" });
        await readProblem(await post(task.id, "approve", { by: "bob" }), 403);
        await pawl.tasks.approve(task.id, { by: "cyd" });
        assert.equal((await result(run))["by"], "cyd");
    });

    test("a seat is handed on before its vote, to a person who has none", async () => {
        const { run, task } = await asked({ approvers: ["ann", "bob"], approvals: 2 });
        const seated = await post(task.id, "delegate", { by: "ann", to: "bob" });
        assert.equal((await readProblem(seated, 409)).code, "already_asked");
        await pawl.tasks.approve(task.id, { by: "ann" });
        const voted = await post(task.id, "delegate", { by: "ann", to: "ann2" });
        assert.equal((await readProblem(voted, 409)).code, "already_approved");
        const stranger = await readProblem(await post(task.id, "links", { by: "eve" }), 422);
        assert.match(stranger.detail, /a person who may decide/);
        await pawl.tasks.approve(task.id, { by: "bob" });
        assert.equal((await result(run))["decision"], "approved");
    });

    test("due: the timeout edge is taken, and the task is over", async () => {
        const { run, task } = await asked({ due: "300ms" });
        const whole = await pawl.wait(run, { timeout: 60_000 });
        assert.equal((whole.error as { code: string }).code, "timeout");
        assert.equal((await pawl.tasks.get(task.id)).state, "timed_out");
        await readProblem(await post(task.id, "approve", { by: "ann" }), 409);
    });

    test("a reminder and an escalation are in the audit", async () => {
        const { run, task } = await asked({
            assignee: "ann",
            remind_after: "100ms",
            escalate_after: "300ms",
            escalate_to: "boss",
        });
        const whole = await until("escalated", async () => {
            const now = await pawl.tasks.get(task.id);
            return now.assignee === "boss" ? now : undefined;
        });
        assert.deepEqual(
            whole.audit.map((one) => one.action),
            ["open", "remind", "escalate"],
        );
        await readProblem(await post(task.id, "approve", { by: "ann" }), 403);
        await pawl.tasks.approve(task.id, { by: "boss" });
        await result(run);
    });

    test("a run that is cancelled withdraws its task", async () => {
        const { run, task } = await asked();
        await pawl.cancel(run);
        await pawl.wait(run, { timeout: 60_000 });
        assert.equal((await pawl.tasks.get(task.id)).state, "withdrawn");
    });

    test("wrong requests are refused with the reason", async () => {
        const { task, run } = await asked();
        await readProblem(await post(task.id, "reject", { by: "ann" }), 422);
        await readProblem(await post(task.id, "delegate", { by: "ann" }), 422);
        await readProblem(await post(task.id, "approve", { dta: 1 }), 422);
        await readProblem(await post(task.id, "links", {}), 422);
        await readProblem(await post(task.id, "links", { by: "ann", expires_in: "soon" }), 422);
        for (const id of [randomUUID(), "x"]) {
            await readProblem(await request("GET", `/v1/tasks/${id}`), 404);
            await readProblem(await post(id, "approve", {}), 404);
        }
        for (const query of ["state=opened", "run=x", "asignee=ann", "cursor=x"]) {
            await readProblem(await request("GET", `/v1/tasks?${query}`), 400);
        }
        await pawl.cancel(run);
    });

    test("a key without a name of a person acts as itself; reading is not deciding", async () => {
        const { task, run } = await asked();
        const reader = await keyWith("tasks:read");
        await readProblem(await post(task.id, "approve", {}, reader), 403);
        const decider = await keyWith("tasks:write");
        const response = await post(task.id, "approve", {}, decider);
        assert.equal(response.status, 200);
        assert.match(((await response.json()) as Task).decided_by ?? "", /^[a-z0-9]{8}$/);
        await result(run);
    });
});

describe("document 002", { concurrency: 4 }, () => {
    const approve = (run: string, body: unknown = {}): Promise<Response> =>
        request("POST", `/workflows/${run}/approve`, { body });

    test("POST /workflows/{run}/approve approves with an edited payload", async () => {
        const { run } = await asked();
        const response = await approve(run, { by: "ann", payload: { amount: 1 } });
        assert.equal(response.status, 200);
        assert.deepEqual((await result(run))["data"], { amount: 1 });
        assert.equal((await readProblem(await approve(run), 409)).code, "nothing_to_approve");
    });

    test("it rejects too, and wants to know which step when several wait", async () => {
        const workflow = await pawl.workflows.apply({
            name: `w-${randomUUID()}`,
            nodes: [
                { id: "both", type: "parallel" },
                { id: "one", type: "human", config: { title: "1?" } },
                { id: "two", type: "human", config: { title: "2?" } },
            ],
            edges: [
                { from: "both", to: "one" },
                { from: "both", to: "two" },
            ],
        } as never);
        const run = (await pawl.start(workflow.name, {})).id;
        await until("two tasks", async () => (await pawl.tasks.list({ run }).all()).length === 2);
        const which = await readProblem(await approve(run), 409);
        assert.match(which.detail, /one|two/);
        assert.equal((await approve(run, { step: "one", by: "ann" })).status, 200);
        const no = { step: "two", approved: false, reason: "no", by: "ann" };
        assert.equal((await approve(run, no)).status, 200);
        assert.equal((await pawl.wait(run, { timeout: 60_000 })).status, "failed");
    });

    test("a run that is not there is 404", async () => {
        await readProblem(await approve(randomUUID()), 404);
        await readProblem(await approve("x"), 404);
    });
});
