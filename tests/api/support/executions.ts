import assert from "node:assert/strict";
import { invoke } from "./server.js";
import { until } from "./until.js";

/** Follows an execution to its end by asking for its status, as the document's client does. */
export async function ended(id: string): Promise<Record<string, any>> {
    return await until(`execution ${id} has ended`, async () => {
        const { body } = await invoke("status", { execution_id: id });
        return ["completed", "failed", "cancelled"].includes(body.data.status) && body.data;
    });
}

export async function enqueued(
    workflow: string,
    data: unknown,
    correlation_id?: string,
): Promise<any> {
    const { status, body } = await invoke("enqueue", { workflow, data, correlation_id });
    assert.equal(status, 200, body.error);
    assert.equal(body.success, true);
    return body.data;
}
