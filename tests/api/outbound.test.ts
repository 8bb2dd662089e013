import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { Pawl, type Definition } from "@pawl/client";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { freshDatabase, metricsOf, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// Calls of steps: where they may lead, what becomes of a target that is broken, and of a step
// whose outcome is unknown.

describe("calls to the outside", () => {
    let answer = (response: ServerResponse): void => void response.end("{}");
    let calls = 0;
    const peer = createServer((_, response) => {
        ++calls;
        answer(response);
    });
    let server: Serve;
    let pawl: Pawl;
    let url = "";

    before(async () => {
        await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
        url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}/`;
        server = new Serve(await freshDatabase());
        await server.start();
        pawl = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch });
    });
    after(async () => {
        await server.stop();
        peer.closeAllConnections();
        peer.close();
    });

    async function define(name: string, step: Record<string, unknown>): Promise<void> {
        const steps = [{ name: "call", ...step }];
        await pawl.workflows.apply({ name, steps } as unknown as Definition);
    }
    const why = (id: string): Promise<string> =>
        pawlCommand(["runs", "why", id], { DATABASE_URL: server.databaseUrl });

    // As docs/outbound-safety.md says.
    test("an unknown outcome waits until it is settled", async () => {
        answer = () => {}; // takes the request and says nothing
        await define("charge", { http: { url, method: "POST" }, timeout: "300ms" });
        const ids = [];
        for (let i = 0; i < 3; ++i) ids.push((await pawl.start("charge")).id);
        for (const id of ids) {
            await until("it waits", async () => (await why(id)).includes("is unknown"));
        }
        const path = (id: string): string => `/v1/runs/${id}/settle`;
        const post = (id: string, body: unknown): Promise<Response> =>
            checkedFetch(server.url + path(id), {
                method: "POST",
                headers: {
                    Authorization: `Bearer ${server.key}`,
                    "Content-Type": "application/json",
                },
                body: JSON.stringify(body),
            });
        assert.equal((await post(ids[0]!, { node: "call", as: "maybe" })).status, 422);
        assert.equal((await post(ids[0]!, { node: "gone", as: "failed" })).status, 422);
        const done = { node: "call", as: "completed", data: { charged: true } };
        assert.equal((await post(ids[0]!, done)).status, 202);
        const completed = await pawl.wait(ids[0]!);
        assert.deepEqual([completed.status, completed.output], ["completed", { charged: true }]);
        assert.equal((await post(ids[0]!, done)).status, 409);
        answer = (response) => void response.end("{}");
        await pawl.settle(ids[1]!, "call", { as: "retry" });
        assert.equal((await pawl.wait(ids[1]!)).status, "completed");
        const settle = ["runs", "settle", ids[2]!, "--node", "call", "--as", "failed"];
        await pawlCommand([...settle, "--reason", "not charged"], {
            DATABASE_URL: server.databaseUrl,
        });
        assert.equal((await pawl.wait(ids[2]!)).status, "failed");
    });

    test("a run that has moved to another version is settled by its new names", async () => {
        answer = () => {};
        const other = url.replace("127.0.0.1", "localhost"); // another target
        const version = (label: string, name: string): Promise<unknown> => {
            const steps = [{ name, http: { url: other, method: "POST" }, timeout: "300ms" }];
            const definition = { name: "moving", version: label, steps };
            return pawl.workflows.apply(definition as unknown as Definition);
        };
        await version("1.0.0", "call");
        const { id } = await pawl.start("moving");
        await until("it waits", async () => (await why(id)).includes("is unknown"));
        await version("2.0.0", "pay");
        await pawl.workflows.migrate("moving", { to: "2.0.0", map: { call: "pay" } });
        await until("it has moved", async () => (await pawl.get(id)).version === 2);
        await pawl.settle(id, "pay", { as: "completed", data: 7 });
        assert.equal((await pawl.wait(id)).output, 7);
    });

    test("a broken target is left alone, and no attempts are used up", async () => {
        answer = (response) => void response.writeHead(503).end();
        calls = 0;
        await define("careful", { http: { url }, retry: { attempts: 2, base: "100ms" } });
        const first = await Promise.all([1, 2, 3].map(() => pawl.start("careful")));
        for (const { id } of first) assert.equal((await pawl.wait(id)).status, "failed");
        const seen = calls;
        assert.equal(seen, 6);
        const { id } = await pawl.start("careful");
        const reason = await until("it says why", async () => {
            const text = await why(id);
            return text.includes("held back before attempt 1") && text;
        });
        assert.match(reason, /503/);
        answer = (response) => void response.end("{}");
        const run = await pawl.wait(id, { timeout: 30_000 });
        assert.equal(run.status, "completed");
        const metrics = await metricsOf(server);
        assert.match(metrics, /outcome="postponed"[^\n]*\} [1-9]/);
    });

    test("addresses inside are refused unless they are allowed", async () => {
        const strict = new Serve(await freshDatabase(), [], { PAWL_ALLOW_OUTBOUND: "192.0.2.1" });
        await strict.start();
        const mine = new Pawl({ url: strict.url, key: strict.key, fetch: checkedFetch });
        const steps = [{ name: "call", http: { url } }];
        await mine.workflows.apply({ name: "inside", steps } as unknown as Definition);
        const { id } = await mine.start("inside");
        const run = await mine.wait(id);
        await strict.stop();
        assert.equal(run.status, "failed");
        assert.match(JSON.stringify(run.error), /forbidden_address.*--allow-outbound 127\.0\.0\.1/);
        const refused = ["serve", "--allow-outbound", "10.0.0.0/99", "--listen", "127.0.0.1:0"];
        await assert.rejects(
            pawlCommand(refused, { DATABASE_URL: strict.databaseUrl }),
            (error: { code: number }) => error.code === 2,
        );
    });
});
