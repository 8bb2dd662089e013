import { formatJson } from "@/data/json";
import type { Shown } from "../phone/Phone";
import { readMail } from "./mail";

export interface SandboxMessage {
    number: number;
    at: string;
    provider: string;
    account: string;
    id: string;
    to: string;
    text: string;
    request: unknown;
    events: { event: string; at: string; status: number }[];
}

type Members = Record<string, unknown>;
const members = (value: unknown): Members =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
const text = (value: unknown) => (typeof value === "string" ? value : "");
const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);
const address = (value: unknown) => {
    const one = first(value);
    return text(one) || text(members(one).email);
};

function sendgrid(request: Members): Shown {
    const person = members(first(request.personalizations));
    const parts = Array.isArray(request.content) ? request.content.map(members) : [];
    const part = (type: string) => text(parts.find((one) => one.type === type)?.value);
    return {
        kind: "email",
        from: address(request.from),
        to: address(person.to),
        subject: text(person.subject) || text(request.subject),
        text: part("text/plain"),
        html: part("text/html"),
    };
}

/** What the provider took, as its receiver sees it. */
export function shownOf(message: SandboxMessage): Shown {
    const request = members(message.request);
    const to = message.to;
    switch (message.provider) {
        case "resend":
            return {
                kind: "email",
                from: address(request.from),
                to,
                subject: text(request.subject),
                text: text(request.text),
                html: text(request.html),
            };
        case "sendgrid":
            return { ...sendgrid(request), to } as Shown;
        case "smtp":
            return { kind: "email", to, ...readMail(text(message.request)) };
        case "line": {
            const messages = Array.isArray(message.request) ? message.request : request.messages;
            return { kind: "line", to, messages };
        }
        case "twilio":
            return { kind: "sms", to, from: text(request.From), text: text(request.Body) };
        case "sms_8x8":
            return { kind: "sms", to, from: text(request.source), text: text(request.text) };
        case "fcm": {
            const note = members(request.notification ?? members(request.message).notification);
            return { kind: "push", to, title: text(note.title), body: text(note.body) };
        }
        default:
            return { kind: "other", text: formatJson(message.request) };
    }
}
