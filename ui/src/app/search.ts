/**
 * The query of an address is plain text, `?status=failed&q=paid`, so that people can read and write
 * it. Pages turn it into what they need in `validateSearch`.
 */
export type Search = Record<string, string | undefined>;

export function parseSearch(text: string): Search {
    return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
    const out = new URLSearchParams();
    for (const [key, value] of Object.entries(search)) {
        if (value === undefined || value === null || value === "" || value === false) continue;
        out.set(key, value === true ? "1" : String(value));
    }
    const text = out.toString();
    return text ? `?${text}` : "";
}

/** Keeps the named texts of an address; everything else in it is dropped. */
export function texts<const K extends string>(...keys: K[]) {
    return (search: Record<string, unknown>): { [key in K]?: string } => {
        const out: { [key in K]?: string } = {};
        for (const key of keys) {
            const value = search[key];
            if (value !== undefined && value !== "") out[key] = String(value);
        }
        return out;
    };
}
