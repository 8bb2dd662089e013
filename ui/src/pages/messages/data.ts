import { formatJson } from "@/data/json";
import type { Shown } from "./phone/Phone";

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
    content?: Record<string, unknown> | null;
    content_missing?:
        | "skipped"
        | "test"
        | "erased"
        | "run_gone"
        | "template_gone"
        | "unfilled"
        | null;
}

const text = (value: unknown) =>
    typeof value === "string" || typeof value === "number" ? String(value) : "";

/** The filled content as its channel shows it; what no channel shows is shown as it is. */
export function shownContent(channel: string, content: Record<string, unknown>): Shown {
    if (channel === "email") {
        const html = text(content.html);
        return {
            kind: "email",
            subject: text(content.subject),
            text: text(content.text),
            ...(html ? { html } : {}),
        };
    }
    if (channel === "sms" && content.text !== undefined) {
        return { kind: "sms", text: text(content.text) };
    }
    if (channel === "line") {
        const plain = [{ type: "text", text: text(content.text) }];
        return { kind: "line", messages: content.messages ?? plain };
    }
    if (channel === "push") {
        return { kind: "push", title: text(content.title), body: text(content.body) };
    }
    return { kind: "other", text: formatJson(content) };
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
