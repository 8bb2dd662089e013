import { type Graph, laneKey, part, type RunEvent, type Step, toMs } from "./model";

export type BarKind = "queued" | "running" | "waiting" | "backoff" | "paused";

/** A stretch of time in which a step did one thing. Without `to` it still does. */
export interface Bar {
    kind: BarKind;
    from: number;
    to: number | undefined;
    attempt?: number;
    outcome?: "completed" | "failed" | "skipped";
    error?: string;
    seq?: number;
    /** Of a step that is held back: when it may begin. */
    until?: number;
}

/** The line of one visit to a step. */
export interface Lane {
    key: string;
    step: string;
    type: string;
    item: number[];
    visit: number;
    bars: Bar[];
    status: string;
    /** The run that a `call` started. */
    child?: string;
}

interface State {
    lanes: Map<string, Lane>;
    /** When the step could begin: its predecessor ended. */
    ready: Map<string, number>;
    types: Map<string, string>;
    last: number;
    /** When it was told to start, if that is later than when it was scheduled. */
    startAt: number | undefined;
    scheduled: number;
    /** No worker has it: what it does next waits in a queue. */
    queued: boolean;
}

function laneOf(state: State, event: RunEvent): Lane {
    const key = laneKey(event);
    let lane = state.lanes.get(key);
    if (!lane) {
        lane = {
            key,
            step: event.step!,
            type: state.types.get(event.step!) ?? "",
            item: event.item ?? [],
            visit: event.visit ?? 0,
            bars: firstBars(state, event.step!),
            status: "running",
        };
        state.lanes.set(key, lane);
    }
    return lane;
}

/** Of a step with which the run begins: until the run was to start, it stood in the queue. */
function firstBars(state: State, step: string): Bar[] {
    const { startAt, scheduled, ready } = state;
    if (startAt === undefined || ready.get(step) !== startAt) return [];
    return [{ kind: "queued", from: scheduled, to: startAt }];
}

/** Where the next bar of a lane begins: after its last one, or when the step became ready. */
function begin(state: State, lane: Lane, at: number): number {
    const last = lane.bars.at(-1);
    const from = last ? (last.to ?? last.from) : (state.ready.get(lane.step) ?? state.last);
    return Math.min(from, at);
}

function leave(state: State, graph: Graph, event: RunEvent, at: number): void {
    const skipped = event.type === "step_skipped" ? "default" : undefined;
    const handle = part<string>(event, "handle") ?? skipped;
    for (const edge of graph.edges) {
        if (edge.from !== event.step) continue;
        if (handle && edge.handle && edge.handle !== handle) continue;
        state.ready.set(edge.to, at);
    }
}

function attemptEnded(state: State, event: RunEvent, at: number): void {
    const lane = laneOf(state, event);
    const failed = event.type === "step_failed";
    const last = lane.bars.at(-1);
    const outcome = failed ? "failed" : event.type === "step_skipped" ? "skipped" : "completed";
    const about = {
        outcome,
        seq: event.seq,
        ...(event.attempt === undefined ? {} : { attempt: event.attempt }),
        ...(event.error ? { error: event.error.message } : {}),
    } as const;
    // The next attempt may begin a little before its time.
    if (last?.kind === "backoff" && last.to !== undefined && last.to > at) last.to = at;
    // It was let go at its time, or earlier; a lock is had when it is let go, and that is all.
    if (last?.until !== undefined) last.to = Math.min(last.until, at);
    if (last && last.to === undefined) Object.assign(last, { to: at, ...about });
    else lane.bars.push({ kind: "running", from: begin(state, lane, at), to: at, ...about });
    const retry = toMs(part<number>(event, "retry_at"));
    lane.status = outcome;
    if (failed && retry !== undefined) {
        lane.status = "retrying";
        lane.bars.push({ kind: "backoff", from: at, to: retry });
    }
}

/** A wait that something from outside has ended. */
function passed(state: State, event: RunEvent, at: number): void {
    const lane = state.lanes.get(laneKey(event));
    const last = lane?.bars.at(-1);
    if (!lane || !last || last.to !== undefined) return;
    Object.assign(last, { to: at, outcome: "completed", seq: event.seq });
    lane.status = "completed";
}

/** What holds a step back before it begins: its target or a limit, or who has the lock. */
const queues = new Set(["target", "lock"]);

