import { useLingui } from "@lingui/react";
import { useCallback } from "react";
import { say } from "@/words";
import { handleWords } from "@/words/reasons";
import type { Problem } from "./problems";
import { type ProblemKey, problemWords } from "./problemWords";
import { settingWordsIn } from "./settingWords";

const handle = (word: string | undefined) => {
    const known = handleWords.keys.find((key) => key === word);
    return known ? say(handleWords, known) : (word ?? "");
};

/** What is wrong, in the language of the viewer; what has no words there is said in English. */
export function problemText(problem: Problem, language: string): string {
    const known = problemWords.keys.find((key) => key === problem.code);
    if (language === "en" || !known) {
        const sentence = problem.text
            .replace(/^(?:nodes|steps|edges)\[\d+\][^:]*: /, "")
            .replace(/ \(in '[^']*'\)$/, "");
        const isNamed =
            language !== "en" ||
            problem.setting === undefined ||
            new RegExp(`\\b${problem.setting}\\b`, "i").test(sentence);
        return isNamed ? sentence : `${settingWordsIn("en").label(problem.setting!)}: ${sentence}`;
    }
    const { similar, ...values } = problem.values;
    const none = { step: "", text: "", most: "", handles: "", why: "" };
    const sentence = say(problemWords, known as ProblemKey, {
        ...none,
        ...values,
        handle: handle(values["handle"]),
    });
    const setting = problem.setting && settingWordsIn(language).label(problem.setting);
    const place = setting && !sentence.includes(setting) ? `${setting}: ` : "";
    const hint = similar === undefined ? "" : ` ${say(problemWords, "similar", { similar })}`;
    return place + sentence + hint;
}

export function useProblemText(): (problem: Problem) => string {
    const { i18n } = useLingui();
    return useCallback((problem) => problemText(problem, i18n.locale), [i18n.locale]);
}
