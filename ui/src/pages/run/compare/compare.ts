import { kindOf, membersOf } from "@/components/json/tree";
import { formatJson } from "@/data/json";
import { lanesOf } from "../lanes";
import type { Log, Run, Step } from "../model";

/** A member that two values do not share; undefined: one of them does not have it. */
export interface Difference {
    /** A JSON pointer, empty for the whole value. */
    path: string;
    left: unknown;
    right: unknown;
}

// More than a person reads.
const most = 200;

const same = (left: unknown, right: unknown) =>
    kindOf(left) === kindOf(right) && formatJson(left) === formatJson(right);

/** Where two values differ, member by member, in the order of the first one. */
export function differences(left: unknown, right: unknown, path = ""): Difference[] {
    const kind = kindOf(left);
    const deep = kind === kindOf(right) && (kind === "object" || kind === "array");
    if (!deep) return same(left, right) ? [] : [{ path, left, right }];
    const before = new Map(membersOf(left));
    const after = new Map(membersOf(right));
    const out: Difference[] = [];
    for (const key of new Set([...before.keys(), ...after.keys()])) {
        if (out.length >= most) break;
        const name = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
        const place = `${path}/${name}`;
        const [one, other] = [before.get(key), after.get(key)];
        if (before.has(key) && after.has(key)) out.push(...differences(one, other, place));
        else out.push({ path: place, left: one, right: other });
    }
    return out.slice(0, most);
}

/** What a step did in one run. */
export interface Did {
    status: string;
    /** In milliseconds, waits and time between attempts included. */
    took: number;
    attempts: number;
    result: unknown;
    error: string | undefined;
}

export interface Row {
    step: string;
    type: string;
    left: Did | undefined;
    right: Did | undefined;
    /** What its results do not share. */
    results: Difference[];
    differs: boolean;
}

export interface Side {
    run: Run;
    log: Log;
}

function didOf({ log }: Side, now: number): Map<string, Did> {
    const out = new Map<string, Did>();
    const steps = new Map(log.steps.map((step): [string, Step] => [step.step, step]));
    for (const lane of lanesOf(log.events, log.graph, log.steps)) {
        const took = lane.bars.reduce((sum, bar) => sum + ((bar.to ?? now) - bar.from), 0);
        const step = steps.get(lane.step);
        const old = out.get(lane.step);
        out.set(lane.step, {
            status: step?.status ?? lane.status,
            took: took + (old?.took ?? 0),
            attempts: step?.attempts.length ?? 0,
            result: step?.result,
            error: step?.error?.message,
        });
    }
    return out;
}

/** The steps that either run came to: in the order of the left one, others behind their forerunner. */
function orderOf(left: Map<string, Did>, right: Map<string, Did>): string[] {
    const order = [...left.keys()];
    let behind = -1;
    for (const step of right.keys()) {
        const at = order.indexOf(step);
        if (at >= 0) behind = at;
        else order.splice(++behind, 0, step);
    }
    return order;
}

export function rowsOf(left: Side, right: Side, now: number): Row[] {
    const [one, other] = [didOf(left, now), didOf(right, now)];
    const types = new Map(
        [...right.log.graph.nodes, ...left.log.graph.nodes].map((node) => [node.id, node.type]),
    );
    return orderOf(one, other).map((step) => {
        const [here, there] = [one.get(step), other.get(step)];
        const results = here && there ? differences(here.result, there.result) : [];
        const differs =
            here?.status !== there?.status || here?.error !== there?.error || results.length > 0;
        return { step, type: types.get(step) ?? "", left: here, right: there, results, differs };
    });
}

/** Where two runs part: in what they got, or at a step. */
export type First =
    | { kind: "input"; at: Difference }
    | { kind: "only"; row: Row; side: "left" | "right" }
    | { kind: "status" | "error"; row: Row }
    | { kind: "result"; row: Row; at: Difference };

export function firstOf(input: Difference[], rows: Row[]): First | undefined {
    if (input[0]) return { kind: "input", at: input[0] };
    const row = rows.find((one) => one.differs);
    if (!row) return undefined;
    if (!row.left || !row.right) return { kind: "only", row, side: row.left ? "left" : "right" };
    if (row.left.status !== row.right.status) return { kind: "status", row };
    if (row.left.error !== row.right.error) return { kind: "error", row };
    return { kind: "result", row, at: row.results[0]! };
}

/** A value in a cell: as much of it as can be looked at. */
export function inWords(value: unknown, length = 300): string {
    if (value === undefined) return "–";
    const text = formatJson(value, 0);
    return text.length > length ? `${text.slice(0, length)}…` : text;
}
