import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { define, pawl } from "./support/server.js";
import { asked, openTask, post, result } from "./support/tasks.js";
import { until } from "./support/until.js";

describe("votes", { concurrency: 4 }, () => {
    test("after an escalation the first votes count, and its person decides", async () => {
        const { run, task } = await asked({
            approvers: ["ann", "bob", "cyd"],
            approvals: 3,
            escalate: [
                { after: "100ms", to: "lead" },
                { after: "200ms", to: "boss" },
            ],
        });
        await pawl.tasks.approve(task.id, { by: "ann" });
        await until("it went to boss", async () => {
            return (await pawl.tasks.get(task.id)).escalated_to === "boss";
        });
        const open = await pawl.tasks.get(task.id);
        assert.deepEqual([open.approved_by, open.assignee], [["ann"], "boss"]);
        assert.equal((await post(task.id, "approve", { by: "lead" })).status, 403);
        assert.equal((await pawl.tasks.approve(task.id, { by: "bob" })).state, "open");
        assert.equal((await pawl.tasks.approve(task.id, { by: "boss" })).state, "approved");
        assert.equal((await result(run))["by"], "boss");
    });

    test("the requester does not decide, and lists come from the data", async () => {
        const workflow = await define([
            {
                id: "ask",
                type: "human",
                config: {
                    title: "Pay?",
                    approvers: "{{ input.team }}",
                    approvals: 2,
                    exclude: "{{ input.requested_by }}",
                },
            },
        ]);
        const data = { team: ["ann", "bob", "ann", "cyd"], requested_by: "bob" };
        const { id: run } = await pawl.start(workflow, data);
        const task = await openTask(run);
        assert.deepEqual([task.approvers, task.excluded], [["ann", "cyd"], ["bob"]]);
        const refused = await readProblem(await post(task.id, "approve", { by: "bob" }), 403);
        assert.equal(refused.code, "excluded");
        await readProblem(await post(task.id, "delegate", { by: "ann", to: "bob" }), 403);
        await readProblem(await post(task.id, "links", { by: "bob" }), 422);
        await pawl.tasks.approve(task.id, { by: "ann" });
        assert.equal((await pawl.tasks.approve(task.id, { by: "cyd" })).state, "approved");
        await result(run);
        const few = await pawl.start(workflow, { team: ["ann", "bob"], requested_by: "bob" });
        const failed = await pawl.wait(few.id);
        assert.equal((failed.error as { code: string }).code, "nobody_asked");
    });

    test("a name is one person in any spelling", async () => {
        const { run, task } = await asked({
            approvers: ["ann", "ann ", "Ann", "bob"],
            approvals: 2,
            exclude: ["Eve@X.com"],
        });
        assert.deepEqual(task.approvers, ["ann", "bob"]);
        const refused = await readProblem(
            await post(task.id, "delegate", { by: "ann", to: "eve@x.com " }),
            403,
        );
        assert.equal(refused.code, "excluded");
        const first = await pawl.tasks.approve(task.id, { by: " ann " });
        assert.deepEqual([first.state, first.approved_by], ["open", ["ann"]]);
        await readProblem(await post(task.id, "approve", { by: "Ann" }), 409);
        await readProblem(await post(task.id, "approve", { by: "  " }), 422);
        assert.equal((await post(task.id, "links", { by: "BOB " })).status, 201);
        assert.equal((await pawl.tasks.approve(task.id, { by: "Bob" })).state, "approved");
        assert.equal((await result(run))["by"], "Bob");
    });

    test("a no may need several", async () => {
        const { run, task } = await asked({
            approvers: ["ann", "bob", "cyd"],
            approvals: 2,
            rejections_needed: 2,
        });
        const reason = "too much";
        assert.equal((await pawl.tasks.reject(task.id, reason, { by: "ann" })).state, "open");
        await readProblem(await post(task.id, "reject", { by: "ann", reason }), 409);
        assert.equal((await pawl.tasks.reject(task.id, reason, { by: "cyd" })).state, "rejected");
        assert.equal((await pawl.wait(run)).status, "failed");
    });
});
