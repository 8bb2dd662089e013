import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { pawlExit } from "./support/process.js";
import { countRuns, databaseUrl, define, pawl, request, runToEnd } from "./support/server.js";
import { until } from "./support/until.js";

// Whatever starts a run, what it brings is held against the input_schema.

const steps = [
    { name: "first", code: "echo" },
    { name: "echo", code: "echo", input: { age: "{{ age }}" } },
];
const schema = {
    type: "object",
    required: ["age"],
    additionalProperties: false,
    properties: { age: { type: "integer", minimum: 18 }, at: { type: "string", format: "date" } },
};
const adult = "input.age: must be at least 18";
const young = {
    pointer: "/data/age",
    detail: "must be at least 18",
    code: "must_be_at_least",
    values: { least: "18" },
};

describe("input_schema", { concurrency: 4 }, () => {
    test("a start that does not fit: 422 with every place, and nothing is started", async () => {
        const workflow = await define(steps, { input_schema: schema });
        const body = { workflow, data: { age: 17, at: "2026-02-30", who: "x" } };
        const problem = await readProblem(await request("POST", "/v1/runs", { body }), 422);
        assert.equal(problem.code, "validation_failed");
        assert.equal(problem.detail, `${adult} (and 2 more)`);
        assert.deepEqual(problem.errors, [
            young,
            {
                pointer: "/data/at",
                detail: "must be a date like 2026-01-31",
                code: "must_be_date",
                values: { example: "2026-01-31" },
            },
            {
                pointer: "/data/who",
                detail: "is not asked for",
                code: "not_asked_for",
                values: {},
            },
        ]);
        const runs = [
            { workflow, data: { age: 18 } },
            { workflow, data: { age: "18" } },
        ];
        const batch = await request("POST", "/v1/runs/batch", { body: { runs } });
        const second = await readProblem(batch, 422);
        assert.equal(second.detail, "runs[1]: input.age: must be an integer");
        assert.equal(second.errors?.[0]?.pointer, "/runs/1/data/age");
        assert.equal(await countRuns(workflow), 0);
        const run = await runToEnd(workflow, { age: 18 });
        assert.deepEqual(run.output, { age: 18 });
    });

    test("on the command line: the same words, exit code 2", async () => {
        const workflow = await define(steps, { input_schema: schema });
        const call = (age: number) =>
            pawlExit(["run", workflow, "--data", `{"age": ${age}}`], { DATABASE_URL: databaseUrl });
        const { code, stderr } = await call(17);
        assert.equal(code, 2);
        assert.match(stderr, /^error: input\.age: must be at least 18$/m);
        assert.equal((await call(18)).code, 0);
    });

    test("a schema that is not understood is refused with its place", async () => {
        const apply = async (input_schema: unknown): Promise<string> => {
            const body = { name: `w-${randomUUID()}`, steps, input_schema };
            const response = await request("POST", "/v1/workflows", { body });
            return (await readProblem(response, 422)).detail;
        };
        const misspelt = { properties: { age: { minimun: 18 } } };
        assert.match(
            await apply(misspelt),
            /input_schema: \/properties\/age\/minimun: is not understood, did you mean 'minimum'\?/,
        );
        const pattern = { properties: { a: { pattern: "\\bx" } } };
        assert.match(
            await apply(pattern),
            /input_schema: \/properties\/a\/pattern: is not underst/,
        );
        const workflow = await define(steps, { input_schema: schema });
        const { definition } = await pawl.workflows.get(workflow);
        assert.deepEqual((definition as Record<string, unknown>).input_schema, schema);
    });

    test("an event that does not fit starts nothing, and says why", async () => {
        const name = `e-${randomUUID()}`;
        const workflow = await define(steps, {
            input_schema: schema,
            triggers: [{ event: name }],
        });
        for (const age of [1, 20]) await pawl.inbox.publish({ name, data: { age } });
        await until("the other one has started", async () => (await countRuns(workflow)) === 1);
        const problem = await until("the problem", async () => {
            const events = await pawl.inbox.list({ name }).all();
            return events.find((one) => one.problem)?.problem ?? undefined;
        });
        assert.equal(problem, `workflow '${workflow}' was not started: ${adult}`);
    });

    test("a child that does not fit fails the step that calls it", async () => {
        const workflow = await define(steps, { input_schema: schema });
        const call = { workflow, input: { age: "{{ age }}" } };
        const parent = await define([{ name: "child", call }]);
        const run = await runToEnd(parent, { age: 3 });
        assert.equal(run.status, "failed");
        assert.equal((run.error as { code?: string } | null)?.code, "invalid_input");
        assert.match(JSON.stringify(run.error), new RegExp(adult));
        assert.equal(await countRuns(workflow), 0);
    });

    test("a rerun with another input is held against it, from a step too", async () => {
        const workflow = await define(steps, { input_schema: schema });
        const { id } = await runToEnd(workflow, { age: 30 });
        for (const from of [undefined, "echo"]) {
            const again = (age: number) =>
                request("POST", `/v1/runs/${id}/rerun`, { body: { from, data: { age } } });
            const problem = await readProblem(await again(17), 422);
            assert.equal(problem.detail, adult);
            assert.deepEqual(problem.errors, [young]);
            assert.equal((await again(40)).status, 201);
        }
        assert.equal(await countRuns(workflow), 3);
    });
});
