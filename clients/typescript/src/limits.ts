import { List } from "./pages.js";
import type { Transport } from "./transport.js";
import type { CallOptions, ChangeOptions, Limit, Page } from "./types.js";

const root = "/v1/limits";

/** Selects a limit: of a workflow, or one that workflows share; of one key, or of every key. */
export interface LimitName {
    workflow?: string;
    name: string;
    key?: string;
}

/** How many runs may be under way at once. */
export class Limits {
    constructor(private readonly transport: Transport) {}

    /** Limits that apply to runs now, and limits that were set. */
    list(options: CallOptions & { workflow?: string; limit?: number } = {}): List<Limit> {
        const { workflow, limit, signal } = options;
        return new List((cursor) =>
            this.transport.get<Page<Limit>>(root, { workflow, limit, cursor }, signal),
        );
    }

    /** Overrides a limit of the definition, at once. */
    async set(which: LimitName, limit: number, options?: ChangeOptions): Promise<void> {
        await this.transport.post(root, { ...which, limit }, options);
    }

    /** Restores the limit of the definition. */
    async clear(which: LimitName, options?: ChangeOptions): Promise<void> {
        await this.transport.post(root, { ...which, limit: null }, options);
    }
}
