import { Pawl, type RunEvent } from "@pawl/client";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CuttingProxy } from "./support/cutting_proxy.js";
import { RawStream } from "./support/raw_stream.js";
import { define, key, pawl, request, runToEnd, sink, url } from "./support/server.js";
import { until } from "./support/until.js";

async function open(path: string, lastEventId?: string): Promise<RawStream> {
    const headers: Record<string, string> = lastEventId ? { "Last-Event-ID": lastEventId } : {};
    const response = await request("GET", path, { headers });
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.match(response.headers.get("cache-control") ?? "", /no-(store|cache)/);
    return new RawStream(response);
}

const noop = (name: string): object => ({ name, code: "noop" });

describe("streams", { concurrency: 4 }, () => {
    test("the log of a closed run, then its end", async () => {
        const run = await runToEnd(await define([noop("a"), noop("b")] as never));
        const messages = await (await open(`/v1/runs/${run.id}/stream`)).rest();
        const events = await pawl.events(run.id).take(10);
        assert.deepEqual(
            messages.slice(0, -1).map((message) => message.data),
            events,
        );
        assert.deepEqual(
            messages.map(({ id, event }) => [id, event]),
            [
                ["0", "run_started"],
                ["1", "step_completed"],
                ["2", "step_completed"],
                ["3", "run_completed"],
                [undefined, "end"],
            ].map(([id, event]) => (event === "end" ? [messages.at(-1)?.id, event] : [id, event])),
        );
        assert.deepEqual(messages.at(-1)?.data, await pawl.get(run.id));
    });

    test("Last-Event-ID: goes on behind that event", async () => {
        const run = await runToEnd(await define([noop("a"), noop("b")] as never));
        const messages = await (await open(`/v1/runs/${run.id}/stream`, "1")).rest();
        assert.deepEqual(
            messages.map((one) => one.data.seq ?? "end"),
            [2, 3, "end"],
        );
        const last = await (await open(`/v1/runs/${run.id}/stream`, "3")).rest();
        assert.deepEqual(
            last.map((one) => one.event),
            ["end"],
        );
    });

    test("a Last-Event-ID that is none is refused", async () => {
        const run = await runToEnd(await define([noop("a")] as never));
        const headers = { "Last-Event-ID": "nonsense" };
        const response = await request("GET", `/v1/runs/${run.id}/stream`, { headers });
        assert.equal(response.status, 400);
    });

    test("an open run is told as it goes on", async () => {
        const f = sink.function();
        const release = f.waits();
        const workflow = await define([
            noop("a"),
            { name: "gate", function: f.name, action: "a" },
        ] as never);
        const { id } = await pawl.start(workflow);
        const stream = await open(`/v1/runs/${id}/stream`);
        assert.equal((await stream.next())?.event, "run_started");
        assert.equal((await stream.next())?.data.step, "a");
        await f.called(1);
        release();
        assert.equal((await stream.next())?.data.step, "gate");
        assert.deepEqual(
            (await stream.rest()).map((one) => one.event),
            ["run_completed", "end"],
        );
    });

    test("the client's wait goes on over a connection that is cut", async () => {
        const proxy = new CuttingProxy(() => url);
        const through = new Pawl({ url: await proxy.start(), key });
        const f = sink.function();
        const release = f.waits();
        const workflow = await define([
            noop("a"),
            { name: "gate", function: f.name, action: "a" },
            noop("b"),
        ] as never);
        const { id } = await through.start(workflow);
        const seen: RunEvent[] = [];
        const waiting = through.wait(id, { onProgress: (event) => void seen.push(event) });
        await until("the first step is seen", () => seen.length === 2);
        const before = proxy.connections;
        proxy.cutAll();
        await until("it has connected again", () => proxy.connections > before);
        release();
        const run = await waiting;
        proxy.stop();
        assert.equal(run.status, "completed");
        assert.deepEqual(
            seen.map((event) => event.seq),
            [0, 1, 2, 3, 4],
        );
    });

    test("the stream of all runs, of one workflow, goes on behind Last-Event-ID", async () => {
        const workflow = await define([noop("a")] as never);
        const path = `/v1/stream?workflow=${workflow}`;
        const stream = await open(path);
        const first = await runToEnd(workflow);
        const other = await runToEnd(await define([noop("a")] as never));
        assert.ok(other);
        const told = [await stream.next(), await stream.next(), await stream.next()];
        assert.deepEqual(
            told.map((one) => [one?.data.type, one?.data.run_id, one?.data.workflow]),
            [
                ["run_started", first.id, workflow],
                ["step_completed", first.id, workflow],
                ["run_completed", first.id, workflow],
            ],
        );
        assert.ok(told.every((one) => one?.id));
        await stream.close();

        const second = await runToEnd(workflow);
        const resumed = await open(path, told[1]?.id);
        // What happened in the same instant as the last one may come again.
        const known = new Set(told.slice(0, 2).map((one) => one?.id));
        const rest: unknown[] = [];
        while (rest.length < 2) {
            const one = await resumed.next();
            if (!known.has(one?.id)) rest.push([one?.data.type, one?.data.run_id]);
        }
        assert.deepEqual(rest, [
            ["run_completed", first.id],
            ["run_started", second.id],
        ]);
        await resumed.close();
    });

    test("the client's stream of all runs", async () => {
        const workflow = await define([noop("a")] as never);
        const stop = new AbortController();
        const types: string[] = [];
        const reading = (async () => {
            for await (const event of pawl.stream({ workflow, signal: stop.signal })) {
                types.push(event.type);
                if (event.type === "run_completed") return;
            }
        })();
        // Whether the stream is open already cannot be seen from here: start until it tells.
        await until("something is told", async () => {
            await runToEnd(workflow);
            return types.includes("run_completed");
        });
        await reading;
        stop.abort();
    });
});
