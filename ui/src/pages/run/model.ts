import type { Schemas } from "@/data/api";

export type Run = Schemas["Run"];
export type RunEvent = Schemas["Event"];
export type Step = Schemas["Step"];

export interface GraphNode {
    id: string;
    type: string;
    on_failure?: string;
}

export interface GraphEdge {
    from: string;
    to: string;
    handle?: string;
}

/** The definition as the server keeps it: nodes and edges, however it was written. */
export interface Graph {
    nodes: GraphNode[];
    edges: GraphEdge[];
}

export function graphOf(definition: unknown): Graph {
    const { nodes, edges } = (definition ?? {}) as Partial<Graph>;
    return { nodes: nodes ?? [], edges: edges ?? [] };
}

/** A member of an event's data, if it has it. */
export function part<T>(event: RunEvent, name: string): T | undefined {
    const data = event.data as Record<string, unknown> | null | undefined;
    if (typeof data !== "object" || data === null) return undefined;
    return data[name] as T | undefined;
}

const leaves = new Set(["step_completed", "step_skipped", "node_passed", "joined", "routed"]);

/** When steps that have ended did so, by their last event; those that are tried again have not. */
export function endsOf(events: readonly RunEvent[]): Map<string, string> {
    const ended = new Map<string, string>();
    for (const event of events) {
        if (!event.step) continue;
        const failed = event.type === "step_failed" && part(event, "retry_at") === undefined;
        if (failed || leaves.has(event.type)) ended.set(event.step, event.at);
        else if (event.type === "wait_started") ended.delete(event.step);
    }
    return ended;
}

/** The runs that a step started and waited for. */
export function childrenOf(events: readonly RunEvent[], step: string): string[] {
    const runs = events
        .filter((event) => event.step === step && event.type === "wait_started")
        .map((event) => part<string>(event, "run"));
    return [...new Set(runs.filter((run) => typeof run === "string"))];
}

/** Who did what an event says, if it says so: a message that came has it in its data. */
export function authorOf(event: RunEvent): string | undefined {
    const inside = { signal_received: "data", node_passed: "value" }[event.type as string];
    const said = inside ? part<{ by?: unknown } | null>(event, inside)?.by : part(event, "by");
    return typeof said === "string" && said !== "" ? said : undefined;
}

/** The step was switched off, so that the run passed it. */
export const isPassedOff = (event: RunEvent) =>
    event.type === "step_skipped" && part<boolean>(event, "disabled") === true;

export const isOpen = (run: Run) => ["queued", "running", "waiting"].includes(run.status);

/** What the run waits for, as its log says: the newest wait that has not ended. */
export interface OpenWait {
    step: string;
    for: string;
    name?: string;
    until?: number;
    child?: string;
    /** The target that it is held back for. */
    target?: string;
    /** The outcome of the step is not known: a person must find out. */
    unknown?: boolean;
}

/** Microseconds of the log as milliseconds. */
export const toMs = (micros: number | undefined) =>
    micros === undefined ? undefined : Math.round(micros / 1000);

export const laneKey = (event: {
    step?: string;
    branch?: number;
    visit?: number;
    item?: number[];
}) => [event.step, event.branch ?? 0, event.visit ?? 0, (event.item ?? []).join(".")].join("|");

const ends = new Set(["step_completed", "step_failed", "step_skipped", "node_passed"]);

export function openWaits(events: readonly RunEvent[]): OpenWait[] {
    const waits = new Map<string, OpenWait>();
    for (const event of events) {
        if (!event.step) continue;
        const key = laneKey(event);
        if (ends.has(event.type)) waits.delete(key);
        if (event.type !== "wait_started") continue;
        const name = part<string>(event, "name");
        const until = toMs(part<number>(event, "until"));
        const child = part<string>(event, "run");
        const target = part<string>(event, "target");
        waits.set(key, {
            step: event.step,
            for: part<string>(event, "for") ?? "time",
            ...(name === undefined ? {} : { name }),
            ...(until === undefined ? {} : { until }),
            ...(child === undefined ? {} : { child }),
            ...(target === undefined ? {} : { target }),
            ...(part<boolean>(event, "unknown") ? { unknown: true } : {}),
        });
    }
    return [...waits.values()];
}

/** Since when it is paused, and why; undefined if it is not. */
export function pauseOf(events: readonly RunEvent[]): RunEvent | undefined {
    let paused: RunEvent | undefined;
    for (const event of events) {
        if (event.type === "run_paused") paused = event;
        if (event.type === "run_resumed") paused = undefined;
    }
    return paused;
}

/** What the parts of the page share: the log with what belongs to it. */
export interface Log {
    events: RunEvent[];
    cut: boolean;
    steps: Step[];
    graph: Graph;
    ready: boolean;
}
