import { useCallback } from "react";
import { useWords, type WordSet } from ".";
import { eventWords } from "./events";
import {
    doorWords,
    errorClassWords,
    handleWords,
    jobWords,
    reasonWords,
    startedByWords,
    suppressionWords,
} from "./reasons";
import { roleWords } from "./roles";
import { statusWords } from "./statuses";

/** Words of the server of which there is a fixed set, and what people call them. */
export const said = {
    status: statusWords,
    reason: reasonWords,
    suppression: suppressionWords,
    errorClass: errorClassWords,
    startedBy: startedByWords,
    event: eventWords,
    job: jobWords,
    role: roleWords,
    door: doorWords,
    handle: handleWords,
} as const satisfies Record<string, WordSet<string>>;

/** How people call a word of the server; one that has no words, such as of a caller, is as it is. */
export function useSaid(kind: keyof typeof said): (word: string) => string {
    const set: WordSet<string> = said[kind];
    const t = useWords(set);
    return useCallback((word) => (set.keys.includes(word) ? t(word) : word), [set, t]);
}

/** A word of the server as people call it; the pointer shows the word itself. */
export function Said({ kind, word }: { kind: keyof typeof said; word: string }) {
    const say = useSaid(kind);
    return <span title={word}>{say(word)}</span>;
}
