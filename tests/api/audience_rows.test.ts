import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { audience, ended, read, runsOf, trigger } from "./support/audiences.js";
import { request } from "./support/server.js";

// What the rows of an audience may hold, and how large they may be.

describe("the rows of an audience", { concurrency: 4 }, () => {
    test("is previewed without the ends of long values", async () => {
        const query = `select 1 as subject, repeat('é', 10000) as long, 5 as five,
            (select jsonb_agg(g) from generate_series(1, 5000) g) as list, '[1]'::jsonb as short`;
        const seen = await read<{ examples: Record<string, unknown>[] }>(
            request("POST", "/v1/audiences/preview", { body: { query } }),
        );
        const { long, list, ...rest } = seen.examples[0] ?? {};
        assert.equal(long, `${"é".repeat(500)}...`);
        assert.match(String(list), /^\[1,2,3,.*\.\.\.$/);
        assert.ok(String(list).length < 1010);
        assert.deepEqual(rest, { subject: 1, five: 5, short: [1] });
    });

    test("starts runs for rows that Postgres or the engine cannot keep as they are", async () => {
        const deep = `(repeat('{"a":', 70) || '1' || repeat('}', 70))::jsonb`;
        const schedule = await audience(
            `select 'a' as subject, '{"x": "1\\u00002"}'::json as j, ${deep} as b, 1e400 as n`,
        );
        const done = await ended(await trigger(schedule));
        assert.deepEqual([done.status, done.error], ["done", null]);
        const [run] = await runsOf(schedule.workflow);
        assert.equal(run?.input["j"], '{"x": "1\\u00002"}', "its text");
    });

    test("is read in smaller parts where its rows are large", async () => {
        const schedule = await audience(
            "select g as subject, repeat('x', 40000) as long from generate_series(1, 900) g",
        );
        const done = await ended(await trigger(schedule));
        assert.deepEqual([done.status, done.done, done.error], ["done", 900, null]);
        const huge = await audience(
            "select g as subject, repeat('x', 4000000) as long from generate_series(1, 9) g",
        );
        const failed = await ended(await trigger(huge));
        assert.equal(failed.status, "failed");
        assert.match(failed.error ?? "", /^the query: 50 rows .* leave out long columns$/);
    });
});
