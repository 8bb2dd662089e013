import { createContext, useContext } from "react";
import type { SampleValues } from "../trial/useTrial";

/** What templates can say here, and what it would be for the sample. */
export interface Sampled {
    names: string[];
    values: SampleValues;
}

export const SampleContext = createContext<Sampled>({
    names: [],
    values: { user: undefined, trigger: undefined, input: undefined, steps: {} },
});

export const useSample = () => useContext(SampleContext);

const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** Paths below a value, two levels deep. */
function pathsOf(prefix: string, value: unknown, depth: number): string[] {
    if (!isObject(value) || depth === 0) return [prefix];
    const inside = Object.entries(value)
        .filter(([key]) => /^[A-Za-z_][\w-]*$/.test(key))
        .flatMap(([key, one]) => pathsOf(`${prefix}.${key}`, one, depth - 1));
    return inside.length > 0 ? inside : [prefix];
}

const usual = ["first_name", "last_name", "locale", "timezone"];

/**
 * What templates of a step can speak of: the person, what started the run, steps before it. `person`:
 * what the people of the tenant have; nothing: it is not known, and the sample stands for them.
 */
export function namesFor(values: SampleValues, steps: string[], person?: string[]): string[] {
    const results = steps.flatMap((id) => {
        const known = values.steps[id]?.result;
        return known ? pathsOf(`steps.${id}.result`, known, 2) : [`steps.${id}.result`];
    });
    const names = [
        ...(person ? [] : pathsOf("user", values.user, 2)),
        ...(person ?? usual).map((name) => `user.${name}`),
        "run.subject",
        ...pathsOf("trigger", values.trigger, 2),
        ...results,
    ];
    return [...new Set(names)].filter((name) => name.includes("."));
}

function find(values: SampleValues, path: string): unknown {
    let value: unknown = values;
    for (const key of path.split(".")) {
        if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
        value = value[key];
    }
    return value;
}

const placeholder = /\{\{\s*([\w.-]+)\s*(\|[^}]*)?\}\}/g;

export const hasPlaceholders = (text: string) => text.search(placeholder) >= 0;

/** The text as the sample would get it; what is not known stands in angle brackets. */
export function fill(text: string, values: SampleValues): string {
    return text.replace(placeholder, (_, path: string, filters: string | undefined) => {
        const found = find(values, path);
        if (found !== undefined && found !== null && found !== "") {
            return typeof found === "object" ? JSON.stringify(found) : String(found);
        }
        const standard = /\|\s*default:?\s*(?:"([^"]*)"|'([^']*)'|\(([^)]*)\))/.exec(filters ?? "");
        return standard ? (standard[1] ?? standard[2] ?? standard[3] ?? "") : `⟨${path}⟩`;
    });
}
