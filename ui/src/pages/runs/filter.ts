import type { LiveEvent } from "@/data/live";
import { readMoment } from "@/data/time";

export const statuses = [
    "queued",
    "running",
    "waiting",
    "completed",
    "failed",
    "cancelled",
] as const;
export const filterKeys = [
    "workflow",
    "status",
    "subject",
    "correlation",
    "after",
    "before",
    "error",
    "where",
] as const;
export type FilterKey = (typeof filterKeys)[number];
export type Filter = { [key in FilterKey]?: string };

export interface Token {
    key: FilterKey;
    value: string;
}

/** What is wrong with a text that was typed into the search box. */
export interface Mistake {
    kind: "unknownKey" | "noValue" | "notStatus" | "notMoment" | "notData" | "freeText";
    text: string;
}

// data.total>100, data.name="Ann B": the server says what else is wrong with one.
const condition = /data\.[^\s<>=!"]+(?:[<>!]=|[<>=])(?:"(?:[^"\\]|\\.)*"|[^\s"]\S*)/g;
const word = new RegExp(`(${condition.source})|([\\w.]+):("([^"]*)"|\\S*)|"([^"]*)"|\\S+`, "g");
/** What people type before a colon. */
const typedKeys = filterKeys.filter((key) => key !== "where");

/** The conditions on data of a filter, one by one. */
export function conditionsOf(filter: Filter): string[] {
    return filter.where?.match(condition) ?? [];
}

function check(key: FilterKey, value: string, now: Date): Mistake | undefined {
    if (value === "") return { kind: "noValue", text: `${key}:` };
    if (key === "status") {
        const known = statuses as readonly string[];
        const wrong = value.split(",").find((one) => !known.includes(one));
        if (wrong !== undefined) return { kind: "notStatus", text: wrong };
    }
    if ((key === "after" || key === "before") && !readMoment(value, now)) {
        return { kind: "notMoment", text: value };
    }
    return undefined;
}

/** Reads `workflow:welcome status:failed subject:"Ann B" after:2h`. */
export function parseFilter(text: string, now: Date): { tokens: Token[]; mistakes: Mistake[] } {
    const tokens: Token[] = [];
    const mistakes: Mistake[] = [];
    for (const match of text.matchAll(word)) {
        const [whole, data, key, raw, quoted] = match;
        if (data !== undefined) {
            tokens.push({ key: "where", value: data });
            continue;
        }
        if (/^data\b/.test(whole)) {
            mistakes.push({ kind: "notData", text: whole });
            continue;
        }
        if (key === undefined) {
            mistakes.push({ kind: "freeText", text: whole });
            continue;
        }
        if (!(typedKeys as readonly string[]).includes(key)) {
            mistakes.push({ kind: "unknownKey", text: key });
            continue;
        }
        const value = quoted ?? raw ?? "";
        const mistake = check(key as FilterKey, value, now);
        if (mistake) mistakes.push(mistake);
        else tokens.push({ key: key as FilterKey, value });
    }
    return { tokens, mistakes };
}

/** A filter with what was typed. Conditions on data are added, anything else is replaced. */
export function withTokens(filter: Filter, tokens: Token[]): Filter {
    const where = new Set(conditionsOf(filter));
    const next = { ...filter };
    for (const { key, value } of tokens) {
        if (key === "where") where.add(value);
        else next[key] = value;
    }
    return where.size > 0 ? { ...next, where: [...where].join(" ") } : next;
}

export function withoutToken(filter: Filter, { key, value }: Token): Filter {
    const { [key]: _gone, ...rest } = filter;
    const where = conditionsOf(filter).filter((one) => one !== value);
    return key === "where" && where.length > 0 ? { ...rest, where: where.join(" ") } : rest;
}

/** The chips of a filter, in the order of the keys. */
export function chipsOf(filter: Filter): Token[] {
    return filterKeys.flatMap((key): Token[] => {
        if (key === "where") return conditionsOf(filter).map((one) => ({ key, value: one }));
        const value = filter[key];
        return value ? [{ key, value }] : [];
    });
}

/** The query of `GET /v1/runs`. A span like `2h` counts back from now. */
export function toQuery(filter: Filter, now: Date) {
    const after = filter.after ? readMoment(filter.after, now) : undefined;
    const before = filter.before ? readMoment(filter.before, now) : undefined;
    const where = conditionsOf(filter);
    return {
        ...(filter.workflow ? { workflow: filter.workflow } : {}),
        ...(filter.status ? { status: filter.status } : {}),
        ...(filter.subject ? { subject: filter.subject } : {}),
        ...(filter.correlation ? { correlation_id: filter.correlation } : {}),
        ...(after ? { created_after: after.toISOString() } : {}),
        ...(before ? { created_before: before.toISOString() } : {}),
        ...(filter.error ? { error: filter.error } : {}),
        ...(where.length > 0 ? { where } : {}),
    };
}

const openStatuses = ["queued", "running", "waiting"];

/** Whether an event is of a run that the list may lack now. */
export function announces(event: LiveEvent, filter: Filter): boolean {
    if (filter.workflow && filter.workflow !== event.workflow) return false;
    if (filter.before || filter.error || filter.where) return false;
    const wanted = filter.status?.split(",");
    if (event.type === "run_started") {
        return !wanted || wanted.some((one) => openStatuses.includes(one));
    }
    const ended = /^run_(completed|failed|cancelled)$/.exec(event.type)?.[1];
    return ended !== undefined && (wanted?.includes(ended) ?? false);
}

/** What may follow in the search box, after what is typed. */
export function completions(text: string, workflows: readonly string[]): string[] {
    const last = /\S*$/.exec(text)?.[0] ?? "";
    const head = text.slice(0, text.length - last.length);
    const colon = last.indexOf(":");
    if (colon < 0) {
        const keys = typedKeys.map((key) => `${key}:`);
        return [...keys, "data."]
            .filter((key) => key.startsWith(last) && key !== last)
            .map((key) => head + key);
    }
    const key = last.slice(0, colon);
    const begun = last.slice(colon + 1).toLowerCase();
    const known: Record<string, readonly string[]> = {
        workflow: workflows,
        status: statuses,
        after: ["15m", "1h", "2h", "24h", "7d", "30d"],
        before: ["15m", "1h", "24h", "7d"],
    };
    return (known[key] ?? [])
        .filter((value) => value.toLowerCase().includes(begun))
        .slice(0, 12)
        .map((value) => `${head}${key}:${/\s/.test(value) ? `"${value}"` : value}`);
}
