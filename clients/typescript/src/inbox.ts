import { List } from "./pages.js";
import type { Transport } from "./transport.js";
import type {
    CallOptions,
    ChangeOptions,
    OutsideEvent,
    Page,
    Published,
    PublishEvent,
} from "./types.js";

const root = "/v1/events";

/** What happens outside: it starts runs, and wakes those that wait for it. */
export class Inbox {
    constructor(private readonly transport: Transport) {}

    /** When this resolves the event is durable. One whose id has come before is not taken twice. */
    publish(event: PublishEvent, options?: ChangeOptions): Promise<Published> {
        return this.transport.post(root, event, options);
    }

    /** Up to 1,000, all or none; the answers come in their order. */
    async publishMany(events: PublishEvent[], options?: ChangeOptions): Promise<Published[]> {
        return (await this.transport.post<{ data: Published[] }>(root, events, options)).data;
    }

    /** Newest first. */
    list(
        filter: CallOptions & { name?: string; key?: string; limit?: number } = {},
    ): List<OutsideEvent> {
        const { signal, ...query } = filter;
        return new List((cursor) =>
            this.transport.get<Page<OutsideEvent>>(root, { ...query, cursor }, signal),
        );
    }
}
