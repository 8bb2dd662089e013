import type { Job, Schedule } from "@pawl/client";
import assert from "node:assert/strict";
import { database, define, pawl, request, type StepDefinition } from "./server.js";
import { until } from "./until.js";

export const waits: StepDefinition[] = [{ name: "later", wait: "1d" }];
export const yearly = "0 0 1 1 *";

export async function read<T>(response: Promise<Response>, status = 200): Promise<T> {
    const answer = await response;
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    return JSON.parse(text) as T;
}

/** A workflow with an audience, and its schedule. */
export async function audience(
    query: string,
    rest: Record<string, unknown> = {},
    trigger: Record<string, unknown> = {},
): Promise<Schedule> {
    const triggers = [{ audience: query, schedule: yearly, ...trigger }];
    const workflow = await define(waits, { triggers, ...rest });
    const [schedule] = await pawl.schedules.list({ workflow }).take(1);
    assert.ok(schedule);
    return schedule;
}

export async function trigger(schedule: Schedule): Promise<Job> {
    return await read<Job>(request("POST", `/v1/schedules/${schedule.id}/trigger`), 202);
}

export async function ended(job: Job): Promise<Job> {
    return await until("the job is over", async () => {
        const now = await read<Job>(request("GET", `/v1/jobs/${job.id}`));
        return ["done", "failed", "cancelled"].includes(now.status) ? now : undefined;
    });
}

export interface Entered {
    subject: string;
    input: Record<string, unknown>;
}

export async function runsOf(workflow: string): Promise<Entered[]> {
    const text = `select l.subject, e.data -> 'input' as input
        from pawl.live_run l join pawl.workflow w on w.id = l.workflow
        join pawl.event e on e.bucket = l.bucket and e.run_id = l.run_id and e.seq = 0
        where w.name = $1 order by l.subject`;
    return (await database.query<Entered>(text, [workflow])).rows;
}
