import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { request } from "@/data/api";
import { ApiError } from "@/data/error";
import { parseExact } from "@/data/json";
import { type Content, contentOf, type Fields, fieldsOf, type Problem, problemsOf } from "./data";

export interface Preview {
    version: number;
    language: string;
    content: Content;
    sms: { encoding: string; parts: number } | null;
}

export interface Reader {
    /** The key of a person; empty: one that is made up. */
    person: string;
    /** What is known of one that is made up, as JSON. */
    user: string;
    language: string;
}

/** A template that is being written: its fields, what is wrong with it, and how it looks. */
export function useDraft(name: string, kept: Record<string, Content>, reader: Reader) {
    const start = useMemo(
        () =>
            Object.fromEntries(
                Object.entries(kept).map(([language, content]) => [language, fieldsOf(content)]),
            ),
        [kept],
    );
    const [edited, setEdited] = useState<Record<string, Fields>>();
    const fields = edited ?? start;
    const read = useMemo(() => {
        const languages: Record<string, Content> = {};
        const broken: Problem[] = [];
        for (const [language, one] of Object.entries(fields)) {
            const { content, broken: wrong } = contentOf(one);
            languages[language] = content;
            for (const field of wrong) broken.push({ language, field, message: "JSON" });
        }
        return { languages, broken };
    }, [fields]);
    const body = {
        languages: read.languages,
        language: reader.language,
        ...(reader.person ? { person: reader.person } : {}),
        ...userOf(reader.user),
    };
    const [asked] = useDebouncedValue(JSON.stringify(body), 400);
    const preview = useQuery({
        queryKey: ["template-preview", name, asked],
        retry: false,
        placeholderData: (old) => old,
        enabled: read.broken.length === 0,
        queryFn: () =>
            request<Preview>("POST", `/v1/templates/${encodeURIComponent(name)}/preview`, asked),
    });
    const error = preview.error instanceof ApiError ? preview.error : undefined;
    const said = problemsOf(error?.errors ?? []);
    return {
        fields,
        changed: edited !== undefined,
        languages: read.languages,
        problems: [...read.broken, ...said],
        preview: preview.data,
        /** It can be saved, but not be filled for this person. */
        unfilled: error && said.length === 0 ? error.message : undefined,
        /** What was asked last is answered. */
        settled: !preview.isFetching && asked === JSON.stringify(body),
        set: (language: string, change: Partial<Fields>) =>
            setEdited({
                ...fields,
                [language]: { ...(fields[language] ?? fieldsOf({})), ...change },
            }),
        drop: (language: string) => {
            const { [language]: _, ...rest } = fields;
            setEdited(rest);
        },
        forget: () => setEdited(undefined),
    };
}

export type Draft = ReturnType<typeof useDraft>;

/** What is known of a person that is made up; nothing while it is no object. */
export function userOf(text: string): { user?: unknown } {
    if (text.trim() === "") return {};
    try {
        const user = parseExact(text);
        return typeof user === "object" && user !== null && !Array.isArray(user) ? { user } : {};
    } catch {
        return {};
    }
}
