import { parseExact } from "@/data/json";
import type { Place } from "@/words/problem";
import { placeText } from "@/words/refusal";

/** What a language of a template says, as the API has it. */
export interface Content {
    subject?: string;
    text?: string;
    html?: string;
    messages?: unknown[];
    title?: string;
    body?: string;
    data?: Record<string, unknown>;
    track?: boolean;
}

export interface Template {
    name: string;
    version: number;
    category: string;
    languages: Record<string, Content>;
    created_at: string;
}

/** What is being written: JSON stays text until it is right. */
export interface Fields {
    subject: string;
    text: string;
    html: string;
    messages: string;
    title: string;
    body: string;
    data: string;
    track: boolean | undefined;
}

export interface Problem {
    language: string;
    /** Which field; empty: the language as a whole. */
    field: string;
    message: string;
    /** The placeholder that is meant, if it is one. */
    find?: string;
}

const json = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, undefined, 2));

export function fieldsOf(content: Content): Fields {
    return {
        subject: content.subject ?? "",
        text: content.text ?? "",
        html: content.html ?? "",
        messages: json(content.messages),
        title: content.title ?? "",
        body: content.body ?? "",
        data: json(content.data),
        track: content.track,
    };
}

const jsonFields = ["messages", "data"] as const;

/** The content of the fields, and what in them is no JSON. */
export function contentOf(fields: Fields): { content: Content; broken: string[] } {
    const content: Record<string, unknown> = {};
    const broken: string[] = [];
    for (const key of ["subject", "text", "html", "title", "body"] as const) {
        if (fields[key] !== "") content[key] = fields[key];
    }
    for (const key of jsonFields) {
        if (fields[key].trim() === "") continue;
        try {
            content[key] = parseExact(fields[key]);
        } catch {
            broken.push(key);
        }
    }
    if (fields.track !== undefined) content["track"] = fields.track;
    return { content, broken };
}

const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** What the server says is wrong, at the fields that it means. */
export function problemsOf(errors: readonly Place[]): Problem[] {
    return errors.flatMap((one) => {
        const { pointer = "", detail } = one;
        const [, root, language = "", field = ""] = pointer.split("/").map(unescaped);
        if (root !== "languages") return [];
        const placeholder = /^(\{\{.*?\}\})/.exec(detail)?.[1];
        return [
            {
                language,
                field,
                message: placeText(one),
                ...(placeholder ? { find: placeholder } : {}),
            },
        ];
    });
}

/** Where a placeholder stands in a text, however its blanks are written. */
export function placesOf(text: string, placeholder: string): { from: number; to: number }[] {
    const inner = placeholder.replace(/^\{\{\s*/, "").replace(/\s*\}\}$/, "");
    const escaped = inner.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s*");
    const pattern = new RegExp(`\\{\\{-?\\s*${escaped}\\s*-?\\}\\}`, "g");
    return [...text.matchAll(pattern)].map((found) => ({
        from: found.index,
        to: found.index + found[0].length,
    }));
}
