import { readYaml } from "../text/yaml";

export interface Version {
    version: number;
    created_at: string;
    draft?: boolean;
}

/** The version that a saved draft began with, if it says so; 0: there was none. */
export function baseOf(text: string): number | undefined {
    try {
        const read = readYaml(text) as { layout?: { version?: unknown } } | null;
        const version = read?.layout?.version;
        return typeof version === "number" ? version : undefined;
    } catch {
        return undefined;
    }
}

/** The newest version that was there when a draft was saved; 0: there was none. */
export function baseAt(versions: Version[], saved: string): number {
    const before = versions.filter(
        (one) => !one.draft && Date.parse(one.created_at) <= Date.parse(saved),
    );
    return Math.max(0, ...before.map((one) => one.version));
}
