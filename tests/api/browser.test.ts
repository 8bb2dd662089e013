import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { BrowserPage } from "./support/page.js";
import { define, key, sink, url } from "./support/server.js";
import { fails, ok, refuses } from "./support/sink.js";

// The client in a real browser, on a page of another origin. What is inside `evaluate` runs there.

type Client = typeof import("@pawl/client");

describe("Chromium", () => {
    const front = new BrowserPage();
    let page: Page;
    before(async () => {
        page = await front.open();
        page.setDefaultTimeout(20_000);
    });
    after(() => front.close());

    test("start, then wait over a stream with progress", async () => {
        const f = sink.function().will(fails(500, "once"), ok({ sent: true }));
        const retry = { attempts: 2, base: "10ms" };
        const workflow = await define([{ name: "s", function: f.name, action: "a", retry }]);
        const seen = await page.evaluate(
            async ({ url, key, workflow }) => {
                const { Pawl }: Client = await import("/client/index.js" as string);
                const requests: string[] = [];
                const watched: typeof fetch = (input, init) => {
                    requests.push(String(input).replace(/.*\//, ""));
                    return fetch(input, init);
                };
                const pawl = new Pawl({ url, key, fetch: watched });
                const { id } = await pawl.start(workflow, {}, { subject: "browser" });
                const types: string[] = [];
                const run = await pawl.wait(id, {
                    timeout: 60_000,
                    onProgress: (event) => void types.push(event.type),
                });
                return { run, types, requests };
            },
            { url, key, workflow },
        );
        assert.equal(seen.run.status, "completed");
        assert.deepEqual(seen.run.output, { sent: true });
        assert.deepEqual(seen.types, [
            "run_started",
            "step_failed",
            "step_completed",
            "run_completed",
        ]);
        assert.deepEqual(seen.requests, ["runs", "stream"]);
    });

    test("the document's three functions", async () => {
        const f = sink.function().will(refuses("no mail today"));
        const step = { name: "mail", function: f.name, action: "send", on_failure: "abort" };
        const workflow = await define([step]);
        const seen = await page.evaluate(
            async ({ url, key, workflow }) => {
                const { Pawl, documentClient }: Client = await import("/client/index.js" as string);
                const client = documentClient(new Pawl({ url, key }));
                const result = await client.triggerWorkflow(workflow, {}, `page-${Math.random()}`);
                const looks: string[] = [];
                const final = await client.waitForWorkflow(result.execution_id, {
                    pollInterval: 20,
                    onProgress: (status) => void looks.push(status.status),
                });
                return { result, final, looks };
            },
            { url, key, workflow },
        );
        assert.equal(seen.result.status, "queued");
        assert.equal(seen.final.status, "failed");
        assert.equal(seen.final.error_message, "no mail today");
        assert.equal(seen.looks.at(-1), "failed");
    });

    test("a refusal reaches the page with its problem and request id", async () => {
        const error = await page.evaluate(
            async ({ url, key }) => {
                const { Pawl, PawlError }: Client = await import("/client/index.js" as string);
                try {
                    await new Pawl({ url, key }).start("nope");
                } catch (caught) {
                    if (!(caught instanceof PawlError)) throw caught;
                    const { status, code, requestId } = caught;
                    return { status, code, requestId };
                }
                return undefined;
            },
            { url, key },
        );
        assert.equal(error?.status, 404);
        assert.equal(error?.code, "not_found");
        assert.ok(error?.requestId);
    });

    test("an abort ends a wait", async () => {
        const workflow = await define([{ name: "nap", wait: "1h" }]);
        const message = await page.evaluate(
            async ({ url, key, workflow }) => {
                const { Pawl }: Client = await import("/client/index.js" as string);
                const pawl = new Pawl({ url, key });
                const { id } = await pawl.start(workflow);
                const controller = new AbortController();
                const onProgress = (): void => controller.abort(new Error("navigated away"));
                const waiting = pawl.wait(id, { signal: controller.signal, onProgress });
                const outcome = await waiting.then(
                    () => "resolved",
                    (error: Error) => error.message,
                );
                await pawl.cancel(id);
                return outcome;
            },
            { url, key, workflow },
        );
        assert.equal(message, "navigated away");
    });

    test("an answer that may be replayed says so to the page", async () => {
        const workflow = await define([{ name: "s", code: "noop" }]);
        const replayed = await page.evaluate(
            async ({ url, key, workflow }) => {
                const headers = {
                    Authorization: `Bearer ${key}`,
                    "Content-Type": "application/json",
                    "Idempotency-Key": `page-${Math.random()}`,
                };
                const body = JSON.stringify({ workflow });
                const init = { method: "POST", headers, body };
                await fetch(`${url}/v1/runs`, init);
                const second = await fetch(`${url}/v1/runs`, init);
                return second.headers.get("Idempotent-Replayed");
            },
            { url, key, workflow },
        );
        assert.equal(replayed, "true");
    });
});
