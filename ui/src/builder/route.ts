import type { Point } from "./graph";

export interface Box extends Point {
    width: number;
    height: number;
}

/** The way of an edge that would run behind steps: down the column `x` between two heights. */
export interface Way {
    x: number;
    top: number;
    bottom: number;
}

const clear = 12;
const gap = 20;

function hits(box: Box, x1: number, y1: number, x2: number, y2: number): boolean {
    return (
        Math.max(x1, x2) > box.x - clear &&
        Math.min(x1, x2) < box.x + box.width + clear &&
        Math.max(y1, y2) > box.y &&
        Math.min(y1, y2) < box.y + box.height
    );
}

const free = (boxes: Box[], points: Point[]) =>
    points.every((to, i) => {
        const from = points[i - 1];
        return !from || !boxes.some((box) => hits(box, from.x, from.y, to.x, to.y));
    });

/** What an edge passes from the lower side of one step to the upper side of another. */
export const cornersOf = (from: Point, to: Point, way: Way): Point[] => [
    from,
    { x: from.x, y: way.top },
    { x: way.x, y: way.top },
    { x: way.x, y: way.bottom },
    { x: to.x, y: way.bottom },
    to,
];

/**
 * A way around the steps that stand between two others, the shortest one; nothing if the usual way
 * is free, if the edge leads upwards, or if there is no better one.
 */
export function wayAround(from: Point, to: Point, others: Box[]): Way | undefined {
    const top = from.y + gap;
    const bottom = to.y - gap;
    if (bottom <= top) return undefined;
    const between = others.filter((box) => box.y < to.y && box.y + box.height > from.y);
    const middle = (from.y + to.y) / 2;
    const usual = { x: from.x, top: middle, bottom: middle };
    if (between.length === 0 || free(between, cornersOf(from, to, usual))) return undefined;
    const sides = between.flatMap((box) => [box.x - gap, box.x + box.width + gap]);
    const length = (x: number) => Math.abs(x - from.x) + Math.abs(x - to.x);
    return [from.x, to.x, ...sides]
        .sort((a, b) => length(a) - length(b))
        .map((x) => ({ x, top, bottom }))
        .find((way) => free(between, cornersOf(from, to, way)));
}

/** A line through corners, each of them rounded. */
export function pathOf(corners: Point[], radius = 8): string {
    const points = corners.filter((at, i) => {
        const before = corners[i - 1];
        return !before || before.x !== at.x || before.y !== at.y;
    });
    const toward = (at: Point, other: Point) => {
        const far = Math.hypot(other.x - at.x, other.y - at.y);
        const part = Math.min(radius, far / 2) / far;
        return `${at.x + (other.x - at.x) * part},${at.y + (other.y - at.y) * part}`;
    };
    return points
        .map((at, i) => {
            const before = points[i - 1];
            const after = points[i + 1];
            if (!before) return `M${at.x},${at.y}`;
            if (!after) return `L${at.x},${at.y}`;
            return `L${toward(at, before)} Q${at.x},${at.y} ${toward(at, after)}`;
        })
        .join(" ");
}
