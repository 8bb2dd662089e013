import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { pawlCommand } from "./support/process.js";
import { databaseUrl, keyWith, request } from "./support/server.js";
import { until } from "./support/until.js";

// What the page of a workflow needs: figures of a list, its text, why events did not start it, test
// cases, and people who are moved.

const unique = (word: string): string => `${word}_${randomUUID().slice(0, 8)}`;

async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    key?: string,
): Promise<{ status: number; json: any; etag: string }> {
    const response = await request(method, path, { body, headers, ...(key ? { key } : {}) });
    const etag = response.headers.get("etag") ?? "";
    return { status: response.status, json: await response.json(), etag };
}

async function define(name: string, rest: object = {}): Promise<void> {
    const { status, json } = await call("POST", "/v1/workflows", {
        name,
        nodes: [
            { id: "came", type: "trigger" },
            { id: "answer", type: "wait", config: { signal: "answered", timeout: "3d" } },
            { id: "thanks", type: "code", config: { function: "echo" } },
            { id: "remind", type: "code", config: { function: "echo" } },
        ],
        edges: [
            { from: "came", to: "answer" },
            { from: "answer", to: "thanks" },
            { from: "answer", to: "remind", handle: "timeout" },
        ],
        ...rest,
    });
    assert.ok(status <= 201, JSON.stringify(json));
}

async function start(workflow: string, subject: string): Promise<string> {
    const { status, json } = await call("POST", "/v1/runs", { workflow, subject, data: {} });
    assert.ok(status <= 201, JSON.stringify(json));
    return json.id as string;
}

async function ended(id: string): Promise<any> {
    return await until(`run ${id} ends`, async () => {
        const { json } = await call("GET", `/v1/runs/${id}`);
        return ["completed", "failed", "cancelled"].includes(json.status) ? json : undefined;
    });
}

async function passed(id: string): Promise<string[]> {
    const { json } = await call("GET", `/v1/runs/${id}/events`);
    return json.data.map((event: any) => event.step).filter(Boolean);
}

/** Waits until so many are at the node, as the counts behind the log say. */
async function counted(name: string, at: string, count: number): Promise<any[]> {
    return await until(`${count} wait at ${at}`, async () => {
        const { json } = await call("GET", `/v1/workflows/${name}/people?at=${at}`);
        return json.data.length === count ? json.data : undefined;
    });
}

describe("figures of a list", () => {
    test("say for each workflow what is open and what began", async () => {
        const name = unique("aa_figures");
        await define(name);
        await start(name, "ann");
        const found = await until("the run is counted", async () => {
            const { json } = await call("GET", "/v1/runs/rates/workflows?step=1h&limit=1000");
            const one = json.data.find((row: any) => row.workflow === name);
            return one?.open === 1 && one.started === 1 ? one : undefined;
        });
        assert.equal(found.started_over_time.length, found.failed_over_time.length);
        const sum = found.started_over_time.reduce((a: number, b: number) => a + b, 0);
        assert.equal(sum, 1);
        const listed = await call("GET", "/v1/workflows?limit=3");
        const page = await call("GET", "/v1/runs/rates/workflows?limit=3");
        assert.deepEqual(
            page.json.data.map((row: any) => row.workflow),
            listed.json.data.map((row: any) => row.name),
        );
        if (page.json.has_more) {
            const cursor = encodeURIComponent(page.json.next_cursor);
            const next = await call("GET", `/v1/runs/rates/workflows?limit=3&cursor=${cursor}`);
            assert.ok(next.json.data[0].workflow > page.json.data[2].workflow);
        }
    });

    test("are refused for what would be too much", async () => {
        for (const query of ["step=2h", "step=1m", "from=x", "limit=0", "nope=1"]) {
            const { status } = await call("GET", `/v1/runs/rates/workflows?${query}`);
            assert.equal(status, 400, query);
        }
    });
});

describe("the text of a workflow", () => {
    test("is what the command line prints", async () => {
        const name = unique("text");
        await define(name);
        await define(name, { description: "second" });
        const printed = await pawlCommand(["workflows", "show", name, "-o", "yaml"], {
            DATABASE_URL: databaseUrl,
        });
        const response = await request("GET", `/v1/workflows/${name}/text`, {});
        assert.match(response.headers.get("content-type") ?? "", /^application\/yaml/);
        assert.equal(await response.text(), printed);
        const old = await request("GET", `/v1/workflows/${name}/text?version=1`, {});
        assert.doesNotMatch(await old.text(), /second/);
        assert.equal((await call("GET", "/v1/workflows/no_such/text")).status, 404);
        assert.equal((await call("GET", `/v1/workflows/${name}/text?version=9`)).status, 404);
    });
});

