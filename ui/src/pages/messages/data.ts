export interface Fact {
    kind: string;
    at: string;
    received_at: string;
    machine: boolean;
    connector: string;
    detail: unknown;
}

export interface Message {
    id: string;
    test: boolean;
    run_id: string | null;
    workflow: string | null;
    node: string;
    person: string | null;
    channel: string;
    connector: string | null;
    template: string | null;
    address: string | null;
    external_id: string | null;
    state: string;
    reason: string | null;
    error: string | null;
    created_at: string;
    facts?: Fact[];
}

export const states = [
    "skipped",
    "sending",
    "sent",
    "unknown",
    "failed",
    "delivered",
    "opened",
    "clicked",
    "bounced",
    "complained",
] as const;
