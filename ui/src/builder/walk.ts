import { type Draft, edgeId, handleOf, type Point } from "./graph";

export type Direction = "up" | "down" | "left" | "right";

const middle = (at: Point): Point => ({ x: at.x + 110, y: at.y + 42 });

/** How far a step is in a direction; none: it is not there. */
function distance(from: Point, to: Point, direction: Direction): number | undefined {
    const dx = to.x - from.x;
    const dy = to.y - from.y;
    const vertical = direction === "up" || direction === "down";
    const ahead = { up: -dy, down: dy, left: -dx, right: dx }[direction];
    const aside = Math.abs(vertical ? dx : dy);
    return ahead > 0 ? ahead + 3 * aside : undefined;
}

function nearest(draft: Draft, id: string, direction: Direction, among: string[]) {
    const from = draft.positions[id];
    if (!from) return undefined;
    let best: { id: string; far: number } | undefined;
    for (const other of among) {
        const at = draft.positions[other];
        const far = at && other !== id ? distance(middle(from), middle(at), direction) : undefined;
        if (far !== undefined && (!best || far < best.far)) best = { id: other, far };
    }
    return best?.id;
}

/** The step to which an arrow key leads: along the edges up and down, else the nearest. */
export function stepTo(draft: Draft, id: string | undefined, direction: Direction) {
    const { nodes, edges } = draft.definition;
    if (id === undefined || !nodes.some((node) => node.id === id)) return nodes[0]?.id;
    const all = nodes.map((node) => node.id);
    if (direction === "left" || direction === "right") return nearest(draft, id, direction, all);
    const along = edges
        .filter((edge) => (direction === "down" ? edge.from : edge.to) === id)
        .map((edge) => (direction === "down" ? edge.to : edge.from));
    return nearest(draft, id, direction, along) ?? along[0] ?? nearest(draft, id, direction, all);
}

/** These steps and all that lie before or behind them. */
export function reach(draft: Draft, ids: string[], direction: "up" | "down"): string[] {
    const found = new Set(ids);
    const queue = [...ids];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        for (const edge of draft.definition.edges) {
            const [from, to] = direction === "down" ? [edge.from, edge.to] : [edge.to, edge.from];
            if (from !== id || found.has(to)) continue;
            found.add(to);
            queue.push(to);
        }
    }
    return [...found];
}

/** The next edge that leaves a step, after this one. */
export function nextEdge(draft: Draft, id: string, after: string | undefined) {
    const leaving = draft.definition.edges.filter((edge) => edge.from === id).map(edgeId);
    return leaving[(leaving.indexOf(after ?? "") + 1) % Math.max(leaving.length, 1)];
}

/** The edge by which a way out leads on, if there is one. */
export const edgeBehind = (draft: Draft, from: string, handle: string) =>
    draft.definition.edges.find((edge) => edge.from === from && handleOf(edge) === handle);
