import { Pawl, type Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// Child runs are starts like others: limits of the tenant and of their workflow hold for them. A
// run that waits for a child lends it its place, so a limit of one is no deadlock.

describe("child runs under limits", { concurrency: 3 }, () => {
    let server: Serve;
    let database: pg.Pool;
    let url = "";

    before(async () => {
        url = await freshDatabase();
        database = new pg.Pool({ connectionString: url, max: 2 });
        server = new Serve(url);
        await server.start();
    });
    after(async () => {
        await server.stop();
        await database.end();
    });

    /** A tenant with these limits. */
    async function tenant(name: string, ...limits: string[]): Promise<Pawl> {
        await pawlCommand(["tenants", "create", name], { DATABASE_URL: url });
        if (limits.length > 0) {
            await pawlCommand(["tenants", "limit", name, ...limits], { DATABASE_URL: url });
        }
        const key = await createKey(url, ["admin"], name);
        return new Pawl({ url: server.url, key, fetch: checkedFetch });
    }
    const apply = (pawl: Pawl, definition: unknown): Promise<unknown> =>
        pawl.workflows.apply(definition as Definition);
    const echo = { name: "s", code: { function: "echo", input: "{{ input }}" } };

    /** How many children of a tenant's workflow have begun at most at once, by their logs. */
    async function mostAtOnce(name: string, workflow: string): Promise<number> {
        const { rows } = await database.query<{ most: number }>(
            `with moves as (
                 select e.at, case when e.type = 0 then 1 else -1 end as by
                   from pawl.event e join pawl.run r using (bucket, run_id)
                   join pawl.workflow w on w.id = r.workflow
                   join pawl.tenant t on t.id = w.tenant
                  where t.name = $1 and w.name = $2 and (e.type = 0 or e.seq = (
                      select max(x.seq) from pawl.event x where x.run_id = e.run_id)))
             select max(inside)::int as most
               from (select sum(by) over (order by at, by) as inside from moves) as m`,
            [name, workflow],
        );
        return rows[0]!.most;
    }

    test("a limit of one open run is no deadlock, and lets one child at a time begin", async () => {
        const pawl = await tenant("one", "--open-runs", "1");
        await apply(pawl, { name: "leaf", steps: [echo] });
        await apply(pawl, { name: "middle", steps: [{ name: "c", call: { workflow: "leaf" } }] });
        await apply(pawl, {
            name: "top",
            steps: [{ name: "all", foreach: { items: [1, 2, 3], workflow: "middle" } }],
        });
        const { id } = await pawl.start("top");
        const run = await pawl.wait(id, { timeout: 60_000 });
        assert.equal(run.status, "completed", JSON.stringify(run.error));
        assert.equal(await mostAtOnce("one", "middle"), 1);
    });

    test("a child without room waits visibly, and begins when there is room", async () => {
        const pawl = await tenant("two", "--open-runs", "3");
        await apply(pawl, { name: "sleeper", steps: [{ name: "w", wait: { signal: "go" } }] });
        await apply(pawl, {
            name: "parents",
            steps: [{ name: "all", foreach: { items: [1, 2, 3, 4, 5], workflow: "sleeper" } }],
        });
        const { id } = await pawl.start("parents");
        // The parent, two children that fit and one in the place of the parent: the others wait.
        const held = await until("a child is held back", async () => {
            const { rows } = await database.query<{ reason: string }>(
                `select data ->> 'reason' as reason from pawl.event
                  where run_id = $1 and data ->> 'for' = 'target'`,
                [id],
            );
            return rows[0]?.reason;
        });
        assert.match(held, /3 open runs|place of this run/);
        const why = await checkedFetch(`${server.url}/v1/runs/${id}/why`, {
            headers: { Authorization: `Bearer ${await createKey(url, ["admin"], "two")}` },
        });
        assert.equal(why.status, 200);
        const done = until(
            "all have ended",
            async () => {
                for (const one of await pawl
                    .list({ workflow: "sleeper", status: ["waiting"] })
                    .all())
                    await pawl.signal(one.id, "go");
                const run = await pawl.get(id);
                return run.status === "completed" ? run : undefined;
            },
            60_000,
        );
        await done;
    });

    test("what a child may not have fails the step clearly", async () => {
        const pawl = await tenant("three", "--payload-bytes", "300", "--open-runs", "1");
        await apply(pawl, { name: "leaf", steps: [echo] });
        await apply(pawl, {
            name: "big",
            steps: [{ name: "c", call: { workflow: "leaf", input: { text: "x".repeat(400) } } }],
        });
        const big = await pawl.wait((await pawl.start("big")).id, { timeout: 60_000 });
        assert.equal(big.status, "failed");
        assert.match(JSON.stringify(big.error), /too_large.*300|300.*too_large/);
        // Started and not waited for: it needs a place of its own, which never comes.
        await apply(pawl, {
            name: "aside",
            steps: [{ name: "c", call: { workflow: "leaf", wait: false }, retry: { attempts: 1 } }],
        });
        const aside = await pawl.wait((await pawl.start("aside")).id, { timeout: 60_000 });
        assert.equal(aside.status, "failed");
        assert.match(JSON.stringify(aside.error), /tenant_limit/);
    });

    test("a child under the limit of its parent runs in its place, and its child too", async () => {
        const pawl = await tenant("four");
        const flow = { concurrency: { name: "crm", limit: 1, scope: "tenant" } };
        await apply(pawl, { name: "leaf", flow, steps: [echo] });
        await apply(pawl, { name: "middle", steps: [{ name: "c", call: { workflow: "leaf" } }] });
        await apply(pawl, {
            name: "top",
            flow,
            steps: [
                { name: "a", call: { workflow: "middle" } },
                { name: "all", foreach: { items: [1, 2, 3], workflow: "leaf" } },
            ],
        });
        const ids = [(await pawl.start("top")).id, (await pawl.start("top")).id];
        for (const id of ids) {
            const run = await pawl.wait(id, { timeout: 60_000 });
            assert.equal(run.status, "completed", JSON.stringify(run.error));
        }
        const { rowCount } = await database.query("select * from pawl.flow_problems(0::smallint)");
        assert.equal(rowCount, 0);
    });

    test("limits of the workflow of a child hold for it", async () => {
        const pawl = await tenant("five");
        const flow = { concurrency: { limit: 2 } };
        await apply(pawl, { name: "slow", flow, steps: [{ name: "w", wait: { signal: "go" } }] });
        await apply(pawl, {
            name: "many",
            steps: [{ name: "all", foreach: { items: [1, 2, 3, 4], workflow: "slow" } }],
        });
        const { id } = await pawl.start("many");
        await until("two wait, two are queued", async () => {
            const runs = await pawl.list({ workflow: "slow" }).take(10);
            const count = (status: string): number =>
                runs.filter((run) => run.status === status).length;
            return count("waiting") === 2 && count("queued") === 2 ? true : undefined;
        });
        await pawl.cancel(id);
    });
});
