import { Pawl, type Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// A server that may open 240 files takes 120 connections.
describe("one tenant's streams", () => {
    let server: Serve;
    let run = "";
    const keys: Record<string, string> = {};
    const open: AbortController[] = [];

    before(async () => {
        const database = await freshDatabase();
        server = new Serve(database, [], {}, ["prlimit", "--nofile=240"]);
        await server.start();
        for (const tenant of ["acme", "evil"]) {
            await pawlCommand(["tenants", "create", tenant], { DATABASE_URL: database });
            keys[tenant] = await createKey(database, ["admin"], tenant);
        }
        const client = new Pawl({ url: server.url, key: keys["evil"]! });
        const steps = [{ name: "s", wait: { event: "never" } }];
        await client.workflows.apply({ name: "w", steps } as unknown as Definition);
        run = (await client.start("w", {})).id;
    });
    after(async () => {
        for (const one of open) one.abort();
        await server.stop();
    });

    function get(path: string, tenant: string): Promise<Response> {
        const stop = new AbortController();
        open.push(stop);
        const headers = { Authorization: `Bearer ${keys[tenant]}` };
        return fetch(server.url + path, { headers, signal: stop.signal });
    }

    async function post(path: string, tenant: string): Promise<Response> {
        const headers = {
            Authorization: `Bearer ${keys[tenant]}`,
            "Content-Type": "application/json",
        };
        const body = JSON.stringify({ workflow: "w", data: {} });
        return await fetch(server.url + path, { method: "POST", headers, body });
    }

    test("leave room for others, and for probes", async () => {
        const answers = await Promise.all(
            Array.from({ length: 100 }, () => get(`/v1/runs/${run}/stream`, "evil")),
        );
        const refused = answers.filter((one) => one.status !== 200);
        assert.equal(answers.length - refused.length, 30, "a quarter");
        const problem = await readProblem(refused[0]!, 429);
        assert.equal(problem.code, "too_many_streams");
        assert.match(problem.detail, /GET \/v1\/stream/);
        assert.equal(refused[0]!.headers.get("retry-after"), "5");
        await Promise.all(refused.slice(1).map((one) => one.text()));

        assert.equal((await get("/v1/stream", "evil")).status, 429);
        assert.equal((await post("/v1/runs?wait=30s", "evil")).status, 429);
        assert.equal((await post("/v1/runs", "evil")).status, 201, "nothing was begun before");
        assert.equal((await get("/v1/stream", "acme")).status, 200);
        assert.equal((await get("/v1/runs?limit=1", "acme")).status, 200);
        assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    });

    test("that end give their places back", async () => {
        for (const one of open.splice(0)) one.abort();
        await until("a place is free", async () => {
            const answer = await get("/v1/stream", "evil");
            return answer.status === 200;
        });
    });
});
