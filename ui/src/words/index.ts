import { i18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { useLingui } from "@lingui/react";
import { useCallback } from "react";

export const languages = { en: "English", th: "ไทย" } as const;
export type Language = keyof typeof languages;

/** Texts of one area in every language; a text that lacks in Thai does not compile. */
export interface WordSet<K extends string> {
    area: string;
    keys: readonly K[];
}

export type Values = Record<string, string | number | undefined | null>;
export type Say<K extends string> = (key: K, values?: Values) => string;

/**
 * Declares the texts of an area, in ICU form: `{count, plural, one {# run} other {# runs}}`.
 * Call it once for a file, outside of components.
 */
export function defineWords<const E extends Record<string, string>>(
    area: string,
    texts: { en: E; th: Record<keyof E, string> },
): WordSet<keyof E & string> {
    for (const language of Object.keys(languages) as Language[]) {
        const entries = Object.entries(texts[language] as Record<string, string>);
        i18n.load(
            language,
            Object.fromEntries(
                entries.map(([key, text]) => [`${area}.${key}`, compileMessage(text)]),
            ),
        );
    }
    return { area, keys: Object.keys(texts.en) };
}

/** Says the texts of an area in the language of the viewer. */
export function useWords<K extends string>(set: WordSet<K>): Say<K> {
    const { i18n: current } = useLingui();
    // biome-ignore lint/correctness/useExhaustiveDependencies: the language changes what is said
    return useCallback((key, values) => say(set, key, values), [set, current.locale]);
}

/** For texts outside of components. */
export function say<K extends string>(set: WordSet<K>, key: K, values?: Values): string {
    return i18n._(`${set.area}.${key}`, values as Record<string, unknown>);
}

const kept = "pawl-language";

export function startWords(): void {
    const wanted = localStorage.getItem(kept) ?? navigator.language.slice(0, 2);
    setLanguage(wanted in languages ? (wanted as Language) : "en");
}

export function setLanguage(language: Language): void {
    localStorage.setItem(kept, language);
    document.documentElement.lang = language;
    i18n.activate(language);
}
