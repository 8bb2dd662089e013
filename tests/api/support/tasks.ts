import type { Task } from "@pawl/client";
import assert from "node:assert/strict";
import { define, pawl, request } from "./server.js";
import { until } from "./until.js";

export interface Asked {
    run: string;
    workflow: string;
    task: Task;
}

/** A run that asks, and what it asks. */
export async function asked(config: Record<string, unknown> = {}): Promise<Asked> {
    const workflow = await define([
        { id: "ask", type: "human", config: { title: "Refund?", data: { amount: 50 }, ...config } },
    ]);
    const run = (await pawl.start(workflow, {}, { subject: "order 7" })).id;
    return { run, workflow, task: await openTask(run) };
}

export function openTask(run: string): Promise<Task> {
    return until("a task", async () => (await pawl.tasks.list({ run, state: "open" }).all())[0]);
}

export async function result(run: string): Promise<Record<string, unknown>> {
    const whole = await pawl.wait(run, { timeout: 60_000 });
    assert.equal(whole.status, "completed", JSON.stringify(whole.error));
    return whole.output as Record<string, unknown>;
}

export const post = (
    id: string,
    action: string,
    body: unknown = {},
    key?: string,
): Promise<Response> =>
    request("POST", `/v1/tasks/${id}/${action}`, key ? { body, key } : { body });
