import type { Page } from "playwright-core";

interface Event {
    name: string;
    ph: string;
    pid: number;
    tid: number;
    ts: number;
    dur?: number;
    tdur?: number;
    args?: { name?: string };
}

/** What the browser calls its work on a frame, in the order in which it does it. */
const kinds: Record<string, string> = {
    EventDispatch: "script",
    FunctionCall: "script",
    FireAnimationFrame: "script",
    RunMicrotasks: "script",
    TimerFire: "script",
    MinorGC: "gc",
    MajorGC: "gc",
    UpdateLayoutTree: "style",
    Layout: "layout",
    IntersectionObserverController_computeIntersections: "observers",
    HitTest: "hit",
    PrePaint: "prepaint",
    Paint: "paint",
    Layerize: "layerize",
    Commit: "commit",
};

/** Milliseconds of processor by kind, of the page's thread; what is inside of another is not counted twice. */
function byKind(events: Event[]): Record<string, number> {
    const main = events.find(
        (one) => one.name === "thread_name" && one.args?.name === "CrRendererMain",
    );
    const own = events
        .filter((one) => one.ph === "X" && one.pid === main?.pid && one.tid === main?.tid)
        .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
    const sums: Record<string, number> = { all: 0 };
    const open: { end: number; kind: string | undefined }[] = [];
    for (const event of own) {
        const spent = (event.tdur ?? event.dur ?? 0) / 1000;
        const end = event.ts + (event.dur ?? 0);
        while (open.length > 0 && open.at(-1)!.end <= event.ts) open.pop();
        const kind = kinds[event.name];
        if (event.name === "RunTask" || event.name === "ThreadControllerImpl::RunTask") {
            if (open.length === 0) sums["all"]! += spent;
        } else if (kind) {
            const around = open.findLast((one) => one.kind)?.kind;
            if (around !== kind) sums[kind] = (sums[kind] ?? 0) + spent;
            if (around && around !== kind) sums[around]! -= spent;
        }
        open.push({ end, kind });
    }
    return sums;
}

/** How long the page's thread was at work for what is done meanwhile, by kind of work. */
export async function traced(
    page: Page,
    act: () => Promise<void>,
): Promise<Record<string, number>> {
    const browser = page.context().browser()!;
    await browser.startTracing(page, {
        categories: [
            "-*",
            "toplevel",
            "devtools.timeline",
            "disabled-by-default-devtools.timeline",
            "__metadata",
        ],
    });
    await act();
    const text = (await browser.stopTracing()).toString();
    return byKind((JSON.parse(text) as { traceEvents: Event[] }).traceEvents);
}
