export interface Person {
    key: string;
    attributes: Record<string, unknown>;
    addresses: Record<string, unknown>;
    locale: string | null;
    timezone: string | null;
    source?: string | null;
    unsubscribed?: { channel: string; category: string; at: string }[];
}

export interface Entry {
    at: string;
    type: string;
    run_id?: string;
    workflow?: string;
    status?: string;
    state?: string;
    channel?: string;
    reason?: string | null;
    [key: string]: unknown;
}

export function nameOf(person: Person): string {
    const a = person.attributes;
    const name = a.full_name ?? a.name ?? [a.first_name, a.last_name].filter(Boolean).join(" ");
    return typeof name === "string" ? name : "";
}
