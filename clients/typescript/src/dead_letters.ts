import { List } from "./pages.js";
import { segment, type Transport } from "./transport.js";
import type {
    CallOptions,
    ChangeOptions,
    DeadLetter,
    DeadLetterFilter,
    DeadLetterGroup,
    Job,
    Page,
    ReplayFilter,
    Started,
} from "./types.js";

const root = "/v1/dead-letters";

/** Runs that gave up, and their replay. */
export class DeadLetters {
    constructor(private readonly transport: Transport) {}

    /** Newest first. */
    list(filter: DeadLetterFilter & CallOptions & { limit?: number } = {}): List<DeadLetter> {
        const { signal, workflow, step, fingerprint, replayed, limit } = filter;
        const query = { workflow, step, fingerprint, replayed, limit };
        return new List((cursor) =>
            this.transport.get<Page<DeadLetter>>(root, { ...query, cursor }, signal),
        );
    }

    /** Grouped by error, most frequent first. */
    async groups(filter: CallOptions & { workflow?: string } = {}): Promise<DeadLetterGroup[]> {
        const { workflow, signal } = filter;
        const path = `${root}/groups`;
        return (await this.transport.get<{ data: DeadLetterGroup[] }>(path, { workflow }, signal))
            .data;
    }

    /** Continues at the step that failed, as a new run. */
    replay(runId: string, options?: ChangeOptions): Promise<Started> {
        return this.transport.post(`${root}/${segment(runId)}/replay`, undefined, options);
    }

    /** Replays all that match, as a job of the server: see Pawl.job. */
    replayAll(filter: ReplayFilter, options?: ChangeOptions): Promise<Job> {
        return this.transport.post(`${root}/replay`, filter, options);
    }
}
