import type { Schemas } from "@/data/schemas";

type FunnelTotals = Schemas["FunnelTotals"];
type FunnelGroup = Schemas["FunnelGroup"];

/** Channels whose providers tell nothing of one person's message: only sums, or nothing at all. */
const silent = new Set(["line", "push"]);

export type MessageCounts = Pick<FunnelTotals, "sent" | "delivered" | "opened" | "clicked">;

/** A count among the messages whose channels report such a thing. */
export interface Share {
    count: number;
    of: number;
}

/** What is known of messages; none: their channels do not report it. */
export interface Reach {
    delivered?: Share;
    opened?: Share;
    clicked?: Share;
    /** Messages of other channels are left out. */
    partial: boolean;
    /** The same of opens: some channels report that messages arrived, and no more. */
    partialOpens: boolean;
}

/** What the channels of a workflow report, from the counts of each. */
export interface Channels {
    opens: ReadonlySet<string>;
    /** By node: the channels that it has sent by. */
    nodes: ReadonlyMap<string, { channel: string; counts: MessageCounts }[]>;
    all: { channel: string; counts: MessageCounts }[];
}

export const isSilent = (channel: string) => silent.has(channel);

/** A click shows that a message was opened: of SMS nothing else may be known. */
const tellsOpens = (channel: string, { opened, clicked }: MessageCounts) =>
    !silent.has(channel) && (channel !== "sms" || opened > clicked);

export function channelsOf(groups: readonly FunnelGroup[]): Channels {
    const nodes = new Map<string, { channel: string; counts: MessageCounts }[]>();
    const all = groups.map((one) => ({ channel: one.key, counts: one.totals as MessageCounts }));
    for (const group of groups) {
        for (const node of group.nodes) {
            if (node.sent === 0) continue;
            const found = nodes.get(node.node) ?? [];
            nodes.set(node.node, [...found, { channel: group.key, counts: node }]);
        }
    }
    const opens = all.filter((one) => tellsOpens(one.channel, one.counts));
    return { opens: new Set(opens.map((one) => one.channel)), nodes, all };
}

type Parts = readonly { channel: string; counts: MessageCounts }[];

/** Rates are of the messages of channels that report; clicks come from links, by all channels. */
export function reachOf(parts: Parts, opens: ReadonlySet<string>): Reach {
    const sent = parts.filter((one) => one.counts.sent > 0);
    const telling = sent.filter((one) => !silent.has(one.channel));
    const opening = telling.filter((one) => opens.has(one.channel));
    const sum = (of: Parts, what: keyof MessageCounts) =>
        of.reduce((all, one) => all + one.counts[what], 0);
    const still = sent.filter((one) => silent.has(one.channel));
    return {
        ...(telling.length > 0 || still.length === 0
            ? { delivered: { count: sum(telling, "delivered"), of: sum(telling, "sent") } }
            : {}),
        ...(opening.length > 0 || sent.length === 0
            ? { opened: { count: sum(opening, "opened"), of: sum(opening, "delivered") } }
            : {}),
        clicked: {
            count: sum(sent, "clicked"),
            of: sum(telling, "delivered") + sum(still, "sent"),
        },
        partial: still.length > 0,
        partialOpens: opening.length < sent.length,
    };
}

/**
 * The same of a version or a variant, whose counts are by node and not by channel. Null: a node
 * sends by several channels that do not report the same, so that no rate is known.
 */
export function reachOfNodes(group: FunnelGroup, channels: Channels): Reach | null {
    const parts: { channel: string; counts: MessageCounts }[] = [];
    for (const node of group.nodes) {
        if (node.sent === 0) continue;
        const by = (channels.nodes.get(node.node) ?? []).map((one) => one.channel);
        const kinds = new Set(by.map((one) => `${silent.has(one)} ${channels.opens.has(one)}`));
        if (kinds.size > 1) return null;
        parts.push({ channel: by[0] ?? "", counts: node });
    }
    return reachOf(parts, channels.opens);
}
