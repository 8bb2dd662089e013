import { describe, expect, it } from "vitest";
import { type Lane, lanesOf, pausesOf } from "./lanes";
import { endsOf, graphOf, openWaits, pauseOf, type RunEvent } from "./model";
import { idleGaps, scaleOf, ticksOf } from "./scale";
import { momentAt } from "./states";

const graph = graphOf({
    nodes: [
        { id: "a", type: "code" },
        { id: "b", type: "wait" },
        { id: "c", type: "code" },
    ],
    edges: [
        { from: "a", to: "b", handle: "default" },
        { from: "b", to: "c", handle: "default" },
    ],
});

const zero = Date.parse("2026-01-01T00:00:00Z");
let seq = 0;
function event(ms: number, type: string, rest: object = {}): RunEvent {
    return { seq: seq++, at: new Date(zero + ms).toISOString(), type, ...rest } as RunEvent;
}

function log(): RunEvent[] {
    seq = 0;
    return [
        event(0, "run_started"),
        event(100, "step_failed", {
            step: "a",
            attempt: 1,
            data: { retry_at: (zero + 300) * 1000 },
            error: { message: "no" },
        }),
        event(350, "step_completed", { step: "a", attempt: 2 }),
        event(350, "wait_started", { step: "b", data: { for: "signal", name: "paid" } }),
    ];
}

describe("lanesOf", () => {
    it("shows attempts, the time between them, and the wait", () => {
        const lanes = lanesOf(log(), graph, []);
        expect(lanes.map((lane) => lane.step)).toEqual(["a", "b"]);
        expect(
            lanes[0]?.bars.map((bar) => [bar.kind, bar.from - zero, (bar.to ?? 0) - zero]),
        ).toEqual([
            ["running", 0, 100],
            ["backoff", 100, 300],
            ["running", 300, 350],
        ]);
        expect(lanes[0]?.bars[0]?.error).toBe("no");
        expect(lanes[1]?.bars).toMatchObject([{ kind: "waiting", to: undefined }]);
        expect(lanes[1]?.status).toBe("waiting");
    });
    it("ends a wait when its signal comes", () => {
        const passed = event(900, "node_passed", { step: "b", data: { handle: "default" } });
        const lanes = lanesOf([...log(), passed], graph, []);
        expect(lanes[1]).toMatchObject({ status: "completed", bars: [{ kind: "waiting" }] });
        expect(lanes[1]?.bars[0]?.to).toBe(zero + 900);
    });
    it("ends everything with the run", () => {
        const lanes = lanesOf([...log(), event(900, "run_cancelled")], graph, []);
        expect(lanes[1]?.bars[0]?.to).toBe(zero + 900);
        expect(lanes[1]?.status).toBe("cancelled");
    });
    const spans = (lane: Lane | undefined) =>
        lane?.bars.map((bar) => [
            bar.kind,
            bar.from - zero,
            bar.to === undefined ? undefined : bar.to - zero,
        ]);
    it("tells the time in a queue from the work that follows", () => {
        const held = (ms: number, until: number) =>
            event(ms, "wait_started", {
                step: "a",
                data: { for: "target", target: "shop", until: (zero + until) * 1000 },
            });
        const events = [event(0, "run_started"), held(2, 500), held(510, 900)];
        expect(spans(lanesOf(events, graph, [])[0])).toEqual([
            ["queued", 0, 510],
            ["queued", 510, undefined],
        ]);
        const done = [...events, event(950, "step_completed", { step: "a", attempt: 1 })];
        expect(spans(lanesOf(done, graph, [])[0])).toEqual([
            ["queued", 0, 510],
            ["queued", 510, 900],
            ["running", 900, 950],
        ]);
        // It was let go before its time.
        const early = [...events, event(700, "step_completed", { step: "a", attempt: 1 })];
        expect(spans(lanesOf(early, graph, [])[0])?.at(1)).toEqual(["queued", 510, 700]);
    });
    it("shows who waits for a lock in its queue", () => {
        const events = [
            event(0, "run_started"),
            event(1, "wait_started", { step: "a", data: { for: "lock", key: "till" } }),
            event(80, "step_completed", { step: "a", attempt: 1 }),
        ];
        expect(spans(lanesOf(events, graph, [])[0])).toEqual([["queued", 0, 80]]);
    });
    it("does not take a start at a later time for work", () => {
        const begun = event(0, "run_started", { data: { start_at: (zero + 5000) * 1000 } });
        const events = [begun, event(5100, "step_completed", { step: "a", attempt: 1 })];
        expect(spans(lanesOf(events, graph, [])[0])).toEqual([
            ["queued", 0, 5000],
            ["running", 5000, 5100],
        ]);
        // What comes after it has waited for the step before, not for the start.
        events.push(event(5200, "step_completed", { step: "b", attempt: 1 }));
        expect(spans(lanesOf(events, graph, [])[1])).toEqual([["running", 5100, 5200]]);
    });
    it("shows what no worker has as queued", () => {
        const steps = [{ step: "a", type: "code", status: "running", attempts: [] } as never];
        const lanes = lanesOf([event(0, "run_started")], graph, steps, "queued");
        expect(spans(lanes[0])).toEqual([["queued", 0, undefined]]);
        const later = event(0, "run_started", { data: { start_at: (zero + 5000) * 1000 } });
        const pending = [
            { step: "a", type: "code", status: "pending", attempts: [] },
            { step: "b", type: "wait", status: "pending", attempts: [] },
        ] as never[];
        const before = lanesOf([later], graph, pending, "waiting");
        expect(before.map((lane) => lane.step)).toEqual(["a"]);
        expect(spans(before[0])).toEqual([["queued", 0, undefined]]);
        expect(spans(lanesOf([later], graph, steps, "running")[0])).toEqual([
            ["queued", 0, 5000],
            ["running", 5000, undefined],
        ]);
    });
    it("shows a step that has begun and logged nothing", () => {
        const events = [event(0, "run_started")];
        const steps = [{ step: "a", type: "code", status: "running", attempts: [] } as never];
        expect(lanesOf(events, graph, steps)).toMatchObject([
            { step: "a", bars: [{ from: zero, to: undefined }] },
        ]);
    });
});