function waitBegan(state: State, event: RunEvent, at: number): void {
    const lane = laneOf(state, event);
    const what = part<string>(event, "for") ?? "";
    const until = toMs(part<number>(event, "until"));
    const last = lane.bars.at(-1);
    // Held back again, without an attempt between: it stood in the queue all the time.
    if (last?.to === undefined && last?.kind === "queued") last.to = at;
    const from = begin(state, lane, at);
    const seq = event.seq;
    if (queues.has(what)) {
        const due = what === "target" && until !== undefined ? { until } : {};
        lane.bars.push({ kind: "queued", from, to: undefined, seq, ...due });
    } else {
        // Less than a moment of work before the wait is not worth a bar.
        if (at - from > 5) lane.bars.push({ kind: "running", from, to: at });
        lane.bars.push({ kind: "waiting", from: at, to: undefined, seq });
    }
    lane.status = "waiting";
    const child = part<string>(event, "run");
    if (child) lane.child = child;
}

/** When the run was to start, if that was later than when it was scheduled. */
function startOf(first: RunEvent | undefined): number | undefined {
    const startAt = first && toMs(part<number>(first, "start_at"));
    return startAt !== undefined && startAt > Date.parse(first!.at) ? startAt : undefined;
}

/**
 * The lines of a waterfall from the log of a run; `steps` says what is under way, `status` whether
 * a worker has it. When a worker took the run from the queue is not in the log, unless something
 * held it back: a start at a later time, a target, a limit or a lock.
 */
export function lanesOf(
    events: readonly RunEvent[],
    graph: Graph,
    steps: readonly Step[],
    status?: string,
): Lane[] {
    const scheduled = events[0] ? Date.parse(events[0].at) : 0;
    const startAt = startOf(events[0]);
    const state: State = {
        lanes: new Map(),
        ready: new Map(),
        types: new Map(graph.nodes.map((node) => [node.id, node.type])),
        last: scheduled,
        startAt,
        scheduled,
        queued: status === "queued" || status === "waiting",
    };
    const targets = new Set(graph.edges.map((edge) => edge.to));
    for (const node of graph.nodes) {
        if (!targets.has(node.id)) state.ready.set(node.id, startAt ?? scheduled);
    }
    for (const event of events) {
        const at = Date.parse(event.at);
        if (event.step) {
            if (event.type === "wait_started") waitBegan(state, event, at);
            if (["step_completed", "step_failed", "step_skipped"].includes(event.type)) {
                attemptEnded(state, event, at);
            }
            if (event.type === "node_passed") passed(state, event, at);
            if (event.type !== "wait_started" && !part(event, "retry_at"))
                leave(state, graph, event, at);
        }
        state.last = at;
    }
    addUnderWay(state, steps);
    const closed = events.some((event) => /^run_(completed|failed|cancelled)$/.test(event.type));
    if (closed) endAll(state);
    return [...state.lanes.values()];
}

function addUnderWay(state: State, steps: readonly Step[]): void {
    const seen = new Set([...state.lanes.values()].map((lane) => lane.step));
    const kind = state.queued ? "queued" : "running";
    for (const step of steps) {
        const lane = [...state.lanes.values()].findLast((one) => one.step === step.step);
        if (step.status === "running" && lane && lane.bars.at(-1)?.to !== undefined) {
            const last = lane.bars.at(-1)!;
            if (lane.status === "retrying") {
                lane.bars.push({ kind, from: last.to!, to: undefined });
                lane.status = "running";
            }
        }
        const awaits = step.status === "pending" && state.queued && seen.size === 0;
        const begins = awaits && firstBars(state, step.step).length > 0;
        if (seen.has(step.step) || (step.status !== "running" && !begins)) continue;
        const from = state.ready.get(step.step) ?? state.last;
        const before = firstBars(state, step.step);
        if (state.queued && before[0]) before[0].to = undefined;
        else before.push({ kind, from, to: undefined });
        state.lanes.set(step.step, {
            key: step.step,
            step: step.step,
            type: step.type,
            item: [],
            visit: 0,
            bars: before,
            status: "running",
        });
    }
}

/** A run that has closed does nothing any more. */
function endAll(state: State): void {
    for (const lane of state.lanes.values()) {
        const last = lane.bars.at(-1);
        if (!last) continue;
        if (last.to === undefined || last.to > state.last)
            last.to = Math.max(last.from, state.last);
        if (["waiting", "retrying", "running"].includes(lane.status)) lane.status = "cancelled";
    }
}

/** When the run was paused, or held because no worker had its version: then it is queued. */
export function pausesOf(events: readonly RunEvent[]): Bar[] {
    const pauses: Bar[] = [];
    for (const event of events) {
        const at = Date.parse(event.at);
        const last = pauses.at(-1);
        if (last?.kind === "queued" && last.to === undefined) last.to = at;
        if (event.type === "run_held") pauses.push({ kind: "queued", from: at, to: undefined });
        const open = last?.kind === "paused" && last.to === undefined;
        if (event.type === "run_paused" && !open)
            pauses.push({ kind: "paused", from: at, to: undefined });
        if (open && /^run_(resumed|completed|failed|cancelled)$/.test(event.type)) last.to = at;
    }
    return pauses;
}
