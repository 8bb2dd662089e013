import type { Row } from "./RowsField";

/** What a message of each channel consists of, if it has no template. */
export const contents: Record<string, string[]> = {
    sms: ["text"],
    email: ["subject", "text", "html"],
    line: ["messages"],
    push: ["title", "body", "data"],
    webhook: ["text", "body"],
};
export const contentKeys = [...new Set(Object.values(contents).flat())];

/** What a message of a channel begins with. */
export const beginOf = (channel: string): Row =>
    channel === "line"
        ? { messages: [{ type: "text", text: "" }] }
        : { [contents[channel]?.[0] ?? "text"]: "" };

const words = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

/** The text of a message, whatever its channel calls it. */
function textOf(config: Row): string | undefined {
    const rows = Array.isArray(config.messages) ? (config.messages as (Row | null)[]) : [];
    const texts = rows.map((row) => words(row?.text)).filter((one) => one !== undefined);
    return words(config.text) ?? (texts.length > 0 ? texts.join("\n\n") : words(config.body));
}

/** The words of a message as another channel says them; undefined: it has no such part. */
export function contentFor(config: Row, to: string): Row {
    const fit = contents[to] ?? [];
    const text = textOf(config);
    const title = words(config.subject) ?? words(config.title);
    const said: Row = {
        text,
        subject: title,
        title,
        // Only a push has a text there.
        body: to === "push" ? text : typeof config.body === "object" ? config.body : undefined,
        html: config.html,
        data: config.data,
        messages: config.messages ?? (text === undefined ? undefined : [{ type: "text", text }]),
    };
    const kept = fit.filter((key) => said[key] !== undefined);
    const none = Object.fromEntries(contentKeys.map((key) => [key, undefined]));
    const taken = Object.fromEntries(kept.map((key) => [key, said[key]]));
    return { ...none, ...(kept.length > 0 ? taken : beginOf(to)) };
}
