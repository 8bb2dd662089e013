import { Pawl, PawlError, type RunEvent } from "@pawl/client";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cut, json, Scripted, type Act } from "./support/scripted.js";

const id = "0198c0de-0000-7000-8000-000000000000";
const created_at = "2026-01-01T00:00:00Z";
const open = { id, workflow: "w", version: 1, status: "running", created_at };
const closed = { ...open, status: "completed", output: { done: true } };

function event(seq: number): RunEvent {
    return { seq, type: seq === 0 ? "run_started" : "step_completed", at: created_at };
}

function message(one: RunEvent): string {
    return `id: ${one.seq}\nevent: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`;
}

const end = `event: end\ndata: ${JSON.stringify(closed)}\n\n`;

function stream(...pieces: string[]): Act {
    return (response) => {
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        for (const piece of pieces) response.write(piece);
        response.end();
    };
}

/** Sends some messages, then the connection breaks. */
function broken(...pieces: string[]): Act {
    return (response) => {
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        response.write(pieces.join(""), () => response.destroy());
    };
}

function events(...seqs: number[]): Act {
    return json(200, { data: seqs.map(event), next_cursor: null, has_more: false });
}

describe("client: wait", () => {
    const server = new Scripted();
    let pawl: Pawl;
    let url: string;
    before(async () => {
        url = await server.start();
        pawl = new Pawl({ url, retries: 0 });
    });
    after(() => server.stop());

    async function waited(options: Parameters<Pawl["wait"]>[1] = {}): Promise<number[]> {
        const seen: number[] = [];
        const onProgress = (one: RunEvent): void => void seen.push(one.seq);
        const all = { timeout: 60_000, pollInterval: 5, onProgress, ...options };
        const run = await pawl.wait(id, all);
        assert.deepEqual(run, closed);
        return seen;
    }

    test("follows the stream and resolves with the run of its end", async () => {
        server.will(stream(message(event(0)), message(event(1)), end));
        assert.deepEqual(await waited(), [0, 1]);
        assert.equal(server.asked[0]?.path, `/v1/runs/${id}/stream`);
        assert.equal(server.asked[0]?.headers["accept"], "text/event-stream");
    });

    test("messages may come in any pieces, with any line ends and with comments", async () => {
        const second = message(event(1)).replaceAll("\n", "\r\n");
        server.will(stream(...": hello\r\n\r\n", ...message(event(0)), ...second, ...end));
        assert.deepEqual(await waited(), [0, 1]);
    });

    test("after a cut it goes on behind the last event", async () => {
        server.will(
            broken(message(event(0)), message(event(1))),
            cut,
            json(503, {}),
            stream(message(event(2)), end),
        );
        assert.deepEqual(await waited(), [0, 1, 2]);
        const last = server.asked.map((asked) => asked.headers["last-event-id"]);
        assert.deepEqual(last, [undefined, "1", "1", "1"]);
    });

    test("an event that comes twice is told once", async () => {
        server.will(broken(message(event(0))), stream(message(event(0)), message(event(1)), end));
        assert.deepEqual(await waited(), [0, 1]);
    });

    test("polls where the answer is no stream", async () => {
        server.will(json(200, open), json(200, open), events(0), json(200, closed), events(0, 1));
        assert.deepEqual(await waited(), [0, 1]);
        const paths = server.asked.map((asked) => asked.path.replace(/\?.*/, "").slice(45));
        assert.deepEqual(paths, ["/stream", "", "/events", "", "/events"]);
    });

    test("polls where streams are refused, and keeps on over lost answers", async () => {
        server.will(json(406, {}), cut, json(503, {}), json(200, closed), events(0));
        assert.deepEqual(await waited(), [0]);
    });

    test("polls after a stream that went on for a while and is gone", async () => {
        const dead = Array.from({ length: 5 }, () => cut);
        const short = new Pawl({ url, retries: 0 });
        server.will(broken(message(event(0))), ...dead, json(200, closed));
        const run = await short.wait(id, { timeout: 60_000 });
        assert.deepEqual(run, closed);
    });

    test("stream: false polls from the start; without onProgress events are left", async () => {
        server.will(json(200, open), json(200, closed));
        assert.deepEqual(await pawl.wait(id, { stream: false, pollInterval: 1 }), closed);
        assert.equal(server.asked.length, 2);
    });

    test("a run that is not there is an error, not a reason to go on", async () => {
        server.will(json(404, { code: "not_found", detail: "there is no run" }));
        await assert.rejects(pawl.wait(id), (error: PawlError) => error.code === "not_found");
        assert.equal(server.asked.length, 1);
    });

    test("gives up after its timeout, streaming or polling", async () => {
        for (const streaming of [true, false]) {
            const silent: Act = (response) => {
                response.writeHead(200, { "Content-Type": "text/event-stream" });
                response.write(message(event(0)));
            };
            server.will(streaming ? silent : json(200, open));
            const promise = pawl.wait(id, { timeout: 60, pollInterval: 5, stream: streaming });
            await assert.rejects(promise, (error: PawlError) => {
                assert.equal(error.code, "timeout");
                assert.equal(error.message, `run ${id} was still open after 60 ms`);
                return true;
            });
        }
    });

    test("the stream of all runs fails with a network error when it is gone", async () => {
        server.will(cut);
        const reading = (async () => {
            for await (const one of pawl.stream()) assert.fail(JSON.stringify(one));
        })();
        await assert.rejects(reading, (error: PawlError) => {
            assert.ok(error instanceof PawlError);
            return error.code === "network";
        });
    });

    test("an abort signal ends it with its reason", async () => {
        const controller = new AbortController();
        const reason = new Error("navigated away");
        server.will((response) => {
            response.writeHead(200, { "Content-Type": "text/event-stream" });
            response.write(message(event(0)));
        });
        const onProgress = (): void => controller.abort(reason);
        await assert.rejects(pawl.wait(id, { signal: controller.signal, onProgress }), reason);
    });

    test("what onProgress throws ends it", async () => {
        const reason = new Error("mine");
        server.will(stream(message(event(0)), end));
        const onProgress = (): void => {
            throw reason;
        };
        await assert.rejects(pawl.wait(id, { onProgress }), reason);
    });
});
