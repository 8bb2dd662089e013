import { List } from "./pages.js";
import { segment, type Transport } from "./transport.js";
import type {
    CallOptions,
    ChangeOptions,
    Page,
    Task,
    TaskFilter,
    TaskLink,
    TaskWithAudit,
} from "./types.js";

const root = "/v1/tasks";

export interface TaskOptions extends ChangeOptions {
    /** The person for whom you act; default: the name of the key. A token names its own person. */
    by?: string | undefined;
    reason?: string | undefined;
}

/** Tasks of people. */
export class Tasks {
    constructor(private readonly transport: Transport) {}

    /** Newest first. */
    list(filter: TaskFilter & CallOptions & { limit?: number } = {}): List<Task> {
        const { signal, ...query } = filter;
        return new List((cursor) =>
            this.transport.get<Page<Task>>(root, { ...query, cursor }, signal),
        );
    }

    /** A task with its audit. */
    get(id: string, options: CallOptions = {}): Promise<TaskWithAudit> {
        return this.transport.get(`${root}/${segment(id)}`, undefined, options.signal);
    }

    /** Claims a task, so that others cannot decide it. */
    claim(id: string, options: TaskOptions = {}): Promise<Task> {
        return this.act(id, "claim", options);
    }

    unclaim(id: string, options: TaskOptions = {}): Promise<Task> {
        return this.act(id, "unclaim", options);
    }

    delegate(id: string, to: string, options: TaskOptions = {}): Promise<Task> {
        return this.act(id, "delegate", options, { to });
    }

    /** Approves; with `data`, the edited data. */
    approve(id: string, options: TaskOptions & { data?: unknown } = {}): Promise<Task> {
        return this.act(id, "approve", options, { data: options.data });
    }

    reject(id: string, reason: string, options: TaskOptions = {}): Promise<Task> {
        return this.act(id, "reject", { ...options, reason });
    }

    /** A link with which one person can decide without a key. */
    link(
        id: string,
        by: string,
        options: ChangeOptions & { expiresIn?: string } = {},
    ): Promise<TaskLink> {
        const body = { by, expires_in: options.expiresIn };
        return this.transport.post(`${root}/${segment(id)}/links`, body, options);
    }

    private act(
        id: string,
        action: string,
        options: TaskOptions,
        rest: Record<string, unknown> = {},
    ): Promise<Task> {
        const body = { by: options.by, reason: options.reason, ...rest };
        return this.transport.post(`${root}/${segment(id)}/${action}`, body, options);
    }
}
