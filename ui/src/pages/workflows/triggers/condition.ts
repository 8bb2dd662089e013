import { formatJson } from "@/data/json";

const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** A condition as one would say it: `data.plan = "pro"`. What is not understood stays JSON. */
export function conditionText(rule: unknown): string {
    const json = formatJson(rule, 0);
    if (!isObject(rule)) return json;
    const keys = Object.keys(rule);
    const [key] = keys;
    if (keys.length === 1 && (key === "all" || key === "any") && Array.isArray(rule[key])) {
        const parts = rule[key].map(conditionText);
        return parts.length > 0 ? parts.join(key === "all" ? " and " : " or ") : json;
    }
    const { path, operator, value } = rule;
    const simple = keys.every((one) => ["path", "operator", "value"].includes(one));
    if (!simple || typeof path !== "string" || typeof operator !== "string") return json;
    return "value" in rule ? `${path} ${operator} ${formatJson(value, 0)}` : `${path} ${operator}`;
}

/** The same where a sentence of the server ends with a condition as JSON. */
export function plainReason(sentence: string): string {
    const at = sentence.indexOf(": {");
    if (at < 0) return sentence;
    try {
        return `${sentence.slice(0, at + 2)}${conditionText(JSON.parse(sentence.slice(at + 2)))}`;
    } catch {
        return sentence;
    }
}
