import assert from "node:assert/strict";
import { connect } from "node:net";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { findOperation, operations, readProblem } from "./support/contract.js";
import { define, key, pawl, request, uncheckedRequest, url } from "./support/server.js";
import { within } from "./support/until.js";

/** Sends bytes as they are and returns all that comes back. */
async function talk(bytes: string | Buffer): Promise<string> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.end(bytes);
    let text = "";
    const reading = (async () => {
        for await (const piece of socket.setEncoding("utf8")) text += piece as string;
    })();
    await within("the connection is closed", reading);
    return text;
}

const workflow = await define([{ name: "s", code: "noop" }]);

describe("requests that are wrong", { concurrency: 4 }, () => {
    for (const [what, body] of [
        ["no JSON", "{"],
        ["two values", "{} {}"],
        ["an unterminated string", '{"workflow": "x'],
        ["a comment", '{"workflow": "x" /* here */}'],
        ["bytes that are no UTF-8", '{"workflow":"\xff"}'],
        ["nothing", ""],
        [
            "a number that would be rounded",
            '{"workflow":"w","data":{"id":12345678901234567890123}}',
        ],
        ["too deep", `{"workflow":"w","data":{"x":${"[".repeat(500)}${"]".repeat(500)}}}`],
    ] as const) {
        test(`malformed: ${what}`, async () => {
            const bytes = Buffer.from(body, "latin1");
            const response = await uncheckedRequest("POST", "/v1/runs", { body: bytes });
            const problem = await readProblem(response, 400);
            assert.equal(problem.code, "invalid_json");
        });
    }

    for (const path of [
        "/v1/runs?workflow=%ff",
        "/v1/runs?subject=%ff",
        "/v1/schedules?workflow=%ff",
        "/v1/limits?workflow=%ff",
        "/v1/workflows/%ff/versions",
    ]) {
        test(`no UTF-8: ${path}`, async () => {
            await readProblem(await uncheckedRequest("GET", path), 400);
        });
    }

    for (const path of ["/v1/runs?workflow=a%00b", "/v1/workflows/a%00", "/v1/runs?%00=1"]) {
        test(`a control character: ${path}`, async () => {
            const problem = await readProblem(await uncheckedRequest("GET", path), 400);
            assert.match(problem.detail, /the URL holds a control character, such as %00/);
        });
    }

    for (const name of ["Idempotency-Key", "ce-id"]) {
        test(`no UTF-8: the header ${name}`, async () => {
            const body = "{}";
            const answer = await talk(
                Buffer.from(
                    `POST /v1/events HTTP/1.1\r\nHost: localhost\r\n` +
                        `Authorization: Bearer ${key}\r\n` +
                        `Content-Type: application/json\r\nce-specversion: 1.0\r\n` +
                        `${name}: a\xff\r\nConnection: close\r\n` +
                        `Content-Length: ${body.length}\r\n\r\n${body}`,
                    "latin1",
                ),
            );
            assert.match(answer, /^HTTP\/1\.1 400 /);
            assert.match(answer, new RegExp(`"parameter":"${name}"`));
        });
    }

    for (const [what, body, pointer] of [
        ["a list instead of an object", [], undefined],
        ["no workflow", {}, "/workflow"],
        ["a number for a name", { workflow: 5 }, "/workflow"],
        ["an empty name", { workflow: "" }, "/workflow"],
        ["data that is no object", { workflow, data: [1] }, "/data"],
        ["a priority out of range", { workflow, priority: 40_000 }, "/priority"],
        ["a priority that is no whole number", { workflow, priority: 1.5 }, "/priority"],
        ["a time that is none", { workflow, start_at: "tomorrow" }, "/start_at"],
        ["a delay that is none", { workflow, delay: "soon" }, "/delay"],
        [
            "both delay and start_at",
            { workflow, delay: "1m", start_at: "2030-01-01T00:00:00Z" },
            "/delay",
        ],
        ["a subject that is too long", { workflow, subject: "x".repeat(501) }, "/subject"],
        ["a subject of too many bytes", { workflow, subject: "ü".repeat(251) }, "/subject"],
        [
            "a key of too many bytes",
            { workflow, correlation_id: "ü".repeat(201) },
            "/correlation_id",
        ],
        [
            "a correlation_id that is too long",
            { workflow, correlation_id: "x".repeat(401) },
            "/correlation_id",
        ],
        ["an unknown key", { workflow, correlationid: "x" }, "/correlationid"],
    ] as const) {
        test(`wrong: ${what}`, async () => {
            const response = await request("POST", "/v1/runs", { body });
            const problem = await readProblem(response, 422);
            assert.equal(problem.code, "validation_failed");
            if (pointer) assert.equal(problem.errors?.[0]?.pointer, pointer);
        });
    }

    test("everything that is wrong is told at once", async () => {
        const body = { workflow: 1, data: 2, priority: "3" };
        const problem = await readProblem(await request("POST", "/v1/runs", { body }), 422);
        const pointers = problem.errors?.map((place) => place.pointer);
        assert.deepEqual(pointers, ["/workflow", "/data", "/priority"]);
        assert.equal(problem.detail, "/workflow must be text (and 2 more)");
    });

    test("numbers are kept as they are, or refused", async () => {
        const keep = await define([
            { name: "s", code: { function: "echo", input: "{{ input }}" } },
        ]);
        const text = `{"workflow": "${keep}", "data": {"a": 18446744073709551615,
            "b": -9223372036854775808, "c": 1e30, "d": 100000000000000000000, "e": 0.1}}`;
        const bytes = Buffer.from(text);
        const response = await uncheckedRequest("POST", "/v1/runs?wait=20s", { body: bytes });
        assert.equal(response.status, 200);
        const output = /"output":\{[^}]*\}/.exec(await response.text())?.[0] ?? "";
        for (const number of ["18446744073709551615", "-9223372036854775808", "1E30", "1E20"]) {
            assert.ok(output.includes(number), output);
        }
        for (const [path, body] of [
            ["/v1/runs", `{"workflow":"${keep}","data":{"a":18446744073709551617}}`],
            ["/v1/events", '{"name":"e","data":{"a":[-9223372036854775809]}}'],
        ] as const) {
            const refused = await uncheckedRequest("POST", path, { body: Buffer.from(body) });
            const problem = await readProblem(refused, 400);
            assert.match(problem.detail, /cannot be kept exactly; give it as text/);
        }
    });

    test("a filter that matches nothing is an empty list", async () => {
        const page = (await (await request("GET", "/v1/runs?workflow=nosuch")).json()) as any;
        assert.deepEqual([page.data, page.has_more], [[], false]);
    });

    for (const query of [
        "limit=0",
        "limit=1001",
        "limit=x",
        "cursor=!",
        "cursor=bm9uc2Vuc2U",
        "status=asleep",
        "created_after=yesterday",
        "worflow=x",
    ]) {
        test(`a wrong parameter: ${query}`, async () => {
            const response = await request("GET", `/v1/runs?${query}`);
            const problem = await readProblem(response, 400);
            assert.equal(problem.errors?.[0]?.parameter, query.split("=")[0]);
        });
    }

    test("an oversized body is refused", async () => {
        const body = { workflow, data: { text: "x".repeat(1 << 20) } };
        const response = await request("POST", "/v1/runs", { body });
        const problem = await readProblem(response, 413);
        assert.match(problem.detail, /has more than 1048576 bytes/);
    });

    test("an oversized header is refused", async () => {
        const text = await talk(
            `GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`,
        );
        assert.match(text, /^HTTP\/1\.1 4(31|00) /);
    });

    test("the wrong content type is refused", async () => {
        for (const type of [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
        ]) {
            const headers = { "Content-Type": type };
            const response = await request("POST", "/v1/runs", {
                headers,
                body: '{"workflow":"w"}',
            });
            await readProblem(response, 415);
        }
    });

    test("application/json with a charset is fine", async () => {
        const headers = { "Content-Type": "application/json; charset=utf-8" };
        const response = await request("POST", "/v1/runs", { headers, body: { workflow } });
        assert.equal(response.status, 201);
    });

    test("the wrong method is 405 and says which are right, on every path", async () => {
        const paths = new Map<string, string[]>();
        for (const { path, method } of operations) {
            paths.set(path, [...(paths.get(path) ?? []), method.toUpperCase()]);
        }
        for (const [path, methods] of paths) {
            if (path.startsWith("/functions/")) continue; // document.test.ts
            const wrong = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
                (m) => !methods.includes(m),
            );
            const concrete = path.replace(/\{version\}/, "1").replace(/\{[^}]+\}/, randomUUID());
            for (const method of wrong) {
                // Another route may have a parameter where this one has a word.
                if (findOperation(method, concrete)) continue;
                const response = await uncheckedRequest(method, concrete);
                const allowed = response.headers.get("allow");
                await readProblem(response, 405);
                for (const right of methods) {
                    assert.ok(allowed?.includes(right), `${method} ${path}`);
                }
            }
        }
    });

    test("an unknown path is 404, with or without a key", async () => {
        for (const token of [key, undefined]) {
            for (const path of [
                "/",
                "/v1",
                "/v1/",
                "/v1/run",
                "/v2/runs",
                "/v1/runs/",
                "//v1/runs",
            ]) {
                const response = await uncheckedRequest("GET", path, { key: token });
                await readProblem(response, 404);
            }
        }
    });

    test("a path that is no path is refused", async () => {
        for (const target of ["/v1/runs/%zz", "/v1/workflows/%00", "/v1/runs?limit=%f"]) {
            const text = await talk(
                `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
                    "Connection: close\r\n\r\n",
            );
            assert.match(text, /^HTTP\/1\.1 40[04] /, target);
        }
    });

    test("what is no HTTP is answered with 400", async () => {
        assert.match(await talk("hello\r\n\r\n"), /^HTTP\/1\.1 400 /);
    });

    test("two lengths of one body are refused: no smuggling", async () => {
        const head = `POST /v1/runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
        const both = "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n";
        const twice = "Content-Length: 4\r\nContent-Length: 5\r\n";
        for (const lengths of [both, twice]) {
            const text = await talk(`${head}${lengths}\r\n0\r\n\r\n`);
            assert.match(text, /^HTTP\/1\.1 400 /, lengths);
        }
    });

    test("a request id is kept when it is one, and made when it is not", async () => {
        const kept = await request("GET", "/v1/runs?limit=1", {
            headers: { "X-Request-Id": "my-id.1" },
        });
        assert.equal(kept.headers.get("x-request-id"), "my-id.1");
        const made = await request("GET", "/v1/runs?limit=1", {
            headers: { "X-Request-Id": 'a b"c' },
        });
        assert.match(made.headers.get("x-request-id") ?? "", /^[\w-]+$/);
    });

    test("HEAD is GET without a body", async () => {
        const response = await uncheckedRequest("HEAD", "/v1/runs?limit=1");
        assert.equal(response.status, 200);
        assert.equal(await response.text(), "");
    });

    test("the public pages", async () => {
        for (const path of ["/livez", "/readyz"]) {
            const response = await request("GET", path, { key: undefined });
            assert.equal(response.status, 200, path);
        }
    });

    test("the wrong ones started nothing", async () => {
        assert.equal((await pawl.list({ workflow }).take(10)).length, 1);
    });
});
