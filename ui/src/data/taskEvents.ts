import type { LiveEvent } from "./live";

const kinds = new Set(["wait_started", "signal_received", "run_cancelled"]);

/**
 * Whether tasks may have changed: a run begins to wait or is told something, or a run that is shown
 * goes on, as it does when a task's time is over.
 */
export function touchesTasks(
    events: readonly LiveEvent[],
    shown: readonly { run_id: string }[] = [],
): boolean {
    const runs = new Set(shown.map((task) => task.run_id));
    return events.some((event) => kinds.has(event.type) || runs.has(event.run_id));
}
