import { ExactNumber, formatJson, parseExact } from "@/data/json";

/** What a field for numbers has: nothing while it is only a sign, and all digits of a long one. */
export function readNumber(text: number | string): unknown {
    if (typeof text === "number") return text;
    const whole = text.replace(/\.$/, "").replace(/^(-?)\./, "$10.");
    return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(whole) ? parseExact(whole) : undefined;
}

const plain = (value: unknown) =>
    typeof value === "string" || value instanceof ExactNumber
        ? String(value)
        : formatJson(value, 0);

/** Choices by what they are called; the text 3 has quotes if the number 3 is one of them. */
export function choicesOf(values: unknown[]): Map<string, unknown> {
    const others = new Set(values.filter((one) => typeof one !== "string").map(plain));
    return new Map(
        values.map((one) => [
            one === "" || (typeof one === "string" && others.has(one))
                ? formatJson(one)
                : plain(one),
            one,
        ]),
    );
}

/** What a choice is called; null: it is none of them. */
export function choiceOf(choices: Map<string, unknown>, value: unknown): string | null {
    const written = formatJson(value);
    for (const [text, one] of choices) if (formatJson(one) === written) return text;
    return null;
}
