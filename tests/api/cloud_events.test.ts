import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { ended, start, waiting } from "./support/runs.js";
import { define, request } from "./support/server.js";

const event = "order.paid";
const waitFor = { name: "paid", wait: { event, key: "{{ order }}" } };

describe("CloudEvents", { concurrency: 4 }, () => {
    async function waitingRun(): Promise<{ key: string; run: string }> {
        const key = randomUUID();
        const run = await start(await define([waitFor]), { order: key });
        await waiting(run);
        return { key, run };
    }
    const envelope = (subject: string): Record<string, unknown> => ({
        specversion: "1.0",
        id: randomUUID(),
        source: "/shop",
        type: event,
        subject,
        time: "2026-01-31T09:00:00Z",
        data: { total: 5 },
    });

    test("structured", async () => {
        const { key, run } = await waitingRun();
        const body = JSON.stringify(envelope(key));
        const headers = { "Content-Type": "application/cloudevents+json; charset=utf-8" };
        const response = await request("POST", "/v1/events", { headers, body });
        assert.equal(response.status, 202);
        assert.match(((await response.json()) as { id: string }).id, /^\/shop\//);
        assert.deepEqual((await ended(run))["data"], { total: 5 });
    });

    test("batched", async () => {
        const { key, run } = await waitingRun();
        const body = JSON.stringify([envelope("other"), envelope(key)]);
        const headers = { "Content-Type": "application/cloudevents-batch+json" };
        const response = await request("POST", "/v1/events", { headers, body });
        assert.equal(response.status, 202);
        assert.equal(((await response.json()) as { data: unknown[] }).data.length, 2);
        await ended(run);
    });

    test("binary, with any kind of body", async () => {
        for (const [type, body, data] of [
            ["application/json", '{"total":5}', { total: 5 }],
            ["text/plain", "five", "five"],
            ["application/json", "", null],
        ] as const) {
            const { key, run } = await waitingRun();
            const headers = {
                "Content-Type": type,
                "ce-specversion": "1.0",
                "ce-id": randomUUID(),
                "ce-source": "/shop",
                "ce-type": event,
                "Ce-PartitionKey": key,
            };
            const response = await request("POST", "/v1/events", { headers, body });
            assert.equal(response.status, 202);
            assert.deepEqual((await ended(run))["data"], data);
        }
    });

    test("an id counts with its source", async () => {
        const one = envelope("x");
        const post = async (body: unknown): Promise<boolean> => {
            const headers = { "Content-Type": "application/cloudevents+json" };
            const response = await request("POST", "/v1/events", {
                headers,
                body: JSON.stringify(body),
            });
            return ((await response.json()) as { duplicate: boolean }).duplicate;
        };
        assert.equal(await post(one), false);
        assert.equal(await post(one), true);
        assert.equal(await post({ ...one, source: "/other" }), false);
    });

    test("what is missing or wrong is named", async () => {
        const post = (type: string, body: unknown, more = {}): Promise<Response> =>
            request("POST", "/v1/events", {
                headers: { "Content-Type": type, ...more },
                body: JSON.stringify(body),
            });
        const bare = await readProblem(await post("application/cloudevents+json", {}), 422);
        assert.deepEqual(
            bare.errors?.map((one) => one.pointer),
            ["/specversion", "/id", "/source", "/type"],
        );
        const old = { ...envelope("x"), specversion: "0.3", time: "yesterday" };
        const wrong = await readProblem(await post("application/cloudevents+json", old), 422);
        assert.deepEqual(
            wrong.errors?.map((one) => one.pointer),
            ["/specversion", "/time"],
        );
        const headers = { "ce-specversion": "1.0", "ce-id": "1" };
        const binary = await readProblem(await post("application/json", {}, headers), 422);
        assert.deepEqual(
            binary.errors?.map((one) => one.parameter),
            ["ce-source", "ce-type"],
        );
        await readProblem(await post("application/cloudevents+json", []), 422);
        await readProblem(await post("application/cloudevents-batch+json", {}), 422);
    });
});
