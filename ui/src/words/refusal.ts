import { i18n } from "@lingui/core";
import { useLingui } from "@lingui/react";
import { useEffect, useReducer } from "react";
import { say } from ".";
import { commonWords } from "./common";
import type { Place, Refusal } from "./problem";

let thai: typeof import("./refusals/thai") | undefined;

/** Gets the words for problems, once one is there. In English the server has said it already. */
export async function loadRefusals(): Promise<void> {
    if (i18n.locale === "en") return;
    // Where the server is gone, its sentence has to do.
    thai ??= await import("./refusals/thai").catch(() => undefined);
}

const words = () => (i18n.locale === "en" ? undefined : thai);

/** What went wrong, in the language of the viewer. */
export function refusalText(refusal: Refusal): string {
    const { status = 0, detail, title } = refusal;
    const sentence = detail ?? title ?? say(commonWords, "answered", { status });
    // No answer at all is said by these pages themselves.
    if (status === 0) return sentence;
    return words()?.thaiProblem({ ...refusal, detail: sentence }) ?? sentence;
}

/** What is wrong at a place, in the language of the viewer, without the place. */
export const placeText = (place: Place): string => words()?.thaiDetail(place) ?? place.detail;

/** The place and what is wrong there, in one line. */
export const placeLine = (place: Place): string =>
    `${place.pointer ?? place.parameter ?? ""} ${placeText(place)}`.trim();

/** Renders again when the words are there, such as after the language was changed. */
export function useRefusals(): void {
    const { i18n: current } = useLingui();
    const [, again] = useReducer((count: number) => count + 1, 0);
    // biome-ignore lint/correctness/useExhaustiveDependencies: the language changes what is said
    useEffect(() => {
        void loadRefusals().then(again);
    }, [current.locale]);
}
