import { type AsyncRouteComponent, lazyRouteComponent } from "@tanstack/react-router";
import { type ComponentType, lazy } from "react";
import { create } from "zustand";
import { say } from "@/words";
import { commonWords } from "@/words/common";
import { doubtLive } from "./live";
import { baseUrl } from "./place";

/** A part of these pages that the server no longer has: another build took its place. */
export class PartError extends Error {
    constructor(cause: unknown) {
        super(say(commonWords, "partGone"), { cause });
        this.name = "PartError";
    }
}

/** How many parts wait for the server to be back. */
export const useAwaited = create<{ count: number }>(() => ({ count: 0 }));

const entryOf = (page: Document) =>
    page.querySelector<HTMLScriptElement>("script[type=module][src]")?.getAttribute("src");

/** Whether the server serves these pages, or those of another build; undefined: it is gone. */
async function askServer(): Promise<"same" | "other" | undefined> {
    try {
        const fresh = { cache: "no-store", headers: { Accept: "text/html" } } as const;
        const answer = await fetch(`${baseUrl}/`, fresh);
        // A proxy answers for a server that is gone, too.
        if (!answer.ok) return undefined;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        return entryOf(page) === entryOf(document) ? "same" : "other";
    } catch {
        return undefined;
    }
}

let wakers: (() => void)[] = [];

const pause = (delay: number) =>
    new Promise<void>((resolve) => {
        wakers.push(resolve);
        setTimeout(resolve, delay);
    });

/** Parts that wait ask the server at once. */
export function askNow(): void {
    const all = wakers;
    wakers = [];
    for (const wake of all) wake();
}

// The loader of parts takes a sheet that failed for one that is there.
const lacking = new Set<string>();
window.addEventListener(
    "error",
    ({ target }) => {
        if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
        lacking.add(target.href);
        target.remove();
    },
    true,
);

const loadSheet = (href: string) =>
    new Promise<void>((resolve, reject) => {
        const link = document.createElement("link");
        link.rel = "stylesheet";
        link.crossOrigin = "";
        link.href = href;
        link.onload = () => {
            lacking.delete(href);
            resolve();
        };
        link.onerror = () => reject(new Error(`no ${href}`));
        document.head.append(link);
    });

async function loadLater<T>(load: () => Promise<T>, cause: unknown): Promise<T> {
    let failed = cause;
    let delay = 250;
    for (let refused = 0; refused < 3; delay = Math.min(delay * 2, 4_000)) {
        const served = await askServer();
        if (served === "other") break;
        if (served === "same") {
            refused += 1;
            try {
                await Promise.all([...lacking].map(loadSheet));
                return await load();
            } catch (error) {
                failed = error;
            }
        } else if (delay === 250) {
            doubtLive();
        }
        await pause(delay);
    }
    throw new PartError(failed);
}

/**
 * Loads code when it is needed. While the server is gone it waits; what another build has replaced
 * is a PartError.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
    try {
        return await load();
    } catch (cause) {
        useAwaited.setState(({ count }) => ({ count: count + 1 }));
        return await loadLater(load, cause).finally(() =>
            useAwaited.setState(({ count }) => ({ count: count - 1 })),
        );
    }
}

/** The page of a route, whose code is loaded when it is opened. */
export const pagePart = <K extends string>(
    load: () => Promise<Record<K, ComponentType>>,
    name: K,
): AsyncRouteComponent<object> =>
    lazyRouteComponent<Record<string, ComponentType>, string>(() => loadPart(load), name);

/** A component whose code is loaded when it is drawn first. */
export const lazyPart = <P>(load: () => Promise<ComponentType<P>>) =>
    lazy(() => loadPart(async () => ({ default: await load() })));

const reloadedAt = "pawl-reloaded-at";

/** Gets the pages of the build that is served now; not again where that did not help. */
export function reloadOnce(): boolean {
    const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
    if (Date.now() - last < 60_000) return false;
    sessionStorage.setItem(reloadedAt, String(Date.now()));
    window.location.reload();
    return true;
}
