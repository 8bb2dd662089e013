import { DeadLetters } from "./dead_letters.js";
import { Inbox } from "./inbox.js";
import { Limits } from "./limits.js";
import { List } from "./pages.js";
import { Schedules } from "./schedules.js";
import { follow } from "./stream.js";
import { Tasks } from "./tasks.js";
import { segment, Transport, type PawlOptions } from "./transport.js";
import type {
    BulkPreview,
    BulkRuns,
    CallOptions,
    ChangeOptions,
    Data,
    Job,
    NodeType,
    Page,
    Run,
    RunEvent,
    RunFilter,
    Started,
    StartOptions,
    StartRequest,
    Step,
} from "./types.js";
import { waitForRun, type WaitOptions } from "./wait.js";
import { Workflows } from "./workflows.js";

/** An event of the stream over all runs. */
export type StreamedEvent = RunEvent & { run_id: string; workflow: string };

export interface StreamOptions extends CallOptions {
    workflow?: string | undefined;
    lastEventId?: string | undefined;
}

function toBody(request: StartRequest): Record<string, unknown> {
    const { workflow, data, correlationId, subject, priority, startAt, delay } = request;
    return {
        workflow,
        data: data ?? {},
        correlation_id: correlationId,
        subject,
        priority,
        start_at: startAt instanceof Date ? startAt.toISOString() : startAt,
        delay: typeof delay === "number" ? `${Math.round(delay)}ms` : delay,
    };
}

/** A client of one Pawl server. */
export class Pawl {
    readonly workflows: Workflows;
    readonly deadLetters: DeadLetters;
    readonly schedules: Schedules;
    readonly limits: Limits;
    readonly inbox: Inbox;
    readonly tasks: Tasks;
    /** For requests that have no method here. */
    readonly transport: Transport;

    constructor(options: PawlOptions) {
        this.transport = new Transport(options);
        this.workflows = new Workflows(this.transport);
        this.deadLetters = new DeadLetters(this.transport);
        this.schedules = new Schedules(this.transport);
        this.limits = new Limits(this.transport);
        this.inbox = new Inbox(this.transport);
        this.tasks = new Tasks(this.transport);
    }

    /** Starts a run of a workflow. When this resolves, the run is durable. */
    start(workflow: string, data: Data = {}, options: StartOptions = {}): Promise<Started> {
        return this.transport.post("/v1/runs", toBody({ workflow, data, ...options }), options);
    }

    /** Starts up to 1,000 runs, all or none; the answers are in the order of the requests. */
    async startMany(requests: StartRequest[], options?: ChangeOptions): Promise<Started[]> {
        const body = { runs: requests.map(toBody) };
        const path = "/v1/runs/batch";
        return (await this.transport.post<{ data: Started[] }>(path, body, options)).data;
    }

    get(id: string, options: CallOptions = {}): Promise<Run> {
        return this.transport.get(`/v1/runs/${segment(id)}`, undefined, options.signal);
    }

    /** The run as it is now: another name for `get`. */
    status(id: string, options: CallOptions = {}): Promise<Run> {
        return this.get(id, options);
    }

    /**
     * Resolves with the run once it has completed, failed or been cancelled. Follows the run's
     * stream, over as many connections as needed; polls if streams do not work.
     */
    wait(id: string, options: WaitOptions = {}): Promise<Run> {
        return waitForRun(this.transport, id, options);
    }

    /** Asks a run to stop before its next step. */
    cancel(id: string, options: ChangeOptions & { reason?: string } = {}): Promise<Run> {
        const body = options.reason === undefined ? {} : { reason: options.reason };
        return this.transport.post(`/v1/runs/${segment(id)}/cancel`, body, options);
    }

    /** Sends a run a signal that one of its steps waits for, now or later. */
    signal(
        id: string,
        name: string,
        data?: unknown,
        options: ChangeOptions & { early?: boolean } = {},
    ): Promise<Run> {
        const body = { name, data, early: options.early };
        return this.transport.post(`/v1/runs/${segment(id)}/signals`, body, options);
    }

    /** Holds a run before its next step. */
    pause(id: string, options: ChangeOptions & { reason?: string } = {}): Promise<Run> {
        const body = options.reason === undefined ? {} : { reason: options.reason };
        return this.transport.post(`/v1/runs/${segment(id)}/pause`, body, options);
    }

    /** Continues a paused run. */
    resume(id: string, options?: ChangeOptions): Promise<Run> {
        return this.transport.post(`/v1/runs/${segment(id)}/resume`, {}, options);
    }