describe("why an event did not start a workflow", () => {
    const starts = async (name: string): Promise<Record<string, any>> => {
        const { status, json } = await call("GET", `/v1/workflows/${name}/starts`);
        assert.equal(status, 200, JSON.stringify(json));
        return Object.fromEntries(json.data.map((one: any) => [one.event.id, one]));
    };
    const send = async (events: object[]): Promise<void> => {
        const { status } = await call("POST", "/v1/events", events);
        assert.equal(status, 202);
    };

    test("is said for each of the last ones", async () => {
        const name = unique("starts");
        const event = `${name}.came`;
        await define(name, {
            triggers: [{ event, filter: { path: "data.plan", operator: "=", value: "pro" } }],
            reentry: "once",
        });
        const id = (word: string): string => `${name}-${word}`;
        await send([
            { id: id("first"), name: event, key: "ann", data: { plan: "pro" } },
            { id: id("free"), name: event, key: "bob", data: { plan: "free" } },
        ]);
        const found = await until("both were looked at", async () => {
            const all = await starts(name);
            const looked = [id("first"), id("free")].every(
                (one) => all[one] && all[one].reason !== "pending",
            );
            return looked && all[id("first")].started ? all : undefined;
        });
        assert.equal(found[id("first")].reason, "started");
        assert.equal(found[id("free")].reason, "filter");
        assert.match(found[id("free")].detail, /data\.plan/);
        assert.equal(found[id("free")].run_id, null);
        await send([{ id: id("again"), name: event, key: "ann", data: { plan: "pro" } }]);
        const again = await until("the second was looked at", async () => {
            const one = (await starts(name))[id("again")];
            return one && one.reason !== "pending" ? one : undefined;
        });
        assert.equal(again.reason, "entered");
        assert.equal(again.run_id, found[id("first")].run_id);
        await call("POST", `/v1/workflows/${name}/switch`, { on: false, reason: "holidays" });
        const limited = await call("GET", `/v1/workflows/${name}/starts?limit=1`);
        assert.deepEqual(
            limited.json.data.map((one: any) => one.event.id),
            [id("again")],
        );
    });

    test("has limits, scopes and unknown names", async () => {
        assert.equal((await call("GET", "/v1/workflows/no_such/starts")).status, 404);
        const name = unique("none");
        await define(name);
        assert.deepEqual(await starts(name), {});
        assert.equal((await call("GET", `/v1/workflows/${name}/starts?limit=500`)).status, 400);
        const key = await keyWith("workflows:read");
        const { status } = await call("GET", `/v1/workflows/${name}/starts`, undefined, {}, key);
        assert.equal(status, 403);
    });
});

describe("test cases of a workflow", () => {
    const cases = [
        "tests:",
        "  - name: answered in time",
        "    events: [{after: 1h, signal: answered}]",
        "    expect: {status: completed, visited: [thanks]}",
        "  - name: too late",
        "    expect: {status: completed, visited: [thanks]}",
        "",
    ].join("\n");

    test("are kept, run, and thrown away", async () => {
        const name = unique("tests");
        await define(name);
        const path = `/v1/workflows/${name}/tests`;
        assert.equal((await call("GET", path)).status, 404);
        assert.equal((await call("POST", `${path}/run`, {})).status, 404);
        const kept = await call("PUT", path, { text: cases });
        assert.equal(kept.status, 200, JSON.stringify(kept.json));
        assert.equal((await call("GET", path)).json.text, cases);
        const { status, json } = await call("POST", `${path}/run`, {});
        assert.equal(status, 200, JSON.stringify(json));
        assert.deepEqual([json.passed, json.failed, json.version], [1, 1, 1]);
        assert.deepEqual(
            json.tests.map((one: any) => one.passed),
            [true, false],
        );
        assert.equal(json.tests[1].mismatches[0].what, "visited");
        const visits = Object.fromEntries(
            json.coverage.nodes.map((one: any) => [one.id, one.visits]),
        );
        assert.deepEqual(visits, { came: 2, answer: 2, thanks: 1, remind: 1 });
        const only = await call("POST", `${path}/run`, { only: "in time" });
        assert.deepEqual([only.json.passed, only.json.failed], [1, 0]);
        const blind = await call("PUT", path, { text: cases });
        assert.deepEqual([blind.status, blind.json.code], [412, "tests_changed"]);
        const seen = { "If-Match": kept.etag };
        const saved = await call("PUT", path, { text: `${cases}# more\n` }, seen);
        assert.equal(saved.status, 200);
        assert.equal((await call("DELETE", path, undefined, seen)).status, 412);
        assert.equal((await call("DELETE", path)).status, 200);
        assert.equal((await call("DELETE", path)).status, 404);
    });

    test("that cannot be read are refused with their place", async () => {
        const name = unique("tests");
        await define(name);
        const path = `/v1/workflows/${name}/tests`;
        for (const text of [
            "tests: [",
            "tests: [{name: x, mock: {no_such: {}}}]",
            "tests: [{name: x, expect: {visited: [nowhere]}}]",
        ]) {
            for (const sent of [
                await call("PUT", path, { text }),
                await call("POST", `${path}/run`, { text }),
            ]) {
                assert.equal(sent.status, 422, text);
                assert.equal(sent.json.errors[0].pointer, "/text");
            }
        }
        assert.equal((await call("GET", path)).status, 404);
        const wrong = [{ version: {} }, { definition: "x: [" }, { nope: 1 }, { only: 5 }];
        for (const body of wrong) {
            const { status } = await call("POST", `${path}/run`, { text: cases, ...body });
            assert.equal(status, 422, JSON.stringify(body));
        }
        assert.equal(
            (await call("PUT", "/v1/workflows/no_such/tests", { text: cases })).status,
            404,
        );
    });

    test("run on a definition that is not published, and compute for real", async () => {
        const { status, json } = await call("POST", "/v1/workflows/draft/tests/run", {
            definition: {
                name: "draft",
                steps: [{ name: "sum", transform: { jq: ".a + .b" } }],
            },
            text: "tests: [{name: adds, input: {a: 1, b: 2}, expect: {output: 3}}]",
        });
        assert.equal(status, 200, JSON.stringify(json));
        assert.deepEqual([json.passed, json.failed, json.version], [1, 0, null]);
    });
});

