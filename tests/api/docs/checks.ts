import assert from "node:assert/strict";
import pg from "pg";
import { until } from "../support/until.js";

// What is true after the blocks of a page have been run, because the page says so.

async function asking(url: string, body: (of: (sql: string) => Promise<unknown>) => Promise<void>) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
        await body(async (sql) => Object.values((await client.query(sql)).rows[0] as object)[0]);
    } finally {
        await client.end();
    }
}

async function sql(url: string): Promise<void> {
    await asking(url, async (of) => {
        const orders = "select count(distinct run_id)::int from orders where run_id is not null";
        assert.equal(await of(orders), 101);
        const rolledBack = "select count(*)::int from pawl.correlation where key = 'order-18'";
        assert.equal(await of(rolledBack), 0);
        assert.equal(await of("select count(*)::int from pawl.inbox"), 1);
        const cancelled = `select count(*)::int from orders o, pawl.result(o.run_id) r
            where r.status = 'cancelled'`;
        await until("ten are cancelled", async () => (await of(cancelled)) === 10);
        const waiting = "select count(*)::int from orders o where pawl.status(run_id) = 'waiting'";
        await until("the others wait", async () => (await of(waiting)) === 90);
    });
}

async function queues(url: string): Promise<void> {
    await asking(url, async (of) => {
        const runs = `select count(*)::int from workflow_executions
            where workflow_name = 'fulfil_order' and triggered_by = 'queue'`;
        await until("the run", async () => (await of(runs)) === 1);
    });
}

export const checks: Record<string, (databaseUrl: string) => Promise<void>> = {
    "docs/sql.md": sql,
    "docs/queues.md": queues,
};
