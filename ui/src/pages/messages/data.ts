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

/** What a provider said beside the kind, such as why an address takes nothing, as lines of text. */
export function detailsOf({ detail }: Pick<Fact, "detail">): string[] {
    if (typeof detail !== "object" || detail === null) return [];
    const plain = Object.entries(detail).filter(
        ([, value]) => typeof value === "string" && value !== "",
    ) as [string, string][];
    // The words for people come first, and need no name.
    const told = plain.filter(([name]) => name === "reason").map(([, value]) => value);
    const rest = plain.filter(([name]) => name !== "reason");
    return [...told, ...rest.map(([name, value]) => `${name}: ${value}`)];
}
