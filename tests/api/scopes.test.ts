import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { operations, type Operation } from "./support/contract.js";
import { keyWith, pawl, request } from "./support/server.js";
// @ts-expect-error: plain JavaScript
import { readOpenApi } from "../../clients/typescript/scripts/openapi.mjs";

// Generated from the document: each route asks for the scope that it declares, and for no other.

const scopes = [
    "workflows:read",
    "workflows:write",
    "runs:read",
    "runs:write",
    "events:read",
    "events:write",
    "tasks:read",
    "tasks:write",
    "metrics:read",
];
// "token": what stands in the address is the proof, and no key helps without it.
// "signature": so is the body of a provider's call, and the signed address of a link; what these
// name is not there.
// "credential": so is the body of a sign-in. "any": every caller that proves who it is.
// "provider": an identity provider has the proof; this server knows none.
const keyless = ["public", "token", "signature", "credential", "provider"];

// A body that is refused after the key was looked at; two routes take almost anything.
const wrong = { nonsense: true };
const harmless: Record<string, object> = {
    validateWorkflow: { name: "nonsense" },
    workflowOrchestrator: { action: "process" },
};

async function call(operation: Operation, key: string | undefined): Promise<number> {
    const path = operation.path.replace("{version}", "1").replace(/\{[^}]+\}/, randomUUID());
    const body = ["post", "put"].includes(operation.method)
        ? (harmless[operation.id] ?? wrong)
        : undefined;
    const response = await request(operation.method.toUpperCase(), path, { key, body });
    await response.body?.cancel();
    return response.status;
}

describe("scopes", { concurrency: 4 }, () => {
    test("the server serves the document", async () => {
        const response = await request("GET", "/openapi.json", { key: undefined });
        assert.deepEqual(await response.json(), readOpenApi());
    });

    for (const operation of operations) {
        const { method, path, scope } = operation;
        test(`${method.toUpperCase()} ${path}: ${scope}`, async () => {
            assert.ok([...keyless, ...scopes, "admin", "any"].includes(scope), scope);
            if (scope === "token") {
                for (const key of [undefined, await keyWith("admin")]) {
                    assert.ok([401, 403].includes(await call(operation, key)));
                }
                return;
            }
            if (scope === "signature" || scope === "provider") {
                for (const key of [undefined, await keyWith("admin")]) {
                    assert.equal(await call(operation, key), 404);
                }
                return;
            }
            if (scope === "credential") {
                for (const key of [undefined, await keyWith("admin")]) {
                    assert.equal(await call(operation, key), 422);
                }
                return;
            }
            if (scope === "public") {
                assert.equal(await call(operation, undefined), 200);
                return;
            }
            assert.equal(await call(operation, undefined), 401, "no key");
            const stranger = `pawl_abcdefgh_${"A".repeat(43)}`;
            const some = scope === "any" ? "metrics:read" : scope;
            for (const wrong of ["x", "pawl_", stranger, `${await keyWith(some)}x`]) {
                assert.equal(await call(operation, wrong), 401, `the key ${wrong.slice(0, 12)}`);
            }
            if (scope === "any") {
                assert.ok(![401, 403].includes(await call(operation, await keyWith(some))));
                return;
            }
            for (const other of scopes.filter((one) => one !== scope)) {
                assert.equal(await call(operation, await keyWith(other)), 403, `only ${other}`);
            }
            const all = scope === "admin" ? ["admin", ...scopes] : scopes;
            for (const right of [[scope], ["admin"], all]) {
                const status = await call(operation, await keyWith(...right));
                assert.ok(![401, 403].includes(status), `${right.join(" ")}: ${status}`);
            }
        });
    }

    test("401 says how to authenticate; 403 says what is missing", async () => {
        const anonymous = await request("GET", "/v1/runs", { key: undefined });
        assert.match(anonymous.headers.get("www-authenticate") ?? "", /^Bearer/);
        const other = await request("GET", "/v1/runs", { key: await keyWith("workflows:read") });
        assert.equal(other.status, 403);
        assert.match(((await other.json()) as { detail: string }).detail, /runs:read/);
    });

    test("a header that is no bearer token is 401", async () => {
        for (const authorization of [
            "",
            "Bearer",
            "Bearer ",
            "Basic eDp5",
            "pawl_x",
            "Bearer a b",
        ]) {
            const headers = { Authorization: authorization };
            const response = await request("GET", "/v1/runs", { key: undefined, headers });
            assert.equal(response.status, 401, authorization);
        }
    });

    test("nothing was changed", async () => {
        assert.deepEqual(await pawl.list({ workflow: "nonsense" }).take(1), []);
    });
});
