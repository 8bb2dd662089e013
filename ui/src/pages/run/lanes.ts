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
            bars: [],
            status: "running",
        };
        state.lanes.set(key, lane);
    }
    return lane;
}

/** Where the next bar of a lane begins: after its last one, or when the step became ready. */
function begin(state: State, lane: Lane, at: number): number {
    const last = lane.bars.at(-1);
    const from = last ? (last.to ?? last.from) : (state.ready.get(lane.step) ?? state.last);
    return Math.min(from, at);
}

function leave(state: State, graph: Graph, event: RunEvent, at: number): void {
    const handle = part<string>(event, "handle");
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

function waitBegan(state: State, event: RunEvent, at: number): void {
    const lane = laneOf(state, event);
    const from = begin(state, lane, at);
    // Less than a moment of work before the wait is not worth a bar.
    if (at - from > 5) lane.bars.push({ kind: "running", from, to: at });
    lane.bars.push({ kind: "waiting", from: at, to: undefined, seq: event.seq });
    lane.status = "waiting";
    const child = part<string>(event, "run");
    if (child) lane.child = child;
}

/** The lines of a waterfall from the log of a run; `steps` says what is under way. */
export function lanesOf(events: readonly RunEvent[], graph: Graph, steps: readonly Step[]): Lane[] {
    const state: State = {
        lanes: new Map(),
        ready: new Map(),
        types: new Map(graph.nodes.map((node) => [node.id, node.type])),
        last: events[0] ? Date.parse(events[0].at) : 0,
    };
    const targets = new Set(graph.edges.map((edge) => edge.to));
    for (const node of graph.nodes) if (!targets.has(node.id)) state.ready.set(node.id, state.last);
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
    for (const step of steps) {
        const lane = [...state.lanes.values()].findLast((one) => one.step === step.step);
        if (step.status === "running" && lane && lane.bars.at(-1)?.to !== undefined) {
            const last = lane.bars.at(-1)!;
            if (lane.status === "retrying") {
                lane.bars.push({ kind: "running", from: last.to!, to: undefined });
                lane.status = "running";
            }
        }
        if (seen.has(step.step) || step.status !== "running") continue;
        const from = state.ready.get(step.step) ?? state.last;
        state.lanes.set(step.step, {
            key: step.step,
            step: step.step,
            type: step.type,
            item: [],
            visit: 0,
            bars: [{ kind: "running", from, to: undefined }],
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

/** When the run was paused. */
export function pausesOf(events: readonly RunEvent[]): Bar[] {
    const pauses: Bar[] = [];
    for (const event of events) {
        const at = Date.parse(event.at);
        const last = pauses.at(-1);
        const open = last !== undefined && last.to === undefined;
        if (event.type === "run_paused" && !open)
            pauses.push({ kind: "paused", from: at, to: undefined });
        if (open && /^run_(resumed|completed|failed|cancelled)$/.test(event.type)) last.to = at;
    }
    return pauses;
}
