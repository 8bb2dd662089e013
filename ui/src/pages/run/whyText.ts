import type { Schemas } from "@/data/api";
import { say, type Values, type WordSet } from "@/words";
import { clauseWords, helpWords, partWords } from "./whyWords";

type Why = Schemas["Why"];
type Said = { code: string; values: Record<string, unknown> };

// What a sentence may name and need not.
const none: Values = {
    at: "none",
    until: "none",
    reason: "none",
    turn: "none",
    key: "none",
    error: "none",
    assignee: "none",
    group: "none",
};

function eventsIn({ events, mode }: Record<string, unknown>): string {
    const all = (Array.isArray(events) ? events : []) as Record<string, unknown>[];
    const said = all.map(({ event, key, filtered }) =>
        say(partWords, "event", {
            event: String(event),
            key: key === undefined ? "none" : String(key),
            filtered: filtered ? "yes" : "no",
        }),
    );
    return said.join(` ${say(partWords, mode === "all" ? "and" : "or")} `);
}

/** A sentence by its code; undefined: a newer server says it. */
function said(set: WordSet<string>, { code, values }: Said): string | undefined {
    if (!set.keys.includes(code)) return undefined;
    const named = Object.entries(values).map(([key, value]) => [key, String(value)]);
    return say(set, code, { ...none, ...Object.fromEntries(named), events: eventsIn(values) });
}

/** Sentences by their codes; if one of them has no words, all are as the server says them. */
function saidAll(all: Said[], otherwise: string): string {
    const sentences = all.map((one) => said(clauseWords, one));
    return sentences.includes(undefined) ? otherwise : sentences.join(" ");
}

/** Why a run does not move, in the language of the viewer. */
export function whyText(why: Why, language: string) {
    if (language === "en") {
        return { sentence: why.sentence, help: why.what_helps, places: why.places };
    }
    return {
        sentence: saidAll(why.clauses, why.sentence),
        help: why.what_helps && (said(helpWords, why.help) ?? why.what_helps),
        places: why.places.map((place, i) => {
            const clause = why.place_clauses[i];
            return clause ? saidAll([clause], place) : place;
        }),
    };
}
