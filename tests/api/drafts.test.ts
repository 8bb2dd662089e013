import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { keyWith, pawl, request } from "./support/server.js";

// What an editor keeps beside the versions: drafts, and where the nodes are drawn.

const name = (): string => `d-${randomUUID()}`;

async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
): Promise<{ status: number; json: any; etag: string }> {
    const response = await request(method, path, { body, headers });
    const etag = response.headers.get("etag") ?? "";
    return { status: response.status, json: await response.json(), etag };
}

describe("a draft", { concurrency: 4 }, () => {
    test("is saved, found, listed and thrown away", async () => {
        const path = `/v1/workflows/${name()}/draft`;
        assert.equal((await call("GET", path)).status, 404);
        const text = "name: half a\nsteps: [";
        const saved = await call("PUT", path, { text });
        assert.equal(saved.status, 200);
        const found = await call("GET", path);
        assert.deepEqual([found.json.text, found.etag], [text, `"${saved.json.etag}"`]);
        const listed = await call("GET", "/v1/drafts?limit=1000");
        const one = listed.json.data.find((draft: any) => path.includes(draft.name));
        assert.deepEqual([one.etag, one.text], [saved.json.etag, undefined]);
        assert.equal((await call("DELETE", path)).status, 200);
        assert.equal((await call("DELETE", path)).status, 404);
    });

    test("of another writer is shown, not overwritten", async () => {
        const path = `/v1/workflows/${name()}/draft`;
        const mine = await call("PUT", path, { text: "mine" });
        const blind = await call("PUT", path, { text: "blind" });
        assert.deepEqual([blind.status, blind.json.code], [412, "draft_changed"]);
        assert.equal(blind.json.current.text, "mine");
        const other = await call("PUT", path, { text: "other" }, { "If-Match": mine.etag });
        assert.equal(other.status, 200);
        const late = await call("PUT", path, { text: "late" }, { "If-Match": mine.etag });
        assert.equal(late.status, 412);
        assert.equal(late.json.current.text, "other");
        assert.equal((await call("GET", path)).json.text, "other");
        const wrong = await call("DELETE", path, undefined, { "If-Match": mine.etag });
        assert.equal(wrong.status, 412);
        const gone = await call("DELETE", path, undefined, { "If-Match": other.etag });
        assert.equal(gone.status, 200);
        const after = await call("PUT", path, { text: "again" }, { "If-Match": other.etag });
        assert.deepEqual([after.status, after.json.current], [412, null]);
    });

    test("of many writers at once is one of theirs", async () => {
        const path = `/v1/workflows/${name()}/draft`;
        const { etag } = await call("PUT", path, { text: "begin" });
        const answers = await Promise.all(
            Array.from({ length: 8 }, (_, i) =>
                call("PUT", path, { text: `writer ${i}` }, { "If-Match": etag }),
            ),
        );
        const won = answers.filter((answer) => answer.status === 200);
        assert.equal(won.length, 1);
        assert.equal((await call("GET", path)).json.text, won[0]!.json.text);
    });

    test("that is wrong, too long or not allowed is refused", async () => {
        const path = `/v1/workflows/${name()}/draft`;
        for (const body of [
            {},
            { text: 5 },
            { text: "x", more: 1 },
            { text: "x".repeat(1_100_000) },
        ]) {
            const { status } = await call("PUT", path, body);
            assert.ok([413, 422].includes(status), `${status}`);
        }
        assert.equal((await call("PUT", path, { text: "x" }, { "If-Match": "x" })).status, 400);
        assert.equal((await call("GET", `/v1/workflows/${"x".repeat(150)}/draft`)).status, 400);
        const key = await keyWith("workflows:read");
        const response = await request("PUT", path, { key, body: { text: "x" } });
        assert.equal(response.status, 403);
        assert.equal((await call("GET", path)).status, 404, "nothing was saved");
    });
});

describe("a layout", () => {
    test("makes no new version", async () => {
        const workflow = name();
        const definition = { name: workflow, steps: [{ name: "greet", code: "echo" }] };
        const layout = { nodes: { greet: { x: 0.5, y: -80 } }, notes: [{ text: "hm" }] };
        const first = await call("POST", "/v1/workflows", definition);
        assert.deepEqual([first.status, first.json.version], [201, 1]);
        const path = `/v1/workflows/${workflow}`;
        assert.equal((await call("GET", path)).json.layout, null);
        const put = await call("PUT", `${path}/layout`, layout);
        assert.equal(put.status, 200);
        assert.deepEqual((await call("GET", path)).json.layout, layout);
        const moved = { nodes: { greet: { x: 1, y: 2 } } };
        const again = await call("POST", "/v1/workflows", { ...definition, layout: moved });
        assert.deepEqual(
            [again.status, again.json],
            [200, { name: workflow, version: 1, changed: false }],
        );
        const shown = await call("GET", path);
        assert.deepEqual(shown.json.layout, moved);
        assert.equal(shown.json.definition.layout, undefined);
        const run = await pawl.start(workflow, {});
        assert.ok(run.id);
    });

    test("that is none, or of no workflow, is refused", async () => {
        assert.equal((await call("PUT", `/v1/workflows/${name()}/layout`, {})).status, 404);
        const definition = { name: name(), layout: [1], steps: [{ name: "greet", code: "echo" }] };
        const wrong = await call("POST", "/v1/workflows", definition);
        assert.equal(wrong.status, 422);
        assert.equal(wrong.json.errors[0].pointer, "/layout");
    });
});

describe("validation", () => {
    test("tells all problems, each with its node", async () => {
        const definition = {
            name: "w",
            nodes: [
                { id: "a", type: "http", config: { method: "GET" } },
                { id: "b", type: "wait", config: { duration: "soon" } },
                { id: "c", type: "end" },
            ],
            edges: [
                { from: "a", to: "b" },
                { from: "b", to: "d" },
            ],
        };
        const { json } = await call("POST", "/v1/workflows/validate", definition);
        assert.equal(json.valid, false);
        const nodes = json.errors.map((error: any) => error.node);
        assert.ok(
            ["a", "b"].every((node) => nodes.includes(node)),
            JSON.stringify(json.errors),
        );
        const edge = json.errors.find((error: any) => error.pointer === "/edges/1/to");
        assert.deepEqual([edge.node, edge.path], ["b", "edges[1].to"]);
        assert.deepEqual([edge.code, edge.values], ["unknown_step", { step: "d" }]);
        const jq = { name: "w", nodes: [{ id: "t", type: "transform", config: { jq: "1 +" } }] };
        const program = await call("POST", "/v1/workflows/validate", jq);
        assert.equal(program.json.errors[0].node, "t", JSON.stringify(program.json));
        assert.equal(program.json.errors[0].code, "program_wrong");
    });
});