describe("people at a step", () => {
    test("are let go on by a way, or taken out", async () => {
        const name = unique("move");
        await define(name);
        const path = `/v1/workflows/${name}/people`;
        const runs = [];
        for (const person of ["a", "b", "c", "d"]) runs.push(await start(name, person));
        await counted(name, "answer", 4);
        const one = await call("POST", path, {
            action: "release",
            at: "answer",
            handle: "timeout",
            reason: "test",
            runs: [runs[0], randomUUID()],
        });
        assert.equal(one.status, 202, JSON.stringify(one.json));
        assert.deepEqual([one.json.reached, one.json.failed], [1, 1]);
        assert.equal((await ended(runs[0]!)).status, "completed");
        assert.ok((await passed(runs[0]!)).includes("remind"));
        const log = (await call("GET", `/v1/runs/${runs[0]}/events`)).json.data;
        const skipped = log.find((event: any) => event.type === "step_skipped");
        assert.equal(skipped.data.reason, "test");
        await counted(name, "answer", 3);
        const part = await call("POST", path, {
            action: "release",
            at: "answer",
            reason: "test",
            limit: 1,
        });
        assert.deepEqual([part.json.reached, part.json.has_more], [1, true]);
        assert.equal((await ended(runs[1]!)).status, "completed");
        assert.ok((await passed(runs[1]!)).includes("thanks"));
        const rest = await call("POST", path, {
            action: "exit",
            at: "answer",
            reason: "test",
            cursor: part.json.next_cursor,
        });
        assert.deepEqual([rest.json.reached, rest.json.has_more], [2, false]);
        for (const id of runs.slice(2)) assert.equal((await ended(id)).status, "cancelled");
        await counted(name, "answer", 0);
    });

    test("one run leaves a step by the way that a skip names", async () => {
        const name = unique("skip");
        await define(name);
        const run = await start(name, "a");
        await counted(name, "answer", 1);
        const skip = { node: "answer", reason: "test" };
        const wrong = await call("POST", `/v1/runs/${run}/skip`, { ...skip, handle: "nowhere" });
        assert.equal(wrong.status, 422);
        assert.equal(wrong.json.errors[0].pointer, "/handle");
        const fine = await call("POST", `/v1/runs/${run}/skip`, { ...skip, handle: "timeout" });
        assert.equal(fine.status, 202);
        await ended(run);
        assert.ok((await passed(run)).includes("remind"));
    });

    test("are not moved by what is wrong, nor by other tenants", async () => {
        const name = unique("wrong");
        await define(name);
        const run = await start(name, "a");
        await counted(name, "answer", 1);
        const path = `/v1/workflows/${name}/people`;
        const good = { action: "release", at: "answer", reason: "test" };
        for (const body of [
            {},
            { ...good, action: "move" },
            { ...good, at: "nowhere" },
            { ...good, reason: "" },
            { ...good, handle: "nowhere" },
            { ...good, action: "exit", handle: "timeout" },
            { ...good, runs: [] },
            { ...good, runs: ["x"] },
            { ...good, runs: [run], cursor: "x" },
            { ...good, limit: 5000 },
            { ...good, more: 1 },
        ]) {
            const { status } = await call("POST", path, body);
            assert.equal(status, 422, JSON.stringify(body));
        }
        assert.equal((await call("POST", path, { ...good, cursor: "x" })).status, 400);
        assert.equal((await call("POST", "/v1/workflows/no_such/people", good)).status, 404);
        const key = await keyWith("runs:read");
        assert.equal((await call("POST", path, good, {}, key)).status, 403);
        assert.equal((await call("GET", `/v1/runs/${run}`)).json.status, "waiting");
    });
});
