import type { Pawl } from "./pawl.js";
import { pause } from "./time.js";
import { makeKey } from "./transport.js";
import { isClosed, type Data } from "./types.js";

// The functions of a front end written for edge functions (`workflow-enqueue`): the same
// names, options and results, over a Pawl client or over a Supabase client.

export interface WorkflowResult {
    execution_id: string;
    workflow_name: string;
    status: "queued" | "pending" | "running" | "completed" | "failed" | "cancelled";
    total_steps?: number;
    /** Set if the execution existed already. */
    message?: string;
}

export interface WorkflowStatusResult {
    id: string;
    workflow_name: string;
    workflow_version: number;
    status: string;
    current_step: number;
    total_steps: number;
    input_payload: Data;
    context: Data;
    error_message?: string | null;
    error_step?: string | null;
    retry_count: number;
    correlation_id?: string | null;
    triggered_by?: string | null;
    created_at: string;
    started_at?: string | null;
    completed_at?: string | null;
}

export interface WaitForWorkflowOptions {
    /** Milliseconds between two polls; default 2000. */
    pollInterval?: number;
    /** Milliseconds; default 60000. */
    timeout?: number;
    /** Called with the status on every poll. */
    onProgress?: (status: WorkflowStatusResult) => void;
}

export interface DocumentClient {
    /** Starts a named workflow. A correlation id makes it safe to call twice. */
    triggerWorkflow(workflow: string, data: Data, correlationId?: string): Promise<WorkflowResult>;
    getWorkflowStatus(executionId: string): Promise<WorkflowStatusResult>;
    /** Polls until the execution has completed, failed or been cancelled. */
    waitForWorkflow(
        executionId: string,
        options?: WaitForWorkflowOptions,
    ): Promise<WorkflowStatusResult>;
}

/** The part of a Supabase client that is used. */
export interface FunctionsClient {
    functions: {
        invoke(
            name: string,
            options: { body: Record<string, unknown> },
        ): Promise<{ data: unknown; error: unknown }>;
    };
}

type Invoke = (action: string, payload: Data, otherwise: string) => Promise<unknown>;

const route = "workflow-enqueue";

function bind(invoke: Invoke, correlate: (id: string | undefined) => string | undefined) {
    const getWorkflowStatus = async (executionId: string): Promise<WorkflowStatusResult> => {
        const payload = { execution_id: executionId };
        return (await invoke(
            "status",
            payload,
            "Failed to get workflow status",
        )) as WorkflowStatusResult;
    };
    const client: DocumentClient = {
        async triggerWorkflow(workflow, data, correlationId) {
            const payload = { workflow, data, correlation_id: correlate(correlationId) };
            return (await invoke(
                "enqueue",
                payload,
                "Failed to trigger workflow",
            )) as WorkflowResult;
        },
        getWorkflowStatus,
        async waitForWorkflow(executionId, options = {}) {
            const { pollInterval = 2000, timeout = 60000, onProgress } = options;
            const until = Date.now() + timeout;
            for (;;) {
                const status = await getWorkflowStatus(executionId);
                onProgress?.(status);
                if (isClosed(status)) return status;
                const left = until - Date.now();
                if (left <= 0) {
                    throw new Error(`Workflow ${executionId} timed out after ${timeout}ms`);
                }
                await pause(Math.min(pollInterval, left));
            }
        },
    };
    return client;
}

/** The three functions over a Pawl client; a request without an answer is repeated. */
export function documentClient(pawl: Pawl): DocumentClient {
    const invoke: Invoke = async (action, payload) => {
        const body = { action, payload };
        const path = `/functions/v1/${route}`;
        return (await pawl.transport.ask<{ data: unknown }>(path, body)).data;
    };
    // With its own id a start that is sent twice still counts once.
    return bind(invoke, (id) => id || makeKey());
}

interface Envelope {
    error?: unknown;
}

// A Supabase client only says that the status was not 2xx; the reason is in the answer it keeps.
async function reason(error: unknown): Promise<string | undefined> {
    const { context, message } = error as { context?: unknown; message?: string };
    if (context instanceof Response && !context.bodyUsed) {
        const body = (await context.json().catch(() => undefined)) as Envelope | undefined;
        if (typeof body?.error === "string") return body.error;
    }
    return message;
}

/** The three functions over a Supabase client that points at Pawl. */
export function supabaseDocumentClient(supabase: FunctionsClient): DocumentClient {
    const invoke: Invoke = async (action, payload, otherwise) => {
        const body = { action, payload };
        const { data, error } = await supabase.functions.invoke(route, { body });
        if (error) throw new Error((await reason(error)) || otherwise, { cause: error });
        return (data as { data: unknown }).data;
    };
    return bind(invoke, (id) => id);
}
