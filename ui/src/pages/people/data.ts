export interface Person {
    key: string;
    attributes: Record<string, unknown>;
    addresses: Record<string, unknown>;
    locale: string | null;
    timezone: string | null;
    source?: string | null;
    unsubscribed?: Unsubscription[];
}

export interface Unsubscription {
    channel: string;
    category: string;
    at: string;
}

export interface Suppression {
    channel: string;
    address: string;
    reason: string;
    at: string;
}

export interface Entry {
    at: string;
    type: "run" | "message" | "fact";
    run_id?: string | null;
    workflow?: string | null;
    status?: string;
    state?: string;
    fact?: string;
    node?: string | null;
    channel?: string | null;
    template?: string | null;
    message_id?: string | null;
    closed_at?: string | null;
    reason?: string | null;
    error?: string | null;
    machine?: boolean;
    detail?: { text?: unknown; url?: unknown; reason?: unknown } | null;
}

export function nameOf(person: Person): string {
    const a = person.attributes;
    const name = a.full_name ?? a.name ?? [a.first_name, a.last_name].filter(Boolean).join(" ");
    return typeof name === "string" ? name : "";
}

/** Each address of a person, by channel; some have several for one. */
export function addressesOf(person: Person): { channel: string; address: string }[] {
    return Object.entries(person.addresses).flatMap(([channel, value]) =>
        [value]
            .flat()
            .filter((one) => typeof one === "string" || typeof one === "number")
            .map((one) => ({ channel, address: String(one) })),
    );
}

/** The sentence that says what a person does not want; "*" stands for all. */
export function wishOf({ channel, category }: Pick<Unsubscription, "channel" | "category">) {
    if (channel === "*") return category === "*" ? "wantsNothing" : "wantsNoCategory";
    return category === "*" ? "wantsNoChannel" : "wantsNo";
}
