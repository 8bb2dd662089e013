import { shortId } from "@/data/ids";
import { formatJson } from "@/data/json";
import { type Log, part, type Run, type RunEvent } from "./model";

const real = new Set(["code", "transform", "wait", "condition", "switch", "parallel", "join"]);

// JSON is YAML: values go into the file as they are, exact numbers included.
const inline = (value: unknown) => formatJson(value ?? null, 0);

function mockOf(event: RunEvent): string {
    if (event.type === "step_failed") {
        const { code = "failed", message = "", class: kind = "permanent" } = event.error ?? {};
        return `{error: ${inline({ code, message, class: kind })}}`;
    }
    return `{result: ${inline(event.data)}}`;
}

/** What came from outside, at its time. */
function signalOf(event: RunEvent, run: Run): string[] {
    if (event.type !== "signal_received" || part(event, "kind") !== "signal") return [];
    const { name, data } = part<{ name?: string; data?: unknown }>(event, "data") ?? {};
    const after = Math.max(1, Date.parse(event.at) - Date.parse(run.created_at));
    return [`{after: ${after}ms, signal: ${inline(name)}, data: ${inline(data)}}`];
}

/** What a person decided. */
function decisionOf(event: RunEvent): string {
    const { decision, by, reason } = part<Record<string, unknown>>(event, "value") ?? {};
    return `{${[
        `decision: ${inline(decision)}`,
        ...(by ? [`by: ${inline(by)}`] : []),
        ...(reason ? [`reason: ${inline(reason)}`] : []),
    ].join(", ")}}`;
}

/** The run as a case for `pawl test`: its input, what the steps answered, and how it ended. */
export function asTestCase(run: Run, log: Log): string {
    const types = new Map(log.graph.nodes.map((node) => [node.id, node.type]));
    const answers = new Map<string, string[]>();
    for (const event of log.events) {
        if (!event.step || real.has(types.get(event.step) ?? "")) continue;
        const given = answers.get(event.step) ?? [];
        if (types.get(event.step) === "human") {
            if (event.type === "node_passed")
                answers.set(event.step, [...given, decisionOf(event)]);
        } else if (event.type === "step_completed" || event.type === "step_failed") {
            answers.set(event.step, [...given, mockOf(event)]);
        }
    }
    const path = log.events
        .filter(
            (event) =>
                event.step && ["step_completed", "node_passed", "joined"].includes(event.type),
        )
        .map((event) => event.step!);
    const lines = [
        `# From run ${run.id}`,
        ...(run.subject ? [`subject: ${inline(run.subject)}`] : []),
        `input: ${inline(run.input ?? {})}`,
        "tests:",
        `  - name: ${inline(`as run ${shortId(run.id)}`)}`,
    ];
    if (answers.size > 0) {
        lines.push("    mocks:");
        for (const [step, list] of answers)
            lines.push(`      ${inline(step)}: [${list.join(", ")}]`);
    }
    const signals = log.events.flatMap((event) => signalOf(event, run));
    if (signals.length > 0) lines.push(`    events: [${signals.join(", ")}]`);
    const error = run.error
        ? `, error: ${inline({ code: run.error.code, step: run.error.step })}`
        : "";
    const status = run.closed_at ? run.status : "waiting";
    lines.push(`    expect: {status: ${status}, through: ${inline(path)}${error}}`);
    return `${lines.join("\n")}\n`;
}