    /** Skips a step that the run is at, and continues after it. */
    skip(
        id: string,
        node: string,
        options: ChangeOptions & { reason: string; value?: unknown },
    ): Promise<Run> {
        const body = { node, reason: options.reason, value: options.value };
        return this.transport.post(`/v1/runs/${segment(id)}/skip`, body, options);
    }

    /** Reports the outcome of a step whose outcome is unknown. */
    settle(
        id: string,
        node: string,
        options: ChangeOptions & {
            as: "completed" | "failed" | "retry";
            reason?: string;
            data?: unknown;
        },
    ): Promise<Run> {
        const body = { node, as: options.as, reason: options.reason, data: options.data };
        return this.transport.post(`/v1/runs/${segment(id)}/settle`, body, options);
    }

    /** Applies one action to all matching runs, as a job of the server. */
    bulk(request: Omit<BulkRuns, "dry_run">, options?: ChangeOptions): Promise<Job> {
        return this.transport.post("/v1/runs/bulk", request, options);
    }

    /** The runs that a bulk job would act on; changes nothing. */
    previewBulk(request: BulkRuns, options?: ChangeOptions): Promise<BulkPreview> {
        return this.transport.post("/v1/runs/bulk", { ...request, dry_run: true }, options);
    }

    /** A job and its progress. */
    job(id: string, options: CallOptions = {}): Promise<Job> {
        return this.transport.get(`/v1/jobs/${segment(id)}`, undefined, options.signal);
    }

    /** Jobs, newest first. */
    jobs(options: CallOptions & { status?: Job["status"]; limit?: number } = {}): List<Job> {
        const { status, limit, signal } = options;
        return new List((cursor) =>
            this.transport.get<Page<Job>>("/v1/jobs", { status, limit, cursor }, signal),
        );
    }

    /** Stops a job; what it has done stays done. */
    cancelJob(id: string, options?: ChangeOptions): Promise<Job> {
        return this.transport.post(`/v1/jobs/${segment(id)}/cancel`, undefined, options);
    }

    /** Continues at the step that failed, as a new run. */
    retry(id: string, options?: ChangeOptions): Promise<Started> {
        return this.transport.post(`/v1/runs/${segment(id)}/retry`, undefined, options);
    }

    /** Starts again from the first step, with the same data or an edited one. */
    rerun(
        id: string,
        options: ChangeOptions & { data?: Data; from?: string; confirm?: boolean } = {},
    ): Promise<Started> {
        const { data, from, confirm } = options;
        const body = { data, from, confirm };
        return this.transport.post(`/v1/runs/${segment(id)}/rerun`, body, options);
    }

    /** Runs, newest first. `limit` is the size of a page. */
    list(filter: RunFilter & CallOptions & { limit?: number } = {}): List<Run> {
        const { signal, limit, workflow, subject, status } = filter;
        const query = {
            workflow,
            status: status === undefined ? undefined : [status].flat(),
            subject,
            correlation_id: filter.correlationId,
            created_after: filter.createdAfter,
            created_before: filter.createdBefore,
            limit,
        };
        return new List((cursor) =>
            this.transport.get<Page<Run>>("/v1/runs", { ...query, cursor }, signal),
        );
    }

    /** The log of a run, oldest first. */
    events(id: string, options: CallOptions & { limit?: number } = {}): List<RunEvent> {
        const { limit, signal } = options;
        const path = `/v1/runs/${segment(id)}/events`;
        return new List((cursor) =>
            this.transport.get<Page<RunEvent>>(path, { limit, cursor }, signal),
        );
    }

    /** The steps of a run with their attempts. */
    async steps(id: string, options: CallOptions = {}): Promise<Step[]> {
        const path = `/v1/runs/${segment(id)}/steps`;
        return (await this.transport.get<{ data: Step[] }>(path, undefined, options.signal)).data;
    }

    /** What happens to all runs, as it happens, until the signal fires. */
    async *stream(options: StreamOptions = {}): AsyncGenerator<StreamedEvent> {
        const { signal, lastEventId } = options;
        const query = { workflow: options.workflow };
        for await (const message of follow(this.transport, "/v1/stream", {
            query,
            lastEventId,
            signal,
        })) {
            if (message.event === "overflow") continue; // some were left out: list() has them
            yield JSON.parse(message.data) as StreamedEvent;
        }
    }

    /** The types of steps, each with a JSON Schema. */
    async nodeTypes(options: CallOptions = {}): Promise<NodeType[]> {
        const path = "/v1/node-types";
        return (await this.transport.get<{ data: NodeType[] }>(path, undefined, options.signal))
            .data;
    }
}
