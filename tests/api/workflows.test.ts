import { PawlError, type Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { database, define, pawl, request } from "./support/server.js";

const step = (text: string): object => ({ name: "s", code: "echo", input: { text } });

describe("workflows", { concurrency: 4 }, () => {
    test("apply: a new version when it differs, nothing when it does not", async () => {
        const name = `w-${randomUUID()}`;
        const definition = { name, steps: [step("one")] } as Definition;
        const first = await request("POST", "/v1/workflows", { body: definition });
        assert.equal(first.status, 201);
        assert.deepEqual(await first.json(), { name, version: 1, changed: true });
        const same = await request("POST", "/v1/workflows", { body: definition });
        assert.equal(same.status, 200);
        assert.deepEqual(await same.json(), { name, version: 1, changed: false });
        const other = { name, steps: [step("two")] } as Definition;
        assert.deepEqual(await pawl.workflows.apply(other), { name, version: 2, changed: true });
    });

    test("apply takes YAML", async () => {
        const name = `w-${randomUUID()}`;
        const text = `name: ${name}\ndescription: By hand\nsteps:\n  - name: s\n    code: noop\n`;
        assert.deepEqual(await pawl.workflows.apply(text), { name, version: 1, changed: true });
        const workflow = await pawl.workflows.get(name);
        assert.equal(workflow.active, true);
        assert.equal((workflow.definition as { description: string }).description, "By hand");
    });

    test("what is wrong with a definition has a pointer", async () => {
        const step = { name: "a", code: "noop" };
        const refused = async (body: unknown): Promise<string[]> => {
            const answer = await request("POST", "/v1/workflows", { body });
            const [place] = (await readProblem(answer, 422)).errors ?? [];
            return [place?.pointer ?? "", place?.detail ?? ""];
        };
        const [pointer, detail] = await refused({ name: "größe", steps: [step] });
        assert.equal(pointer, "/name");
        assert.match(detail!, /a letter \(a-z, A-Z\)/);
        const retry = { attempts: 0 };
        const [deep] = await refused({ name: "x", steps: [step, { ...step, name: "b", retry }] });
        assert.equal(deep, "/steps/1/retry/attempts");
        const [input] = await refused({ name: "x", steps: [{ ...step, input: "{{ index }}" }] });
        assert.equal(input, "/steps/0");
    });

    test("a wrong definition is refused, and says where", async () => {
        const steps = [{ name: "s", code: "echo", retry: { attempts: 0 } }];
        const body = { name: "wrong", steps };
        const problem = await readProblem(await request("POST", "/v1/workflows", { body }), 422);
        assert.match(problem.detail, /steps\[0\]\.retry\.attempts/);
        const verdict = await pawl.workflows.validate(body as Definition);
        assert.equal(verdict.valid, false);
        assert.match(verdict.errors[0]?.detail ?? "", /steps\[0\]\.retry\.attempts/);
        await assert.rejects(pawl.workflows.get("wrong"), (e: PawlError) => e.status === 404);
    });

    test("validate changes nothing", async () => {
        const name = `w-${randomUUID()}`;
        const definition = { name, steps: [step("x")] } as Definition;
        const { valid, errors } = await pawl.workflows.validate(definition);
        assert.deepEqual([valid, errors], [true, []]);
        const yaml = `name: ${name}\nsteps:\n  - name: s\n    code: [1]\n`;
        const verdict = await pawl.workflows.validate(yaml);
        assert.equal(verdict.valid, false);
        assert.equal(verdict.errors[0]?.line, 4);
        await assert.rejects(pawl.workflows.get(name), (error: PawlError) => error.status === 404);
    });

    test("a change counts from the next start on, however it was made", async () => {
        const name = await define([step("1") as never], { required_fields: ["who"] });
        const version = async (data: object): Promise<number> =>
            (await pawl.get((await pawl.start(name, data as never)).id)).version;
        // Twice: the second time the server knows the workflow.
        assert.equal(await version({ who: "Ada" }), 1);
        assert.equal(await version({ who: "Ada" }), 1);
        await database.query(
            "update workflow_definitions set required_fields = '{}' where name = $1",
            [name],
        );
        assert.equal(await version({}), 2);
        await database.query("update pawl.definition set off_reason = 'enough' where name = $1", [
            name,
        ]);
        await readProblem(await request("POST", "/v1/runs", { body: { workflow: name } }), 409);
        await database.query(
            "update pawl.definition set off_reason = null, active = true where name = $1",
            [name],
        );
        const now = await version({});
        assert.ok(now >= 2, `${now}`);
        // Many at once while it changes: each has one of the two, and none is refused.
        const starts = Array.from({ length: 40 }, () => version({}));
        const { version: next } = await pawl.workflows.apply({ name, steps: [step("3")] } as never);
        for (const one of await Promise.all(starts))
            assert.ok(one === now || one === next, `${one}`);
        assert.equal(await version({}), next);
    });

    test("versions: newest first, each with its definition, page by page", async () => {
        const name = await define([step("1") as never]);
        for (const text of ["2", "3"]) {
            await pawl.workflows.apply({ name, steps: [step(text)] } as never);
        }
        const versions: number[] = [];
        for await (const one of pawl.workflows.versions(name, { limit: 2 })) {
            versions.push(one.version);
        }
        assert.deepEqual(versions, [3, 2, 1]);
        const second = await pawl.workflows.version(name, 2);
        assert.equal(second.version, 2);
        assert.match(JSON.stringify(second.definition), /"text":"2"/);
        for (const wrong of ["4", "0", "x"]) {
            const response = await request("GET", `/v1/workflows/${name}/versions/${wrong}`);
            await readProblem(response, 404);
        }
    });

    test("activate goes to another version", async () => {
        const name = await define([step("1") as never]);
        await pawl.workflows.apply({ name, steps: [step("2")] } as never);
        const back = await pawl.workflows.activate(name, 1);
        assert.match(JSON.stringify(back.definition), /"text":"1"/);
        const { id } = await pawl.start(name);
        const run = await pawl.wait(id, { timeout: 60_000 });
        assert.deepEqual(run.output, { text: "1" });
        const missing = pawl.workflows.activate(name, 99);
        await assert.rejects(missing, (error: PawlError) => error.status === 404);
    });

    test("deactivate and activate are shown, and may be repeated", async () => {
        const name = await define([step("1") as never]);
        assert.equal((await pawl.workflows.deactivate(name)).active, false);
        assert.equal((await pawl.workflows.deactivate(name)).active, false);
        assert.equal((await pawl.workflows.get(name)).active, false);
        assert.equal((await pawl.workflows.activate(name)).active, true);
    });

    test("list: by name, page by page, the samples among them", async () => {
        const made = [await define([step("1") as never]), await define([step("1") as never])];
        const names: string[] = [];
        for await (const workflow of pawl.workflows.list({ limit: 3 })) names.push(workflow.name);
        assert.deepEqual(names, [...new Set(names)]);
        for (const name of [...made, "hello"]) assert.ok(names.includes(name), name);
    });

    test("a workflow that is not there is 404 on every route", async () => {
        for (const path of ["", "/versions", "/versions/1"]) {
            await readProblem(await request("GET", `/v1/workflows/nope${path}`), 404);
        }
        for (const path of ["/activate", "/deactivate"]) {
            await readProblem(await request("POST", `/v1/workflows/nope${path}`), 404);
        }
        const body = { workflow: "nope" };
        await readProblem(await request("POST", "/v1/runs", { body }), 404);
    });

    test("node types: each with a JSON Schema that its examples pass", async () => {
        const types = await pawl.nodeTypes();
        const names = types.map((one) => one.type);
        for (const name of ["code", "function", "http", "wait"])
            assert.ok(names.includes(name), name);
        for (const one of types) assert.equal(typeof one.schema["type"], "string", one.type);
    });
});
