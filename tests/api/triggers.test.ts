import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { Pawl } from "@pawl/client";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { createKey } from "./support/serve.js";
import { countRuns, databaseUrl, define, pawl, url } from "./support/server.js";
import { until } from "./support/until.js";

describe("triggers", { concurrency: 4 }, () => {
    const echo = { name: "echo", code: "echo", input: { said: "{{ word }}" } };

    async function triggered(rest: Record<string, unknown>, top = {}): Promise<[string, string]> {
        const name = `signed-up-${randomUUID()}`;
        const workflow = await define([echo], { triggers: [{ event: name, ...rest }], ...top });
        return [workflow, name];
    }
    async function runs(workflow: string, count: number): Promise<void> {
        await until(`${count} runs`, async () => (await countRuns(workflow)) >= count);
    }

    test("an event starts a run with its data, and one event one run", async () => {
        const [workflow, name] = await triggered({});
        const id = randomUUID();
        for (let i = 0; i < 3; ++i) {
            await pawl.inbox.publish({ id, name, key: "k7", data: { word: "hi" } });
        }
        await runs(workflow, 1);
        const [run] = await pawl.list({ workflow }).all();
        const whole = await pawl.wait(run!.id, { timeout: 60_000 });
        assert.deepEqual(whole.output, { said: "hi" });
        assert.equal(whole.subject, "k7");
        assert.equal(whole.triggered_by, "event");
        assert.equal(whole.correlation_id, `event:${id}`);
        assert.equal(await countRuns(workflow), 1);
    });

    test("filter, subject and input are templates over the event", async () => {
        const [workflow, name] = await triggered({
            filter: { path: "data.total", operator: ">", value: 10 },
            subject: "customer {{ data.customer }}",
            input: { word: "{{ event.data.customer }}" },
        });
        await pawl.inbox.publish({ name, data: { total: 5, customer: "ann" } });
        await pawl.inbox.publish({ name, data: { total: 50, customer: "bob" } });
        await runs(workflow, 1);
        const [run] = await pawl.list({ workflow }).all();
        const whole = await pawl.wait(run!.id, { timeout: 60_000 });
        assert.deepEqual(whole.output, { said: "bob" });
        assert.equal(whole.subject, "customer bob");
        assert.equal(await countRuns(workflow), 1);
    });

    test("an event that cannot start its workflow says why", async () => {
        const [workflow, name] = await triggered({});
        await pawl.inbox.publish({ name, data: {} });
        const problem = await until("the problem", async () => {
            const [newest] = await pawl.inbox.list({ name }).all();
            return newest?.problem ?? undefined;
        });
        assert.match(problem, new RegExp(`${workflow}.*word`));
    });

    test("events beyond the limit of their tenant are held, and start in order", async () => {
        const tenant = `limited-${randomUUID()}`;
        const env = { DATABASE_URL: databaseUrl };
        await pawlCommand(["tenants", "create", tenant], env);
        const most = ["--open-runs", "2", "--payload-bytes", "1000"];
        await pawlCommand(["tenants", "limit", tenant, ...most], env);
        const key = await createKey(databaseUrl, ["admin"], tenant);
        const theirs = new Pawl({ url, key, fetch: checkedFetch });
        const name = `e-${randomUUID()}`;
        const steps = [{ name: "go", wait: { signal: "go" } }];
        const waits = { name: "waits", triggers: [{ event: name }], steps };
        await theirs.workflows.apply(waits as never);
        const [other] = await triggered({ event: name });
        // Together: the server and its worker both take events up, and each counts for itself.
        await theirs.inbox.publishMany([0, 1, 2, 3, 4].map((i) => ({ name, key: `k${i}` })));
        const subjects = async () =>
            (await theirs.list({ workflow: "waits" }).all()).map((one) => one.subject).sort();
        await until("two have begun", async () => (await subjects()).length === 2);
        const held = await until("the others are held", async () => {
            const events = await theirs.inbox.list({ name }).all();
            const found = events.filter((one) => one.problem);
            return found.length === 3 && found;
        });
        assert.ok(held.every((one) => one.state === "pending"));
        const reason = /^(your organization may have 2 open runs|it waits behind events of)/;
        for (const one of held) assert.match(one.problem!, reason);
        assert.deepEqual(await subjects(), ["k0", "k1"]);
        // Others go on meanwhile.
        await pawl.inbox.publish({ name, key: "x", data: { word: "hi" } });
        await runs(other, 1);
        for (let i = 0; i < 5; ++i) {
            const [run] = await until(`k${i} has begun`, async () => {
                const found = await theirs.list({ workflow: "waits", subject: `k${i}` }).all();
                return found.length === 1 && found;
            });
            assert.ok((await subjects()).length <= i + 2, "never more than two are open");
            await theirs.signal(run!.id, "go");
            await theirs.wait(run!.id, { timeout: 60_000 });
        }
        // What is too big never fits.
        await theirs.inbox.publish({ name, key: "big", data: { text: "x".repeat(2000) } });
        const big = await until("it is refused", async () => {
            const [newest] = await theirs.inbox.list({ name, key: "big" }).all();
            // For up to a second it may seem to wait behind those that were held.
            return newest?.state === "matched" && newest;
        });
        assert.match(big.problem!, /has \d+ bytes; your organization may give 1000/);
    });

    test("reentry: once, and while none is open", async () => {
        for (const reentry of ["once", "while_none_open"]) {
            const name = `e-${randomUUID()}`;
            const top = { triggers: [{ event: name }], reentry };
            const workflow = await define([{ name: "go", wait: { signal: "go" } }], top);
            await pawl.inbox.publish({ name, key: "ann" });
            await runs(workflow, 1);
            await pawl.inbox.publish({ name, key: "ann" });
            await pawl.inbox.publish({ name, key: "bob" });
            await runs(workflow, 2);
            const [ann] = await pawl.list({ workflow, subject: "ann" }).all();
            assert.equal(await countRuns(workflow), 2);
            const again = await pawl.start(workflow, {}, { subject: "ann" });
            assert.deepEqual([again.id, again.created], [ann!.id, false]);
            await pawl.signal(ann!.id, "go");
            await pawl.wait(ann!.id, { timeout: 60_000 });
            const later = await pawl.start(workflow, {}, { subject: "ann" });
            assert.equal(later.created, reentry === "while_none_open");
        }
    });
});
