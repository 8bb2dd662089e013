/**
 * JSON whose numbers stay as the sender wrote them. JavaScript rounds integers beyond 2^53 and long
 * decimals; such a number becomes an ExactNumber, which shows and sends its own text.
 */
export class ExactNumber {
    readonly text: string;
    constructor(text: string) {
        this.text = text;
    }
    toString(): string {
        return this.text;
    }
    toJSON(): unknown {
        const raw = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;
        return raw ? raw(this.text) : this.text;
    }
}

const plain = /^-?\d{1,15}$/;

function keepsItsValue(value: number, source: string): boolean {
    if (plain.test(source)) return true;
    const digits = source
        .replace(/[eE].*$/, "")
        .replace(/[-.]/g, "")
        .replace(/^0+/, "");
    if (digits.length <= 15) return true;
    return String(value) === source;
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

const exact: Reviver = (_key, value, context) => {
    if (typeof value !== "number" || context?.source === undefined) return value;
    return keepsItsValue(value, context.source) ? value : new ExactNumber(context.source);
};

/** Parses JSON without rounding; no text is no value. */
export function parseExact(text: string): unknown {
    if (text === "") return undefined;
    return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
}

/** The text of a value, exact numbers included. */
export function formatJson(value: unknown, indent = 2): string {
    return JSON.stringify(value, undefined, indent) ?? "";
}
