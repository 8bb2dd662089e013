import { List } from "./pages.js";
import type { Transport } from "./transport.js";
import type { CallOptions, ChangeOptions, Limit, Page } from "./types.js";

const root = "/v1/limits";

/** Which limit is meant: of a workflow, or one that workflows share; of one key, or of every key. */
export interface LimitName {
    workflow?: string;
    name: string;
    key?: string;
}

/** How many runs may go on at once. */
export class Limits {
    constructor(private readonly transport: Transport) {}

    /** Limits that runs are under now, and those that were set. */
    list(options: CallOptions & { workflow?: string; limit?: number } = {}): List<Limit> {
        const { workflow, limit, signal } = options;
        return new List((cursor) =>
            this.transport.get<Page<Limit>>(root, { workflow, limit, cursor }, signal),
        );
    }

    /** Sets a limit over that of the definition; it counts at once. */
    async set(which: LimitName, limit: number, options?: ChangeOptions): Promise<void> {
        await this.transport.post(root, { ...which, limit }, options);
    }

    /** Has the limit of the definition count again. */
    async clear(which: LimitName, options?: ChangeOptions): Promise<void> {
        await this.transport.post(root, { ...which, limit: null }, options);
    }
}
