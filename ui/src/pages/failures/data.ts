export interface Failing {
    fingerprint: string;
    workflow: string;
    step: string | null;
    message: string;
    count: number;
    first_at: string;
    last_at: string;
    sample_run_id: string;
    /** How many came in each of the last 24 hours, oldest first. */
    pulse: number[];
    muted: { at: string; by: string; by_name?: string | null; reason: string } | null;
}
