import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { pawlCommand, pawlExit } from "./support/process.js";
import { ended, start, waiting } from "./support/runs.js";
import { database, databaseUrl, define, pawl, request, sink } from "./support/server.js";
import { until } from "./support/until.js";

// A step with `disabled: true`: runs pass it, and all that shows runs says so.

describe("a step that is switched off", { concurrency: 4 }, () => {
    test("is not called; the run goes on with null, and its log and steps say why", async () => {
        const f = sink.function();
        const workflow = await define([
            { name: "charge", function: f.name, action: "a", disabled: true },
            { name: "ask", human: { title: "Fine?" }, disabled: true },
            { name: "next", code: "echo", input: { got: "{{steps.charge.result}}" } },
        ]);
        const run = await start(workflow);
        assert.deepEqual(await ended(run), { got: null });
        assert.equal(f.calls.length, 0);
        const log = await pawl.events(run).all();
        const passed = log.filter((one) => one.type === "step_skipped");
        assert.deepEqual(
            passed.map((one) => [one.step, one.data]),
            [
                ["charge", { disabled: true }],
                ["ask", { disabled: true }],
            ],
        );
        const steps = await pawl.steps(run);
        assert.deepEqual(
            steps.map((one) => [one.step, one.status, one.disabled, one.skipped, one.attempts]),
            [
                ["charge", "skipped", true, undefined, []],
                ["ask", "skipped", true, undefined, []],
                ["next", "completed", undefined, undefined, steps[2]!.attempts],
            ],
        );
        const shown = await pawlCommand(["runs", "show", run], { DATABASE_URL: databaseUrl });
        assert.match(shown, /step_skipped +charge.*switched off: passed/);
        const tasks = await database.query("select from pawl.human_task where run_id = $1", [run]);
        assert.equal(tasks.rowCount, 0);
    });

    test("is part of the definition, of its drawings and of what has changed", async () => {
        const on = { name: "a", function: "f" };
        const workflow = await define([on, { name: "b", code: "noop" }]);
        await pawl.workflows.apply({
            name: workflow,
            steps: [
                { ...on, disabled: true },
                { name: "b", code: "noop" },
            ],
        } as never);
        const answer = await request("GET", `/v1/workflows/${workflow}/diff?from=1&to=2`);
        const { diff } = (await answer.json()) as any;
        assert.deepEqual(diff.nodes.changed, [
            { id: "a", fields: [{ path: "disabled", after: true }] },
        ]);
        const show = (...form: string[]) =>
            pawlCommand(["workflows", "show", workflow, ...form], { DATABASE_URL: databaseUrl });
        assert.match(await show(), /a +function, switched off/);
        assert.match(await show("-o", "yaml"), /disabled: true/);
        const drawn = (form: string) => show("--graph", "--format", form);
        assert.match(await drawn("mermaid"), /switched off: function f"\]:::off/);
        assert.match(await drawn("svg"), /<g class="off"><title>a: switched off: function f/);
        assert.match(await drawn("text"), /╎ switched off: function f/);
    });

    test("of a list of steps in SQL is one too", async () => {
        const name = `w-${randomUUID()}`;
        const insert = (off: unknown) =>
            database.query("insert into workflow_definitions (name, steps) values ($1, $2)", [
                name,
                JSON.stringify([
                    { name: "a", function: "nowhere", disabled: off },
                    { name: "b", code: "echo", input: 7 },
                ]),
            ]);
        await assert.rejects(insert("yes"), /steps\[0\].disabled: must be true or false/);
        await insert(true);
        assert.equal(await ended(await start(name)), 7);
    });

    test("must be one that can be passed", async () => {
        const refused = async (nodes: object[], edges: object[]) => {
            const body = { name: `w-${randomUUID()}`, nodes, edges };
            await readProblem(await request("POST", "/v1/workflows", { body }), 422);
            const answer = await request("POST", "/v1/workflows/validate", { body });
            const { code, pointer, values } = ((await answer.json()) as any).errors[0];
            return [code, pointer, values];
        };
        const b = { id: "b", code: "noop" };
        assert.deepEqual(
            await refused(
                [{ id: "a", type: "trigger", disabled: true }, b],
                [{ from: "a", to: "b" }],
            ),
            ["off_leads", "/nodes/0", { step: "a", type: "trigger" }],
        );
        assert.deepEqual(
            await refused(
                [{ id: "a", human: { title: "t" }, disabled: true }, b],
                [{ from: "a", to: "b", handle: "approved" }],
            ),
            ["off_without_default", "/nodes/0", { step: "a" }],
        );
    });

    test("lets runs go on that are moved to its version", async () => {
        const asks = { name: "ask", human: { title: "Fine?" } };
        const after = { name: "after", code: "echo", input: "done" };
        const workflow = await define([asks, after]);
        const run = await start(workflow);
        await waiting(run);
        await pawl.workflows.apply({
            name: workflow,
            steps: [{ ...asks, disabled: true }, after],
        } as never);
        await pawl.workflows.migrate(workflow, { to: 2 });
        assert.equal(await ended(run), "done");
        await until("its task is closed", async () => {
            const { rows } = await database.query(
                "select from pawl.human_task where run_id = $1 and state = 0",
                [run],
            );
            return rows.length === 0;
        });
    });

    test("is passed in pawl test and in a rehearsal", async () => {
        const folder = await mkdtemp(join(tmpdir(), "pawl-off-"));
        try {
            const flow = [
                "name: off",
                "steps:",
                "  - {name: pay, http: {url: 'https://a.example'}, disabled: true}",
                "  - {name: rest, wait: 3d, disabled: true}",
                "  - {name: after, code: noop}",
            ].join("\n");
            const expected =
                "status: completed, path: [pay, rest, after], took: 0s, calls: {pay: 0}";
            await writeFile(join(folder, "off.yaml"), flow);
            await writeFile(
                join(folder, "off.test.yaml"),
                `tests: [{name: passes, expect: {${expected}}}]`,
            );
            const { code, stdout } = await pawlExit(
                ["test", join(folder, "off.yaml"), "--trace"],
                {},
            );
            assert.equal(code, 0, stdout);
            assert.match(stdout, /step_skipped +pay +switched off: passed/);
        } finally {
            await rm(folder, { recursive: true });
        }
        const trial = await pawl.workflows.rehearse({
            name: "off",
            nodes: [{ id: "ask", human: { title: "t" }, disabled: true }],
            edges: [],
        } as never);
        assert.equal(trial.status, "completed");
        assert.deepEqual(
            trial.steps.map((one) => [one.node, one.disabled, one.waits_for]),
            [["ask", true, null]],
        );
    });
});
