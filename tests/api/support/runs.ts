import assert from "node:assert/strict";
import { pawl } from "./server.js";
import { until } from "./until.js";

/** Resolves once a run waits for something. */
export async function waiting(id: string): Promise<void> {
    await until("the run waits", async () => (await pawl.get(id)).status === "waiting");
}

export async function start(workflow: string, data: Record<string, unknown> = {}): Promise<string> {
    return (await pawl.start(workflow, data)).id;
}

/** The output of a run once it has completed. */
export async function ended(id: string): Promise<Record<string, unknown>> {
    const run = await pawl.wait(id, { timeout: 60_000 });
    assert.equal(run.status, "completed", JSON.stringify(run.error));
    return run.output as Record<string, unknown>;
}
