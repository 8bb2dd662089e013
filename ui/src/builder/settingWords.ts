import { useLingui } from "@lingui/react";
import { useMemo } from "react";
import { labelOf } from "./fields/kinds";
import { choices, names, ofWorkflow } from "./thai/names";
import { sentences } from "./thai/sentences";

/** What the server says of the settings of steps, in the language of the viewer. */
export interface SettingWords {
    /** What a setting is called, by its name in a definition. */
    label: (name: string) => string;
    /** A sentence about it. */
    sentence: (said: string | undefined) => string | undefined;
    /** One of the words that it is chosen from. */
    choice: (word: string) => string;
}

// What a registry does not know, as of a newer server, is shown as the server says it.
const within = (set: Record<string, string>, word: string) =>
    Object.hasOwn(set, word) ? set[word] : undefined;

const thai: SettingWords = {
    label: (name) => within(names, name) ?? within(ofWorkflow, name) ?? labelOf(name),
    sentence: (said) => said && (within(sentences, said) ?? said),
    choice: (word) => within(choices, word) ?? word,
};

const english: SettingWords = {
    label: labelOf,
    sentence: (said) => said,
    choice: (word) => word,
};

export const settingWordsIn = (language: string) => (language === "th" ? thai : english);

export function useSettingWords(): SettingWords {
    const { i18n } = useLingui();
    return useMemo(() => settingWordsIn(i18n.locale), [i18n.locale]);
}
