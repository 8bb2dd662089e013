import type { Lane } from "./lanes";

/** Maps moments to shares of the width, 0 to 1. Long stretches without work may be folded. */
export interface Scale {
    at: (moment: number) => number;
    folds: { from: number; to: number; left: number; right: number }[];
    from: number;
    to: number;
}

// A fold is wide enough for a word in it; all of them together take less than half.
const foldWidth = 0.12;

/** Stretches in which no step works: everything waits, for a person, a time or an event. */
export function idleGaps(lanes: readonly Lane[], from: number, to: number): [number, number][] {
    const busy = lanes
        .flatMap((lane) => lane.bars)
        .filter((bar) => bar.kind === "running" || bar.kind === "backoff")
        .map((bar): [number, number] => [bar.from, bar.to ?? to])
        .sort((a, b) => a[0] - b[0]);
    const gaps: [number, number][] = [];
    let at = from;
    for (const [begin, end] of busy) {
        if (begin > at) gaps.push([at, begin]);
        at = Math.max(at, end);
    }
    if (to > at) gaps.push([at, to]);
    return gaps;
}

export function scaleOf(lanes: readonly Lane[], from: number, to: number, fold: boolean): Scale {
    const total = Math.max(1, to - from);
    const all = idleGaps(lanes, from, to);
    const busy = total - all.reduce((sum, [a, b]) => sum + b - a, 0);
    // Worth folding: much longer than all the work, and not only a moment.
    const least = Math.max(1500, busy);
    const folded = fold && busy > 0 ? all.filter(([a, b]) => b - a > least) : [];
    const width = Math.min(foldWidth, 0.45 / Math.max(1, folded.length));
    const rest = total - folded.reduce((sum, [a, b]) => sum + b - a, 0);
    const share = 1 - folded.length * width;
    const at = (moment: number) => {
        const clamped = Math.min(Math.max(moment, from), to);
        let plain = clamped - from;
        let folds = 0;
        for (const [a, b] of folded) {
            const inside = Math.min(Math.max(clamped - a, 0), b - a);
            plain -= inside;
            folds += (inside / (b - a)) * width;
        }
        return rest > 0 ? (plain / rest) * share + folds : folds / Math.max(width, 1e-9);
    };
    return {
        at,
        from,
        to,
        folds: folded.map(([a, b]) => ({ from: a, to: b, left: at(a), right: at(b) })),
    };
}

const steps = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 900_000,
    3_600_000, 7_200_000, 21_600_000, 86_400_000, 604_800_000, 2_592_000_000,
];

/** Where the axis has marks: round spans since the start, outside of folds. */
export function ticksOf(scale: Scale, width = 900): { left: number; since: number }[] {
    const most = Math.max(2, Math.min(8, Math.floor(width / 90)));
    const shown =
        scale.to - scale.from - scale.folds.reduce((sum, fold) => sum + fold.to - fold.from, 0);
    const step = steps.find((one) => shown / one <= most) ?? shown / most;
    const ticks: { left: number; since: number }[] = [];
    for (let since = 0; since <= scale.to - scale.from; since += step) {
        const moment = scale.from + since;
        const fold = scale.folds.find((one) => moment > one.from && moment < one.to);
        if (fold) {
            since = Math.floor((fold.to - scale.from) / step) * step;
            continue;
        }
        const left = scale.at(moment);
        if ((left - (ticks.at(-1)?.left ?? -1)) * width > 54) ticks.push({ left, since });
        if (ticks.length > 40) break;
    }
    return ticks;
}
