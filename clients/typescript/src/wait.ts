import { PawlError } from "./error.js";
import { pages } from "./pages.js";
import { follow, StreamLost } from "./stream.js";
import { Deadline, pause } from "./time.js";
import { segment, type Transport } from "./transport.js";
import { isClosed, type Page, type Run, type RunEvent } from "./types.js";

export interface WaitOptions {
    /** Milliseconds; by default without a limit. */
    timeout?: number | undefined;
    signal?: AbortSignal | undefined;
    /** Gets each event of the run's log once and in order, including those from before the call. */
    onProgress?: ((event: RunEvent) => void) | undefined;
    /** Milliseconds between the first two polls, if the run cannot be streamed. */
    pollInterval?: number | undefined;
    /** False: do not try to stream. */
    stream?: boolean | undefined;
}

const slowest = 10_000;
const failuresMax = 10;

class Waiting {
    private seen = -1;
    private cursor: string | undefined;

    constructor(
        private readonly transport: Transport,
        private readonly id: string,
        private readonly options: WaitOptions,
        private readonly signal: AbortSignal,
    ) {}

    async streamed(): Promise<Run> {
        const path = `/v1/runs/${segment(this.id)}/stream`;
        for await (const message of follow(this.transport, path, { signal: this.signal })) {
            if (message.event === "end") return JSON.parse(message.data) as Run;
            this.tell(JSON.parse(message.data) as RunEvent);
        }
        throw new StreamLost("the stream ended before the run");
    }

    async polled(): Promise<Run> {
        let interval = this.options.pollInterval ?? 1000;
        for (let failures = 0; ; ) {
            try {
                const run = await this.look();
                failures = 0;
                if (isClosed(run)) return run;
            } catch (error) {
                const passing = error instanceof PawlError && error.retryable;
                if (!passing || ++failures >= failuresMax) throw error;
            }
            await pause(interval, this.signal);
            interval = Math.max(interval, Math.min(interval * 1.5, slowest));
        }
    }

    // The run first: if it has closed, its log is complete.
    private async look(): Promise<Run> {
        const run = await this.transport.get<Run>(
            `/v1/runs/${segment(this.id)}`,
            undefined,
            this.signal,
        );
        if (this.options.onProgress) {
            for await (const page of pages(this.eventsAfter, this.cursor)) {
                for (const event of page.data) this.tell(event);
                this.cursor = page.next_cursor ?? this.cursor;
            }
        }
        return run;
    }

    private readonly eventsAfter = (cursor: string | undefined): Promise<Page<RunEvent>> => {
        const path = `/v1/runs/${segment(this.id)}/events`;
        return this.transport.get(path, { cursor, limit: 1000 }, this.signal);
    };

    private tell(event: RunEvent): void {
        if (event.seq <= this.seen) return;
        this.seen = event.seq;
        this.options.onProgress?.(event);
    }
}

/** Resolves with the run once it has closed, in any way. */
export async function waitForRun(
    transport: Transport,
    id: string,
    options: WaitOptions,
): Promise<Run> {
    const deadline = new Deadline(options.signal, options.timeout, () => {
        const detail = `run ${id} was still open after ${options.timeout} ms`;
        return new PawlError({ code: "timeout", detail });
    });
    const waiting = new Waiting(transport, id, options, deadline.signal);
    try {
        if (options.stream !== false) {
            try {
                return await waiting.streamed();
            } catch (error) {
                if (!(error instanceof StreamLost)) throw error;
            }
        }
        return await waiting.polled();
    } finally {
        deadline.clear();
    }
}
