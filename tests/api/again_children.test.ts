import type { Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { database, pawl, request, sink } from "./support/server.js";
import { fails, ok, type StepFunction } from "./support/sink.js";
import { until } from "./support/until.js";

// A run that goes on from another starts its children anew: what they do again has the keys that it
// had in the children before.

async function apply(nodes: unknown[], edges: unknown[] = []): Promise<string> {
    const name = `w-${randomUUID()}`;
    await pawl.workflows.apply({ name, nodes, edges } as Definition);
    return name;
}

/** A line of steps, one after the other. */
async function line(...nodes: { id: string }[]): Promise<string> {
    const edges = nodes.slice(1).map((node, i) => ({ from: nodes[i]!.id, to: node.id }));
    return apply(nodes, edges);
}

const step = (id: string, called: StepFunction, more: object = {}): { id: string } => ({
    id,
    ...{ function: called.name, action: "a", payload: { item: "{{ input.item }}" } },
    ...more,
});
const call = (workflow: string, more: object = {}): { id: string } => ({
    id: "ask",
    ...{ call: { workflow, input: { item: 1 } } },
    ...more,
});

async function ended(id: string): Promise<string> {
    return (await pawl.wait(id, { timeout: 60_000 })).status;
}

async function start(workflow: string, status: string): Promise<string> {
    const { id } = await pawl.start(workflow, { item: 1 });
    assert.equal(await ended(id), status);
    return id;
}

async function retry(id: string, status: string): Promise<string> {
    const again = (await pawl.retry(id)).id;
    assert.equal(await ended(again), status);
    return again;
}

const keys = (called: StepFunction): unknown[] =>
    called.calls.map((one) => one.headers["idempotency-key"]);

/** Every call had the same key. */
function sameKeys(called: StepFunction, times: number): void {
    assert.equal(called.calls.length, times);
    assert.equal(new Set(keys(called)).size, 1, JSON.stringify(keys(called)));
}

function differentKeys(called: StepFunction, times: number): void {
    assert.equal(called.calls.length, times);
    assert.equal(new Set(keys(called)).size, times, JSON.stringify(keys(called)));
}

/** The children that a run has called, the oldest first. */
async function childrenOf(run: string): Promise<string[]> {
    const { rows } = await database.query<{ id: string }>(
        `select e.run_id as id from pawl.event e
          where e.seq = 0 and e.data ? 'caller' and e.data ->> 'parent' = $1 order by e.run_id`,
        [run],
    );
    return rows.map((row) => row.id);
}

async function childOf(run: string): Promise<string> {
    const [child, ...others] = await childrenOf(run);
    assert.ok(child !== undefined && others.length === 0);
    return child;
}

/** The keys that the view of steps shows. */
async function shownKeys(run: string): Promise<unknown[]> {
    const { rows } = await database.query<{ key: string }>(
        "select idempotency_key as key from workflow_steps where run_id = $1 order by seq",
        [run],
    );
    return rows.map((row) => row.key);
}

describe("children again", { concurrency: 4 }, () => {
    test("a retry calls a child whose steps have the keys of the child before", async () => {
        const first = sink.function();
        const second = sink.function().will(fails(400), fails(400), ok());
        const child = await line(step("first", first), step("second", second));
        const run = await start(await line(call(child)), "failed");
        const again = await retry(await retry(run, "failed"), "completed");
        sameKeys(first, 3);
        sameKeys(second, 3);
        const called = await childOf(run);
        assert.equal(keys(first)[0], `${called}:0:first:1`);
        assert.deepEqual(await shownKeys(await childOf(again)), [keys(first)[2], keys(second)[2]]);
    });

    test("of a foreach, only children that failed are called again, under their keys", async () => {
        const first = sink.function();
        let broken = true;
        const second = sink.function().will((one) => {
            const fail = broken && one.body.payload?.item !== "a";
            return (fail ? fails(400) : ok())(one);
        });
        const child = await line(step("first", first), step("second", second));
        const config = { items: ["a", "b", "c"], workflow: child, fail_fast: false };
        const input = { item: "{{ item }}" };
        const top = await apply([{ id: "each", type: "foreach", config: { ...config, input } }]);
        const run = await start(top, "failed");
        broken = false;
        const again = await retry(run, "completed");
        assert.equal((await childrenOf(again)).length, 2);
        for (const called of [first, second]) {
            assert.equal(called.calls.length, 5);
            const pairs = called.calls.map(
                (one) => `${one.body.payload?.item} ${one.headers["idempotency-key"]}`,
            );
            assert.equal(new Set(pairs).size, 3, pairs.join(", "));
            assert.equal(new Set(keys(called)).size, 3);
        }
    });

    test("the keys hold at every depth", async () => {
        const outer = sink.function();
        const inner = sink.function();
        const last = sink.function().will(fails(400), fails(400), ok());
        const leaf = await line(step("inner", inner), step("last", last));
        const middle = await line(step("outer", outer), call(leaf));
        const top = await line(call(await line(call(middle))));
        await retry(await retry(await start(top, "failed"), "failed"), "completed");
        sameKeys(outer, 3);
        sameKeys(inner, 3);
        sameKeys(last, 3);
    });

    test("what a child has undone is something new, the rest is not", async () => {
        const pay = sink.function();
        const mail = sink.function();
        const ship = sink.function().will(fails(400), ok());
        const refund = sink.function();
        const child = await apply(
            [
                step("pay", pay, { compensate: "refund" }),
                step("mail", mail),
                step("ship", ship, { compensate: "unship" }),
                step("refund", refund),
                { id: "unship", code: "echo" },
            ],
            [
                { from: "pay", to: "mail" },
                { from: "mail", to: "ship" },
            ],
        );
        const run = await start(await line(call(child)), "failed");
        const again = await retry(run, "completed");
        const [before, after] = [await childOf(run), await childOf(again)];
        assert.deepEqual(keys(pay), [`${before}:0:pay:1`, `${after}:0:pay:1`]);
        sameKeys(mail, 2);
        assert.deepEqual(keys(refund), [`${before}:undo-0:refund`]);
        const sent = [pay, mail, ship].map((one) => keys(one)[1]);
        assert.deepEqual(await shownKeys(after), sent);
    });

    test("what failed and was not undone keeps its key", async () => {
        const pay = sink.function().will(fails(400), ok());
        const child = await apply([
            step("pay", pay, { compensate: "back" }),
            { id: "back", code: "echo" },
        ]);
        await retry(await start(await line(call(child)), "failed"), "completed");
        sameKeys(pay, 2);
    });

    test("the branches of a child have keys of their own", async () => {
        const before = sink.function();
        const left = sink.function().will(fails(400), ok());
        const right = sink.function();
        const child = await apply(
            [step("before", before), step("left", left), step("right", right)],
            [
                { from: "before", to: "left" },
                { from: "before", to: "right" },
            ],
        );
        const run = await start(await line(call(child)), "failed");
        await right.called(1);
        const again = await retry(run, "completed");
        sameKeys(before, 2);
        differentKeys(right, 2);
        const shown = (await shownKeys(await childOf(again))).sort();
        assert.deepEqual(shown, [before, left, right].map((one) => keys(one)[1]).sort());
    });

    test("items of a child keep their children's keys when they are given the same", async () => {
        const first = sink.function();
        let broken = true;
        const second = sink.function().will((one) => {
            const fail = broken && one.body.payload?.item === "b";
            return (fail ? fails(400) : ok())(one);
        });
        const leaf = await line(step("first", first), step("second", second));
        const listed = { items: "{{ input.items }}", workflow: leaf, fail_fast: false };
        const input = { item: "{{ item }}" };
        const middle = await apply([{ id: "each", foreach: { ...listed, input } }]);
        const items = { items: ["a", "b", "c"] };
        const top = await line({
            ...call(middle),
            ...{ call: { workflow: middle, input: items } },
        });
        const run = await start(top, "failed");
        broken = false;
        await retry(run, "completed");
        for (const called of [first, second]) {
            assert.equal(called.calls.length, 6);
            const pairs = called.calls.map(
                (one) => `${one.body.payload?.item} ${one.headers["idempotency-key"]}`,
            );
            assert.equal(new Set(pairs).size, 3, pairs.join(", "));
        }
    });

    test("a child that was retried by itself hands its keys on", async () => {
        const first = sink.function();
        const second = sink.function().will(fails(400), fails(400), ok());
        const third = sink.function();
        const child = await line(
            step("first", first),
            step("second", second),
            step("third", third),
        );
        const run = await start(await line(call(child)), "failed");
        await retry(await retry(await childOf(run), "failed"), "completed");
        assert.equal(third.calls.length, 1);
        await retry(run, "completed");
        sameKeys(first, 2);
        sameKeys(second, 4);
        sameKeys(third, 2);
    });

    test("replaying both dead letters does nothing under another key", async () => {
        const first = sink.function();
        const second = sink.function().will(fails(400), ok());
        const child = await line(step("first", first), step("second", second));
        const run = await start(await line(call(child)), "failed");
        const runs = [run, await childOf(run)];
        const response = await request("POST", "/v1/dead-letters/replay", { body: { runs } });
        assert.equal(response.status, 200, await response.clone().text());
        const { data } = (await response.json()) as { data: { replayed_as: string }[] };
        for (const one of data) assert.equal(await ended(one.replayed_as), "completed");
        sameKeys(first, 2);
        sameKeys(second, 3);
    });

    test("a run that begins anew calls what was not undone under its keys", async () => {
        const inner = sink.function();
        const other = sink.function();
        const pay = sink.function().will(fails(400), ok());
        const kept = await line(step("inner", inner));
        const undone = await line(step("other", other));
        const top = await apply(
            [
                call(kept),
                { ...call(undone), id: "other", compensate: "back" },
                step("pay", pay),
                { id: "back", code: "echo" },
            ],
            [
                { from: "ask", to: "other" },
                { from: "other", to: "pay" },
            ],
        );
        await retry(await start(top, "failed"), "completed");
        sameKeys(inner, 2);
        differentKeys(other, 2);
    });

    test("another attempt calls a child whose steps have the keys of the one before", async () => {
        const first = sink.function();
        const second = sink.function().will(fails(400), ok());
        const child = await line(step("first", first), step("second", second));
        const rule = { errors: ["child_failed"], attempts: 3, base: "10ms" };
        const run = await start(await line(call(child, { retry: [rule] })), "completed");
        assert.equal((await childrenOf(run)).length, 2);
        sameKeys(first, 2);
        sameKeys(second, 2);
    });

    test("a child that is still open keeps what it may yet undo to itself", async () => {
        const pay = sink.function();
        const mail = sink.function();
        const child = await apply(
            [
                step("pay", pay, { compensate: "back" }),
                step("mail", mail),
                { id: "w", wait: { signal: "go" } },
                { id: "back", code: "echo" },
            ],
            [
                { from: "pay", to: "mail" },
                { from: "mail", to: "w" },
            ],
        );
        const top = await line({
            ...call(child),
            ...{ call: { workflow: child, input: { item: 1 }, on_parent_close: "abandon" } },
        });
        const { id } = await pawl.start(top, { item: 1 });
        await mail.called(1);
        const waits = (run: string): Promise<boolean> =>
            until("it waits", async () => (await pawl.status(run)).status === "waiting");
        const before = await childOf(id);
        await waits(before);
        await pawl.cancel(id);
        assert.equal(await ended(id), "cancelled");
        assert.equal((await pawl.status(before)).status, "waiting");
        const again = (await pawl.retry(id)).id;
        await mail.called(2);
        const after = await childOf(again);
        await waits(after);
        for (const one of [before, after]) await pawl.signal(one, "go", {});
        assert.equal(await ended(again), "completed");
        differentKeys(pay, 2);
        sameKeys(mail, 2);
    });

    test("a child that is not kept any more has no say in the keys", async () => {
        const first = sink.function();
        const second = sink.function().will(fails(400), ok());
        const child = await line(step("first", first), step("second", second));
        const run = await start(await line(call(child)), "failed");
        // As pawl.retain does it.
        await database.query("delete from pawl.correlation where run_id = $1", [
            await childOf(run),
        ]);
        await retry(run, "completed");
        differentKeys(first, 2);
    });

    test("a rerun calls its children under keys of their own", async () => {
        const first = sink.function();
        const second = sink.function().will(fails(400), ok());
        const child = await line(step("first", first), step("second", second));
        const run = await start(await line(call(child)), "failed");
        const response = await request("POST", `/v1/runs/${run}/rerun`, { body: { from: "ask" } });
        assert.equal(response.status, 201, await response.clone().text());
        assert.equal(await ended(((await response.json()) as { id: string }).id), "completed");
        differentKeys(first, 2);
    });
});