describe("waits and pauses", () => {
    it("names what the run waits for", () => {
        expect(openWaits(log())).toEqual([{ step: "b", for: "signal", name: "paid" }]);
        expect(openWaits([...log(), event(500, "step_completed", { step: "b" })])).toEqual([]);
    });
    it("knows whether it is paused", () => {
        const paused = [...log(), event(400, "run_paused", { data: { reason: "x" } })];
        expect(pauseOf(paused)?.data).toEqual({ reason: "x" });
        expect(pauseOf([...paused, event(500, "run_resumed")])).toBeUndefined();
        expect(pausesOf([...paused, event(500, "run_resumed")])).toMatchObject([
            { from: zero + 400, to: zero + 500 },
        ]);
    });
});

describe("a run that is held", () => {
    it("is queued until something happens", () => {
        const held = [...log(), event(400, "run_held", { data: { version: 2, reason: "x" } })];
        expect(pausesOf(held)).toMatchObject([{ kind: "queued", from: zero + 400 }]);
        const on = [...held, event(600, "run_resumed"), event(700, "run_paused")];
        expect(pausesOf(on)).toMatchObject([
            { kind: "queued", from: zero + 400, to: zero + 600 },
            { kind: "paused", from: zero + 700, to: undefined },
        ]);
    });
});

describe("scaleOf", () => {
    const day = 86_400_000;
    it("folds a long wait", () => {
        const lanes = lanesOf([...log(), event(day, "step_completed", { step: "b" })], graph, []);
        const end = zero + day + 1000;
        expect(idleGaps(lanes, zero, end)).toHaveLength(1);
        const folded = scaleOf(lanes, zero, end, true);
        expect(folded.folds).toHaveLength(1);
        expect(folded.at(zero + 350)).toBeGreaterThan(0.2);
        expect(folded.at(zero + day) - folded.at(zero + 350)).toBeCloseTo(0.12);
        expect(folded.at(end)).toBeCloseTo(1);
        const plain = scaleOf(lanes, zero, end, false);
        expect(plain.at(zero + day / 2)).toBeCloseTo(0.5, 1);
    });
    it("has a few marks, whatever the span", () => {
        for (const span of [1, 400, 60_000, day * 400]) {
            const ticks = ticksOf(scaleOf([], zero, zero + span, false));
            expect(ticks.length).toBeGreaterThan(0);
            expect(ticks.length).toBeLessThan(20);
        }
    });
});

describe("momentAt", () => {
    it("travels through the log", () => {
        expect(momentAt(log(), graph, 0).nodes.get("a")).toBe("running");
        expect(momentAt(log(), graph, 1).nodes.get("a")).toBe("retrying");
        const now = momentAt(log(), graph, 3);
        expect(now.nodes.get("a")).toBe("completed");
        expect(now.nodes.get("b")).toBe("waiting");
        expect(now.nodes.get("c")).toBe("pending");
        expect([...now.taken]).toEqual(["a>b"]);
    });
});

describe("a step that failed", () => {
    const edges = [
        { from: "a", to: "b", handle: "default" },
        { from: "a", to: "c", handle: "error" },
    ];
    const nodes = [{ id: "a", type: "code", on_failure: "continue" }, { id: "b" }, { id: "c" }];
    const failed = (data: object) => {
        seq = 0;
        return [event(0, "run_started"), event(1, "step_failed", { step: "a", data })];
    };
    it("leaves by its default edge where the run goes on, and by the one that catches it", () => {
        const graph = graphOf({ nodes, edges });
        expect([...momentAt(failed({}), graph, 9).taken]).toEqual(["a>b"]);
        expect([...momentAt(failed({ caught: "error" }), graph, 9).taken]).toEqual(["a>c"]);
        expect([...momentAt(failed({ retry_at: 5 }), graph, 9).taken]).toEqual([]);
    });
    it("takes no edge where it ends the run", () => {
        const stops = graphOf({ nodes: [{ id: "a", type: "code" }, ...nodes.slice(1)], edges });
        expect([...momentAt(failed({}), stops, 9).taken]).toEqual([]);
    });
    it("has its end in the log, and a wait has it when it is passed", () => {
        seq = 0;
        const events = [
            event(0, "step_failed", { step: "a", data: { retry_at: 5 } }),
            event(5, "wait_started", { step: "b", data: { for: "signal" } }),
            event(9, "node_passed", { step: "b" }),
        ];
        const ended = endsOf(events);
        expect(ended.has("a")).toBe(false);
        expect(ended.get("b")).toBe(events[2]?.at);
    });
});
