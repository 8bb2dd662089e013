import { Pawl, type Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { Collector, type Span } from "./support/collector.js";
import { parseMetrics } from "./support/prometheus.js";
import { freshDatabase, metricsOf, Serve } from "./support/serve.js";
import { fails, ok, Sink } from "./support/sink.js";
import { until } from "./support/until.js";

const hex = (bytes: number): string => randomBytes(bytes).toString("hex");

interface Steps {
    trace_url: string | null;
    data: { attempts: { trace_url?: string | null }[] }[];
}

/** A server that traces, with what its steps call and where its spans go. */
class Traced {
    readonly sink = new Sink();
    readonly collector = new Collector();
    server!: Serve;
    pawl!: Pawl;

    constructor(
        private readonly flags: string[],
        private readonly env: Record<string, string> = {},
    ) {}

    async start(endpoint?: string): Promise<void> {
        const url = await this.collector.start();
        const functions = await this.sink.start();
        this.server = new Serve(
            await freshDatabase(),
            ["--functions-url", functions, ...this.flags],
            {
                OTEL_EXPORTER_OTLP_ENDPOINT: endpoint ?? url,
                OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%20b",
                OTEL_SERVICE_NAME: "orders",
                ...this.env,
            },
        );
        await this.server.start();
        this.pawl = new Pawl({ url: this.server.url, key: this.server.key });
    }

    async stop(): Promise<void> {
        await this.server.stop();
        this.sink.stop();
        this.collector.stop();
    }

    async begin(workflow: string, traceparent?: string): Promise<string> {
        const headers: Record<string, string> = {
            "Content-Type": "application/json",
            Authorization: `Bearer ${this.server.key}`,
        };
        if (traceparent) headers["traceparent"] = traceparent;
        const body = JSON.stringify({ workflow });
        const response = await fetch(`${this.server.url}/v1/runs`, {
            method: "POST",
            headers,
            body,
        });
        assert.equal(response.status, 201);
        return ((await response.json()) as { id: string }).id;
    }

    async steps(run: string): Promise<Steps> {
        const headers = { Authorization: `Bearer ${this.server.key}` };
        const response = await fetch(`${this.server.url}/v1/runs/${run}/steps`, { headers });
        assert.equal(response.status, 200);
        return (await response.json()) as Steps;
    }

    /** All spans of a run once its last one has come. */
    async spans(run: string): Promise<Span[]> {
        await this.pawl.wait(run, { timeout: 60_000 });
        return await until("the spans", () => {
            const found = this.collector.of(run);
            const ended = found.some((span) =>
                ["completed", "failed"].includes(span.attributes["pawl.run.status"] ?? ""),
            );
            return ended ? found : undefined;
        });
    }
}

/** The line of the log about a step that failed. */
async function failureLine(traced: Traced): Promise<Record<string, unknown>> {
    const pattern = /^(\{.*"a step failed and will be tried again".*\})$/m;
    return JSON.parse(await traced.server.logged(pattern)) as Record<string, unknown>;
}

const named = (spans: Span[], name: string): Span[] => spans.filter((span) => span.name === name);

describe("traces", () => {
    const traced = new Traced(["--trace-sample", "1", "--trace-cut", "1s"], {
        PAWL_TRACE_URL: "https://traces.example.com/t/{trace_id}?run={run_id}",
    });
    before(() => traced.start());
    after(() => traced.stop());

    test("show a run with retries and a wait as a tree, and the rest by a link", async () => {
        const flaky = traced.sink.function().will(fails(503, "busy"), ok());
        const last = traced.sink.function();
        const retry = { attempts: 3, base: "10ms" };
        const steps = [
            { name: "charge", function: flaky.name, action: "x", retry },
            { name: "nap", wait: "2s" },
            { name: "ship", function: last.name, action: "x" },
        ];
        await traced.pawl.workflows.apply({ name: "order", steps } as unknown as Definition);
        const [trace, caller] = [hex(16), hex(8)];
        const run = await traced.begin("order", `00-${trace}-${caller}-01`);
        const spans = await traced.spans(run);

        const [start] = named(spans, "start order");
        assert.deepEqual([start?.traceId, start?.parentSpanId], [trace, caller]);
        const [first, second, ...more] = named(spans, "run order");
        assert.equal(more.length, 0);
        assert.deepEqual([first!.traceId, first!.parentSpanId], [trace, start!.spanId]);
        assert.equal(first!.attributes["pawl.run.status"], "waiting");
        assert.equal(first!.links, undefined);

        const attempts = named(spans, "step charge");
        assert.deepEqual(
            attempts.map((span) => [span.traceId, span.parentSpanId, span.kind]),
            [1, 2].map(() => [trace, first!.spanId, 3]),
        );
        assert.deepEqual(
            attempts.map((span) => span.attributes["pawl.step.attempt"]),
            ["1", "2"],
        );
        assert.deepEqual(attempts[0]!.status, { code: 2, message: "busy" });
        assert.equal(attempts[1]!.status, undefined);
        assert.deepEqual(
            flaky.calls.map((call) => call.headers["traceparent"]),
            attempts.map((span) => `00-${trace}-${span.spanId}-01`),
        );

        const [wait] = named(spans, "wait nap");
        assert.deepEqual([wait?.traceId, wait?.parentSpanId], [trace, first!.spanId]);
        const slept = BigInt(wait!.endTimeUnixNano) - BigInt(wait!.startTimeUnixNano);
        assert.ok(slept > 1_900_000_000n, `${slept}`);

        // After the wait: a trace of its own, that leads back.
        assert.notEqual(second!.traceId, trace);
        assert.equal(second!.parentSpanId, undefined);
        assert.deepEqual(second!.links, [{ traceId: trace, spanId: first!.spanId }]);
        assert.equal(second!.attributes["pawl.run.status"], "completed");
        const [ship] = named(spans, "step ship");
        assert.deepEqual([ship?.traceId, ship?.parentSpanId], [second!.traceId, second!.spanId]);
        assert.equal(
            last.calls[0]!.headers["traceparent"],
            `00-${second!.traceId}-${ship!.spanId}-01`,
        );

        const found = await traced.steps(run);
        const page = (id: string): string => `https://traces.example.com/t/${id}?run=${run}`;
        assert.equal(found.trace_url, page(trace));
        assert.deepEqual(
            found.data.map((step) => step.attempts.map((one) => one.trace_url)),
            [[page(trace), page(trace)], [page(trace)], [page(second!.traceId)]],
        );

        const commits = named(spans, "commit");
        for (const [part, at_least] of [
            [first!, 2],
            [second!, 1],
        ] as const) {
            const own = commits.filter((span) => span.parentSpanId === part.spanId);
            assert.ok(
                own.length >= at_least,
                `commits below ${part.attributes["pawl.run.status"]}`,
            );
        }
        assert.equal(new Set(spans.map((span) => span.spanId)).size, spans.length);
        for (const span of spans) {
            assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
            assert.equal(span.service, "orders");
            assert.equal(span.attributes["pawl.workflow.name"], "order");
        }
        assert.equal(traced.collector.headers[0]!["x-token"], "a b");

        const line = await failureLine(traced);
        assert.deepEqual(Object.keys(line).sort(), [
            "attempt",
            "code",
            "error",
            "latency_ms",
            "level",
            "msg",
            "run",
            "seq",
            "step",
            "step_id",
            "tenant",
            "trace_id",
            "ts",
            "version",
            "worker",
            "workflow",
        ]);
        assert.deepEqual(
            [line["run"], line["step"], line["attempt"], line["seq"], line["trace_id"]],
            [run, "charge", 1, 1, trace],
        );
    });

    test("of a run without a trace of its caller have its id", async () => {
        await traced.pawl.workflows.apply({
            name: "plain",
            steps: [{ name: "s", code: "noop" }],
        } as unknown as Definition);
        const run = await traced.begin("plain");
        const spans = await traced.spans(run);
        assert.deepEqual(new Set(spans.map((s) => s.traceId)), new Set([run.replaceAll("-", "")]));
        assert.equal(named(spans, "start plain")[0]!.parentSpanId, undefined);
    });

    test("go on in child runs", async () => {
        const steps = [{ name: "sub", call: "plain" }];
        await traced.pawl.workflows.apply({ name: "parent", steps } as unknown as Definition);
        const run = await traced.begin("parent");
        const spans = await traced.spans(run);
        const [step] = named(spans, "step sub");
        const child = traced.collector.spans.find(
            (span) => span.name === "start plain" && span.parentSpanId === step!.spanId,
        );
        assert.equal(child?.traceId, step!.traceId);
    });

    test("a header that is not understood, or not sampled, is left alone", async () => {
        for (const header of ["00-1-2-01", `00-${hex(16)}-${hex(8)}-00`, "x"]) {
            const run = await traced.begin("plain", header);
            const [start] = named(await traced.spans(run), "start plain");
            assert.equal(start!.traceId, run.replaceAll("-", ""));
        }
    });
});

describe("traces without a collector", () => {
    const traced = new Traced(["--trace-sample", "1"]);
    before(() => traced.start("http://127.0.0.1:1"));
    after(() => traced.stop());

    test("are dropped and counted, and runs go on", async () => {
        await traced.pawl.workflows.apply({
            name: "plain",
            steps: [{ name: "s", code: "noop" }],
        } as unknown as Definition);
        const run = await traced.pawl.wait(await traced.begin("plain"), { timeout: 60_000 });
        assert.equal(run.status, "completed");
        await until("they are counted", async () => {
            const text = await metricsOf(traced.server);
            const family = parseMetrics(text).get("pawl_trace_spans_total");
            const dropped = family?.samples.find((one) => one.labels.includes("dropped"));
            return (dropped?.value ?? 0) > 0 ? true : undefined;
        });
    });
});

describe("traces with a share of nothing", () => {
    const traced = new Traced(["--trace-sample", "0", "--trace-url", "http://t/{trace_id}"], {
        PAWL_LOG_NAMES: "document",
    });
    before(() => traced.start());
    after(() => traced.stop());

    test("follow only starts that come with one", async () => {
        await traced.pawl.workflows.apply({
            name: "plain",
            steps: [{ name: "s", code: "noop" }],
        } as unknown as Definition);
        const unseen = await traced.begin("plain");
        const trace = hex(16);
        const seen = await traced.begin("plain", `00-${trace}-${hex(8)}-01`);
        const spans = await traced.spans(seen);
        assert.deepEqual(new Set(spans.map((span) => span.traceId)), new Set([trace]));
        await traced.pawl.wait(unseen, { timeout: 60_000 });
        assert.equal(traced.collector.of(unseen).length, 0);
        assert.equal((await traced.steps(unseen)).trace_url, null);
        assert.equal((await traced.steps(unseen)).data[0]!.attempts[0]!.trace_url, null);
        assert.equal((await traced.steps(seen)).trace_url, `http://t/${trace}`);
    });

    test("and the log has the document's names", async () => {
        const flaky = traced.sink.function().will(fails(503, "busy"), ok());
        const retry = { attempts: 3, base: "10ms" };
        const steps = [{ name: "charge", function: flaky.name, action: "x", retry }];
        await traced.pawl.workflows.apply({ name: "order", steps } as unknown as Definition);
        const run = await traced.pawl.start("order", {}, { correlationId: "o-1" });
        await traced.pawl.wait(run.id, { timeout: 60_000 });
        const line = await failureLine(traced);
        for (const name of ["workflow_type", "workflow_version", "run_id", "step_id", "step_name"])
            assert.ok(line[name], name);
        for (const name of ["seq", "attempts", "worker_id", "error", "latency_ms"])
            assert.ok(line[name], name);
        assert.equal(line["correlation"], "o-1");
        assert.equal(line["trace_id"], undefined);
    });
});
