export type Values = Record<string, string>;

/** The sentence with its values; undefined: one of them is not there, such as of an older server. */
export function filled(sentence: string | undefined, values: Values): string | undefined {
    let whole = true;
    const text = sentence?.replace(/\{(\w+)\}/g, (_, name: string) => {
        if (!Object.hasOwn(values, name)) whole = false;
        return values[name] ?? "";
    });
    return whole ? text : undefined;
}
