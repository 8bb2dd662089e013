import type { Reach, Share } from "./reach";
import type { FunnelNode, FunnelTotals } from "./useFunnel";

/** One bar of the funnel. `of`: what its rate is measured against. */
export interface Stage {
    id: StageId;
    count: number;
    of?: { id: StageId; count: number };
    /** It counts something else than what it is measured against: not a share, but how many each. */
    each?: boolean;
    /** The channels of the messages do not report it. */
    unknown?: boolean;
    /** Only messages of channels that report it are counted: so many. */
    among?: number;
}

export type StageId =
    | "people"
    | "entered"
    | "sent"
    | "delivered"
    | "opened"
    | "clicked"
    | "replied"
    | "completed"
    | "converted";

/** What became of messages; `reach`: as their channels report it, null if that is not known. */
export function messageStages(totals: FunnelTotals, reach?: Reach | null): Stage[] {
    const stage = (id: "delivered" | "opened" | "clicked", of: StageId, share?: Share): Stage => {
        if (reach === null) return { id, count: totals[id] };
        if (!share) return { id, count: 0, unknown: true };
        const partial = id === "opened" ? reach?.partialOpens : reach?.partial;
        return {
            id,
            count: share.count,
            of: { id: of, count: share.of },
            ...(partial ? { among: share.of } : {}),
        };
    };
    const known = reach ?? plainReach(totals);
    return [
        { id: "sent", count: totals.sent },
        stage("delivered", "sent", known.delivered),
        stage("opened", "delivered", known.opened),
        stage("clicked", "delivered", known.clicked),
        ...(totals.replied > 0
            ? [
                  {
                      id: "replied" as const,
                      count: totals.replied,
                      ...(reach === null
                          ? {}
                          : { of: { id: "delivered" as const, count: known.clicked?.of ?? 0 } }),
                  },
              ]
            : []),
    ];
}

/** As if all channels reported all. */
function plainReach({ sent, delivered, opened, clicked }: FunnelTotals): Reach {
    return {
        delivered: { count: delivered, of: sent },
        opened: { count: opened, of: delivered },
        clicked: { count: clicked, of: delivered },
        partial: false,
        partialOpens: false,
    };
}

/**
 * From entered to converted. A workflow that sends nothing has no bars of messages. `came`: runs
 * that came to a variant, which is not where they entered.
 */
export function stagesOf(totals: FunnelTotals, came?: number, reach?: Reach | null): Stage[] {
    const entered = { id: "entered" as const, count: came ?? totals.entered };
    const messages = totals.sent + totals.skipped > 0 ? messageStages(totals, reach) : [];
    return [
        ...(totals.people !== null ? [{ id: "people" as const, count: totals.people }] : []),
        entered,
        ...messages.map((stage) =>
            stage.id === "sent" ? { ...stage, of: entered, each: true } : stage,
        ),
        { id: "completed", count: totals.completed, of: entered },
        { id: "converted", count: totals.converted, of: entered },
    ];
}

/** The share of what a stage is measured against; none: there is nothing, or it is no part of it. */
export function shareOf({ count, of, each }: Stage): number | undefined {
    if (!of || of.count === 0 || each || count > of.count) return undefined;
    return count / of.count;
}

/** How many there are for each of what a stage is measured against. */
export function eachOf({ count, of, each }: Stage): number | undefined {
    return of && of.count > 0 && each ? count / of.count : undefined;
}

/** How often runs came to a node. People who wait there now may have come before the range of time. */
export const cameTo = (node: Pick<FunnelNode, "entered" | "passed" | "waiting">) =>
    Math.max(node.entered, node.passed + node.waiting);

/** Of the people who came to a node: how many went on, wait, or did neither. */
export function fateOf(node: Pick<FunnelNode, "entered" | "passed" | "waiting">) {
    const passed = Math.min(node.passed, node.entered);
    const waiting = Math.min(node.waiting, node.entered - passed);
    return { passed, waiting, lost: Math.max(0, node.entered - passed - waiting) };
}

const z = 1.959964;

/** The interval of 95% (Wilson) around hits of trials. */
export function interval(hits: number, trials: number): { low: number; high: number } {
    if (trials === 0) return { low: 0, high: 1 };
    const rate = Math.min(1, hits / trials);
    const width = (z * z) / trials;
    const middle = (rate + width / 2) / (1 + width);
    const half = (z * Math.sqrt((rate * (1 - rate)) / trials + width / (4 * trials))) / (1 + width);
    return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

export interface Arm {
    key: string;
    trials: number;
    hits: number;
    rate: number;
    low: number;
    high: number;
}

/** Rates of versions side by side. The leader's interval lies above all others; else it is too early. */
export function compare(groups: { key: string; trials: number; hits: number }[]): {
    arms: Arm[];
    leader: string | null;
} {
    const arms = groups.map((group) => ({
        ...group,
        rate: group.trials > 0 ? group.hits / group.trials : 0,
        ...interval(group.hits, group.trials),
    }));
    const leader = arms.find((one) => arms.every((other) => other === one || one.low > other.high));
    return { arms, leader: arms.length > 1 && leader ? leader.key : null };
}
