import type { components } from "./openapi.gen.js";

type Schemas = components["schemas"];

export type Problem = Schemas["Problem"];
export type ProblemPlace = NonNullable<Problem["errors"]>[number];
export type Definition = Schemas["Definition"] & Record<string, unknown>;
export type Workflow = Schemas["Workflow"];
export type VersionRef = Schemas["VersionRef"];
export type VersionShare = Schemas["VersionShare"];
export type Migrate = Schemas["Migrate"];
export type Applied = Schemas["Applied"];
export type Validation = Schemas["Validation"];
export type Rehearsal = Schemas["Rehearsal"];
export type Started = Schemas["Started"];
export type RunStatus = Schemas["RunStatus"];
export type RunError = Schemas["RunError"];
export type Run = Schemas["Run"];
export type RunEvent = Schemas["Event"];
export type Step = Schemas["Step"];
export type DeadLetter = Schemas["DeadLetter"];
export type DeadLetterGroup = Schemas["DeadLetterGroup"];
export type ReplayFilter = Schemas["ReplayFilter"];
export type Job = Schemas["Job"];
export type BulkRuns = Schemas["BulkRuns"];
export type BulkPreview = Schemas["BulkPreview"];
export type Schedule = Schemas["Schedule"];
export type Limit = Schemas["Limit"];
export type NodeType = Schemas["NodeType"];
export type PublishEvent = Schemas["PublishEvent"];
export type Published = Schemas["Published"];
export type OutsideEvent = Schemas["OutsideEvent"];
export type Task = Schemas["Task"];
export type TaskDecision = Schemas["TaskDecision"];
export type TaskWithAudit = Task & { audit: TaskDecision[] };
export type TaskState = Schemas["TaskState"];

/** The input of a run. */
export type Data = Record<string, unknown>;

/** One page of a list. */
export interface Page<T> {
    data: T[];
    next_cursor: string | null;
    has_more: boolean;
}

/** Every call takes these. */
export interface CallOptions {
    /** Aborts the call, which then fails with the signal's reason. */
    signal?: AbortSignal | undefined;
}

/** Every call that changes something takes these. */
export interface ChangeOptions extends CallOptions {
    /**
     * Makes the call safe to repeat: the same key with the same request gives the first answer
     * again. By default the client makes one for each call, so that its own retries are safe.
     */
    idempotencyKey?: string | undefined;
}

export interface StartOptions extends ChangeOptions {
    /** At most one run of the workflow has it; a second start returns the first run. */
    correlationId?: string | undefined;
    /** What or whom the run is about. */
    subject?: string | undefined;
    /** Lower is sooner. */
    priority?: number | undefined;
    startAt?: Date | string | undefined;
    /** Milliseconds, or text like "5m". Not together with startAt. */
    delay?: number | string | undefined;
}

/** One of many starts. */
export interface StartRequest extends Omit<StartOptions, keyof ChangeOptions> {
    workflow: string;
    data?: Data | undefined;
}

export interface RunFilter {
    workflow?: string | undefined;
    status?: RunStatus | RunStatus[] | undefined;
    subject?: string | undefined;
    correlationId?: string | undefined;
    createdAfter?: Date | string | undefined;
    createdBefore?: Date | string | undefined;
}

export interface DeadLetterFilter {
    workflow?: string | undefined;
    step?: string | undefined;
    fingerprint?: string | undefined;
    /** Default: those not replayed yet. */
    replayed?: boolean | undefined;
}

export interface TaskFilter {
    state?: TaskState | undefined;
    assignee?: string | undefined;
    group?: string | undefined;
    workflow?: string | undefined;
    run?: string | undefined;
}

/** Anyone who opens it decides as the person it was made for. */
export interface TaskLink {
    url: string;
    expires_at: string;
}

/** True for the three states that a run does not leave. */
export function isClosed(run: { status: string }): boolean {
    return ["completed", "failed", "cancelled"].includes(run.status);
}
