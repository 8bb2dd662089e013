import { Pawl, PawlError } from "@pawl/client";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cut, json, Scripted, type Act } from "./support/scripted.js";

const id = "0198c0de-0000-7000-8000-000000000000";
const started = { id, workflow: "w", version: 1, created: true };

function problem(status: number, headers: Record<string, string> = {}): Act {
    const body = {
        type: "urn:pawl:problem:some_code",
        title: "Title",
        status,
        detail: "what happened",
        code: "some_code",
        errors: [{ pointer: "/data/name", detail: "is missing" }],
        request_id: "r-1",
    };
    return json(status, body, { "Content-Type": "application/problem+json", ...headers });
}

async function failure(promise: Promise<unknown>): Promise<PawlError> {
    const error = await promise.then(
        () => assert.fail("it should have failed"),
        (reason: unknown) => reason,
    );
    assert.ok(error instanceof PawlError, String(error));
    return error;
}

describe("client: requests", () => {
    const server = new Scripted();
    let url: string;
    let pawl: Pawl;
    before(async () => {
        url = await server.start();
        pawl = new Pawl({ url: `${url}/`, key: "pawl_key" });
    });
    after(() => server.stop());

    test("a start carries key, data and options under their names on the wire", async () => {
        server.will(json(201, started));
        const startAt = new Date("2030-01-02T03:04:05.678Z");
        const options = { correlationId: "c", subject: "s", priority: -5, startAt };
        assert.deepEqual(await pawl.start("w", { a: 1 }, options), started);
        const [asked] = server.asked;
        assert.equal(asked?.method, "POST");
        assert.equal(asked?.path, "/v1/runs");
        assert.equal(asked?.headers["authorization"], "Bearer pawl_key");
        assert.deepEqual(JSON.parse(asked?.body ?? ""), {
            workflow: "w",
            data: { a: 1 },
            correlation_id: "c",
            subject: "s",
            priority: -5,
            start_at: "2030-01-02T03:04:05.678Z",
        });
    });

    test("a number of milliseconds is a delay", async () => {
        server.will(json(201, started));
        await pawl.start("w", {}, { delay: 1500 });
        assert.equal(JSON.parse(server.asked[0]?.body ?? "").delay, "1500ms");
    });

    test("a lost answer is asked for again with the same key", async () => {
        server.will(cut, json(201, started));
        assert.deepEqual(await pawl.start("w"), started);
        const keys = server.asked.map((asked) => asked.headers["idempotency-key"]);
        assert.equal(keys.length, 2);
        assert.ok(keys[0]);
        assert.equal(keys[0], keys[1]);
    });

    test("an answer that breaks off in its middle counts as lost", async () => {
        const half: Act = (response) => {
            response.writeHead(201, { "Content-Length": "999" });
            response.write('{"id":', () => response.destroy());
        };
        server.will(half, json(201, started));
        assert.deepEqual(await pawl.start("w"), started);
    });

    test("two starts have two keys, and a given one is used", async () => {
        server.will(json(201, started));
        await pawl.start("w");
        await pawl.start("w");
        await pawl.start("w", {}, { idempotencyKey: "mine" });
        const keys = server.asked.map((asked) => asked.headers["idempotency-key"]);
        assert.equal(new Set(keys).size, 3);
        assert.equal(keys[2], "mine");
    });

    for (const status of [429, 502, 503, 504]) {
        test(`${status} is tried again after Retry-After`, async () => {
            server.will(problem(status, { "Retry-After": "0" }), json(200, { data: [] }));
            assert.deepEqual(await pawl.nodeTypes(), []);
            assert.equal(server.asked.length, 2);
        });
    }

    test("Retry-After may be a date", async () => {
        const past = new Date(0).toUTCString();
        server.will(problem(503, { "Retry-After": past }), json(200, { data: [] }));
        assert.deepEqual(await pawl.nodeTypes(), []);
    });

    test("a refusal is not tried again, and says everything", async () => {
        server.will(problem(422));
        const error = await failure(pawl.start("w"));
        assert.equal(server.asked.length, 1);
        assert.equal(error.status, 422);
        assert.equal(error.code, "some_code");
        assert.equal(error.detail, "what happened");
        assert.equal(error.message, "what happened");
        assert.deepEqual(error.errors, [{ pointer: "/data/name", detail: "is missing" }]);
        assert.equal(error.requestId, "r-1");
        assert.equal(error.retryable, false);
    });

    test("an error page that is not JSON is told by its status", async () => {
        server.will((response) => {
            response.writeHead(500, { "Content-Type": "text/html" });
            response.end("<h1>oops</h1>");
        });
        const error = await failure(pawl.get("x"));
        assert.equal(error.status, 500);
        assert.equal(error.code, "http_500");
    });

    test("a success that is not JSON is an error, too", async () => {
        server.will((response) => {
            response.writeHead(200, { "Content-Type": "text/html" });
            response.end("<h1>Welcome</h1>");
        });
        const error = await failure(pawl.get("x"));
        assert.equal(error.code, "no_json");
        assert.match(error.detail, /is it a Pawl server/);
    });

    test("retries come to an end", async () => {
        const impatient = new Pawl({ url, retries: 1 });
        server.will(problem(503, { "Retry-After": "0" }));
        const error = await failure(impatient.nodeTypes());
        assert.equal(error.status, 503);
        assert.equal(error.retryAfter, 0);
        assert.equal(server.asked.length, 2);
    });

    test("a server that cannot be reached is a network error with its cause", async () => {
        const nowhere = new Pawl({ url: "http://127.0.0.1:1", retries: 0 });
        const error = await failure(nowhere.get("x"));
        assert.equal(error.code, "network");
        assert.equal(error.status, 0);
        assert.ok(error.cause);
    });

    test("a try that takes too long is a network error", async () => {
        server.will(() => {});
        const hasty = new Pawl({ url, retries: 0, timeout: 30 });
        const error = await failure(hasty.get("x"));
        assert.match(error.detail, /no answer within 30 ms/);
    });

    test("a signal ends a request, and the wait before the next try", async () => {
        const controller = new AbortController();
        const reason = new Error("enough");
        server.will((response, asked) => {
            problem(503, { "Retry-After": "60" })(response, asked);
            response.on("finish", () => controller.abort(reason));
        });
        await assert.rejects(pawl.get("x", { signal: controller.signal }), reason);
        await assert.rejects(pawl.get("x", { signal: controller.signal }), reason);
    });

    test("a key may be a function, asked before each request", async () => {
        let asked = 0;
        const rotating = new Pawl({ url, key: async () => `key${++asked}` });
        server.will(json(200, { data: [] }));
        await rotating.nodeTypes();
        await rotating.nodeTypes();
        // A request that the test before gave up may come only now.
        const sent = server.asked
            .filter((one) => one.path === "/v1/node-types")
            .map((one) => one.headers["authorization"]);
        assert.deepEqual(sent, ["Bearer key1", "Bearer key2"]);
    });

    test("names and ids are escaped in paths, filters in queries", async () => {
        server.will(json(200, { data: [], next_cursor: null, has_more: false }));
        await pawl.workflows.get("a/b?c");
        await pawl.list({ status: ["failed", "cancelled"], subject: "a&b" }).page();
        assert.equal(server.asked[0]?.path, "/v1/workflows/a%2Fb%3Fc");
        assert.equal(server.asked[1]?.path, "/v1/runs?status=failed%2Ccancelled&subject=a%26b");
    });

    test("a list is read page by page, and no further than needed", async () => {
        const page = (data: number[], next_cursor: string | null): Act =>
            json(200, { data, next_cursor, has_more: next_cursor !== null });
        server.will(page([1, 2], "x"), page([3], "y"), page([4], null));
        const all: unknown[] = [];
        for await (const run of pawl.list({ limit: 2 })) all.push(run);
        assert.deepEqual(all, [1, 2, 3, 4]);
        const queries = server.asked.map((asked) => asked.path.replace("/v1/runs", ""));
        assert.deepEqual(queries, ["?limit=2", "?limit=2&cursor=x", "?limit=2&cursor=y"]);
        server.will(page([1, 2], "x"), page([3], null));
        assert.deepEqual(await pawl.list().take(2), [1, 2]);
        assert.equal(server.asked.length, 1);
    });
});
