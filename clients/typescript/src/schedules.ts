import { List } from "./pages.js";
import { segment, type Transport } from "./transport.js";
import type { CallOptions, ChangeOptions, Data, Page, Schedule, Started } from "./types.js";

const root = "/v1/schedules";

function one(id: number, action = ""): string {
    return `${root}/${segment(String(id))}${action}`;
}

function toText(time: Date | string): string {
    return time instanceof Date ? time.toISOString() : time;
}

/** The cron triggers of workflows. */
export class Schedules {
    constructor(private readonly transport: Transport) {}

    /** Oldest first. */
    list(options: CallOptions & { workflow?: string; limit?: number } = {}): List<Schedule> {
        const { workflow, limit, signal } = options;
        return new List((cursor) =>
            this.transport.get<Page<Schedule>>(root, { workflow, limit, cursor }, signal),
        );
    }

    /** A schedule with its next slots. */
    get(id: number, options: CallOptions = {}): Promise<Schedule> {
        return this.transport.get(one(id), undefined, options.signal);
    }

    /** Starts no more runs; open runs continue. */
    pause(id: number, options: ChangeOptions & { reason?: string } = {}): Promise<Schedule> {
        const body = options.reason === undefined ? {} : { reason: options.reason };
        return this.transport.post(one(id, "/pause"), body, options);
    }

    /** Starts runs again, from the next slot on. */
    resume(id: number, options?: ChangeOptions): Promise<Schedule> {
        return this.transport.post(one(id, "/resume"), undefined, options);
    }

    /** Starts a run now, with the schedule's input or another one. */
    trigger(id: number, options: ChangeOptions & { input?: Data } = {}): Promise<Started> {
        const body = options.input === undefined ? {} : { input: options.input };
        return this.transport.post(one(id, "/trigger"), body, options);
    }

    /** Starts the runs of past slots that have none. */
    backfill(
        id: number,
        range: { from: Date | string; to?: Date | string },
        options?: ChangeOptions,
    ): Promise<{ slots: number; schedule: Schedule }> {
        const body = {
            from: toText(range.from),
            to: range.to === undefined ? undefined : toText(range.to),
        };
        return this.transport.post(one(id, "/backfill"), body, options);
    }

    /** Stops the backfill; runs that it has started continue. */
    cancelBackfill(id: number, options?: ChangeOptions): Promise<Schedule> {
        return this.transport.post(one(id, "/backfill/cancel"), undefined, options);
    }
}
