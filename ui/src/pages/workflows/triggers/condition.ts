import { formatJson } from "@/data/json";
import type { Say } from "@/words";
import type { triggerWords } from "./words";

const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);

interface Joins {
    all: string;
    any: string;
}

const english: Joins = { all: "and", any: "or" };

/** A condition as one would say it: `data.plan = "pro"`. What is not understood stays JSON. */
export function conditionText(rule: unknown, joins = english): string {
    const json = formatJson(rule, 0);
    if (!isObject(rule)) return json;
    const keys = Object.keys(rule);
    const [key] = keys;
    if (keys.length === 1 && (key === "all" || key === "any") && Array.isArray(rule[key])) {
        const parts = rule[key].map((one) => conditionText(one, joins));
        return parts.length > 0 ? parts.join(` ${joins[key]} `) : json;
    }
    const { path, operator, value } = rule;
    const simple = keys.every((one) => ["path", "operator", "value"].includes(one));
    if (!simple || typeof path !== "string" || typeof operator !== "string") return json;
    return "value" in rule ? `${path} ${operator} ${formatJson(value, 0)}` : `${path} ${operator}`;
}

/** A rule of the server: what is JSON in it is said as a condition. */
function ruleText(rule: string, joins: Joins): string {
    try {
        return conditionText(JSON.parse(rule), joins);
    } catch {
        return rule;
    }
}

type Word = (typeof triggerWords)["keys"][number];

/** What the server says of an event, by the words that its sentence begins with. */
const sentences: [begin: string, word: Word, value?: string][] = [
    ["it has not been looked at yet", "whyPending"],
    ["it came before this version was published", "whyEarlier"],
    ["the workflow is not active", "whyInactive"],
    ["its run is not kept any more", "whyUnknown"],
    ["it is not what a trigger asks for: ", "whyFilter", "rule"],
    ["the workflow is switched off: ", "whyOff", "reason"],
    ["the subject had entered; reentry: ", "whyEntered", "rule"],
    ["the person is not as enter_if asks: ", "whyNotAllowed", "rule"],
];

function entryText(rule: string, t: Say<Word>): string {
    if (rule === "once") return t("entryOnce");
    if (rule === "while no run is open") return t("entryWhileNoneOpen");
    const time = /^after (.+)$/.exec(rule)?.[1];
    return time ? t("entryAfter", { time }) : rule;
}

/** Why an event did not start a run, in the words of the viewer. Problems stay as they are. */
export function reasonText(sentence: string, t: Say<Word>): string {
    const known = sentences.find(([begin]) => sentence.startsWith(begin));
    if (!known) return sentence;
    const [begin, word, value] = known;
    const rest = sentence.slice(begin.length);
    if (!value) return t(word);
    if (word === "whyEntered") return t(word, { rule: entryText(rest, t) });
    if (word === "whyOff") return t(word, { reason: rest });
    return t(word, { rule: ruleText(rest, { all: t("and"), any: t("or") }) });
}
