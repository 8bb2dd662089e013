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

/** Events from outside: they start runs, and wake runs that wait for them. */
export class Inbox {
    constructor(private readonly transport: Transport) {}

    /** When this resolves, the event is durable. An id that was sent before is ignored. */
    publish(event: PublishEvent, options?: ChangeOptions): Promise<Published> {
        return this.transport.post(root, event, options);
    }

    /** Up to 1,000, all or none; the answers are in the same order. */
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
