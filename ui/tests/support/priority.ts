import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** The threads of a process and of all that it has started. */
function* threads(process: string): Generator<number> {
    for (const thread of readdirSync(`/proc/${process}/task`)) {
        yield Number(thread);
        const children = readFileSync(`/proc/${process}/task/${thread}/children`, "utf8");
        for (const child of children.split(" ").filter(Boolean)) yield* threads(child);
    }
}

function lift(): void {
    try {
        const own = getPriority();
        for (const thread of threads("self")) {
            if (getPriority(thread) > own) setPriority(thread, own);
        }
    } catch {
        // One of them has ended meanwhile: the rest has its turn.
    }
}

/**
 * Where tests have more than the usual priority, all that they start has it as well, but a browser
 * gives its processes the usual one: beside other tests they would hardly ever have a turn.
 */
export function keepPriority(): NodeJS.Timeout | undefined {
    if (getPriority() >= 0) return undefined;
    return setInterval(lift, 250).unref();
}
