import { PawlError } from "./error.js";
import { messages, type Message } from "./sse.js";
import { backoff, Deadline, pause } from "./time.js";
import type { Query, Transport } from "./transport.js";

/** The stream is not available here or now; its content can still be polled. */
export class StreamLost extends PawlError {
    constructor(detail: string, cause?: unknown) {
        super({ code: "network", detail, cause });
    }
}

export interface FollowOptions {
    query?: Query | undefined;
    lastEventId?: string | undefined;
    signal?: AbortSignal | undefined;
}

// A proxy or a browser on the way does not support streams.
function isUnable(error: PawlError): boolean {
    return error.code === "no_stream" || [405, 406, 501].includes(error.status);
}

// After a lost connection a server may send the last few messages again.
const remembered = 10_000;

class Seen {
    private readonly ids = new Set<string>();

    /** Whether this one is new. */
    add(id: string | undefined): boolean {
        if (id === undefined) return true;
        if (this.ids.has(id)) return false;
        this.ids.add(id);
        // A set keeps its order: the oldest is the first.
        if (this.ids.size > remembered)
            for (const oldest of this.ids) {
                this.ids.delete(oldest);
                break;
            }
        return true;
    }
}

/** The messages of a stream over as many connections as needed, each message once. */
export async function* follow(
    transport: Transport,
    path: string,
    options: FollowOptions = {},
): AsyncGenerator<Message> {
    const deadline = new Deadline(options.signal);
    const seen = new Seen();
    let last = options.lastEventId;
    try {
        for (let failures = 0; ; ) {
            try {
                const headers: Record<string, string> = { Accept: "text/event-stream" };
                if (last !== undefined) headers["Last-Event-ID"] = last;
                const request = { query: options.query, headers, signal: deadline.signal };
                const response = await transport.open(path, request);
                for await (const message of messages(response)) {
                    // The key or token has expired. Another request has a new one, or says why not.
                    if (message.event === "refused") break;
                    failures = 0;
                    last = message.id ?? last;
                    if (seen.add(message.id)) yield message;
                }
            } catch (error) {
                if (deadline.signal.aborted) throw deadline.signal.reason;
                if (error instanceof PawlError && !error.retryable && !isUnable(error)) throw error;
                const unable = error instanceof PawlError && isUnable(error);
                if (unable) throw new StreamLost(error.message, error);
                if (failures >= 4) throw new StreamLost("the stream is gone", error);
            }
            await pause(backoff(failures++), deadline.signal);
        }
    } finally {
        deadline.abort();
        deadline.clear();
    }
}
