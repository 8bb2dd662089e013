import { describe, expect, test } from "vitest";
import { messageStages, shareOf } from "./rates";
import { channelsOf, reachOf, reachOfNodes } from "./reach";
import type { FunnelGroup, FunnelTotals } from "./useFunnel";

const counts = (sent: number, delivered: number, opened: number, clicked: number) => ({
    sent,
    delivered,
    opened,
    clicked,
    skipped: 0,
    replied: 0,
});
const group = (key: string, nodes: Record<string, ReturnType<typeof counts>>) => {
    const totals = Object.values(nodes).reduce((a, b) =>
        counts(
            a.sent + b.sent,
            a.delivered + b.delivered,
            a.opened + b.opened,
            a.clicked + b.clicked,
        ),
    );
    return {
        key,
        totals,
        nodes: Object.entries(nodes).map(([node, one]) => ({ node, ...one })),
    } as unknown as FunnelGroup;
};

const line = group("line", { remind: counts(38, 0, 4, 4) });
const email = group("email", { offer: counts(50, 50, 20, 5) });
const sms = group("sms", { text: counts(5, 5, 1, 1) });

describe("rates of messages", () => {
    const channels = channelsOf([line, email, sms]);
    test("are of the channels that report them", () => {
        const reach = reachOf(channels.all, channels.opens);
        expect(reach.delivered).toEqual({ count: 55, of: 55 });
        // Of SMS only clicks are known, which count as opened.
        expect(reach.opened).toEqual({ count: 20, of: 50 });
        expect(reach.clicked).toEqual({ count: 10, of: 93 });
        const stages = messageStages(counts(93, 55, 25, 10) as unknown as FunnelTotals, reach);
        const delivered = stages.find((one) => one.id === "delivered")!;
        expect(shareOf(delivered)).toBe(1);
        expect(delivered.among).toBe(55);
    });
    test("are not known of a step that sends by LINE alone", () => {
        const reach = reachOf(channels.nodes.get("remind")!, channels.opens);
        expect(reach.delivered).toBeUndefined();
        expect(reach.opened).toBeUndefined();
        const stages = messageStages(counts(38, 0, 4, 4) as unknown as FunnelTotals, reach);
        expect(stages.filter((one) => one.unknown).map((one) => one.id)).toEqual([
            "delivered",
            "opened",
        ]);
    });
    test("of SMS have opens where the provider reports some", () => {
        const tells = channelsOf([group("sms", { text: counts(5, 5, 3, 1) })]);
        expect(reachOf(tells.all, tells.opens).opened).toEqual({ count: 3, of: 5 });
    });
    test("of a version leave out its steps that send by LINE", () => {
        const version = group("1", { remind: counts(38, 0, 4, 4), offer: counts(50, 50, 20, 5) });
        expect(reachOfNodes(version, channels)?.delivered).toEqual({ count: 50, of: 50 });
    });
    test("are not said where a step sends by channels that report different things", () => {
        const mixed = channelsOf([line, group("email", { remind: counts(5, 5, 2, 1) })]);
        expect(reachOfNodes(group("1", { remind: counts(43, 5, 6, 5) }), mixed)).toBeNull();
    });
});
