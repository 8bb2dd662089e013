import type { Page } from "playwright-core";
import { traced } from "./trace.ts";

/** What React did since the last look. */
export interface Work {
    commits: number;
    /** Components that ran. */
    components: number;
    steps: number;
    edges: number;
    /** Of tables. */
    rows: number;
    /** Searches through the page. */
    searches: number;
}

interface Fiber {
    alternate: Fiber | null;
    child: Fiber | null;
    sibling: Fiber | null;
    flags: number;
    memoizedProps: { type?: unknown; data?: unknown; source?: unknown; row?: unknown } | null;
    tag: number;
}

/** Counts from inside the page, by the hook that React has for its tools. Before the first load. */
export async function countWork(page: Page): Promise<void> {
    await page.addInitScript(() => {
        const work = { commits: 0, components: 0, steps: 0, edges: 0, rows: 0, searches: 0 };
        const ran = (fiber: Fiber) => {
            // What stays the same is the same object in both trees; elements of HTML have tag 5.
            const did = fiber.alternate === null || (fiber.flags & 1) !== 0;
            if (!did || (fiber.tag !== 0 && fiber.tag !== 15)) return;
            work.components++;
            const { type, data, source, row } = fiber.memoizedProps ?? {};
            if (row) work.rows++;
            if (type === "step" && data) work[source === undefined ? "steps" : "edges"]++;
        };
        const walk = (first: Fiber) => {
            const rest = [first];
            for (let fiber = rest.pop(); fiber; fiber = rest.pop()) {
                ran(fiber);
                if (fiber.sibling) rest.push(fiber.sibling);
                if (fiber.child && fiber.child !== fiber.alternate?.child) rest.push(fiber.child);
            }
        };
        const hook = {
            isDisabled: false,
            supportsFiber: true,
            renderers: new Map(),
            inject: () => 1,
            checkDCE: () => undefined,
            onCommitFiberUnmount: () => undefined,
            onPostCommitFiberRoot: () => undefined,
            onCommitFiberRoot: (_: number, root: { current: Fiber }) => {
                work.commits++;
                walk(root.current);
            },
        };
        const search = Element.prototype.querySelector;
        Element.prototype.querySelector = function (this: Element, ...what: [string]) {
            work.searches++;
            return search.apply(this, what);
        };
        Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook, work });
    });
}

/** Counts no more until the page is loaded again: where work is looked at, it takes longer. */
export async function endCount(page: Page): Promise<void> {
    await page.evaluate(() => {
        const { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook } = window as unknown as {
            __REACT_DEVTOOLS_GLOBAL_HOOK__: { onCommitFiberRoot?: unknown };
        };
        delete hook.onCommitFiberRoot;
    });
}

/** What was counted since the last call. */
export async function takeWork(page: Page): Promise<Work> {
    return await page.evaluate(() => {
        const { work } = window as unknown as { work: Work };
        const taken = { ...work };
        for (const what of Object.keys(work)) Object.assign(work, { [what]: 0 });
        return taken;
    });
}

/** What was done since `act` took the work away last; with PAWL_SPEED also how long it took. */
export async function measure(
    page: Page,
    what: string,
    moves: number,
    act: () => Promise<void>,
): Promise<Work> {
    if (!process.env["PAWL_SPEED"]) {
        await act();
        return await takeWork(page);
    }
    await page.evaluate(() => {
        const frames: number[] = [];
        Object.assign(window, { frames });
        const note = (at: number) => {
            if (frames.push(at) < 5000) requestAnimationFrame(note);
        };
        requestAnimationFrame(note);
    });
    const spent = await traced(page, act);
    const work = await takeWork(page);
    const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames);
    const rate = (1000 * (frames.length - 1)) / (frames.at(-1)! - frames[0]!);
    const each = Object.entries(spent).map(([kind, ms]) => `${kind} ${(ms / moves).toFixed(1)}`);
    const whole = (spent["all"]! / frames.length).toFixed(1);
    console.log(
        `${what}: ${rate.toFixed(0)} frames/s, ${whole} ms of the page's thread for each; ` +
            `ms a move: ${each.join(", ")}`,
        work,
    );
    return work;
}
