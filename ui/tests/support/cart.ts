import assert from "node:assert/strict";
import type { Sandbox } from "./sandbox.ts";
import { eventually, type Pawl } from "./serve.ts";

interface Definition {
    triggers: object[];
    exit_on: object[];
    nodes: { id: string; type: string; config: Record<string, unknown> }[];
    edges: { from: string; to: string; handle?: string }[];
}

interface Funnel {
    totals: { entered: number; completed: number };
    nodes: { node: string; skipped: number; sent: number }[];
}

/** A cart without a purchase: a reminder by LINE, or by SMS; later an offer. */
const cart = {
    nodes: [
        ["a_while", "wait"],
        ["begin", "trigger"],
        ["by_sms", "message"],
        ["later", "wait"],
        ["offer", "message"],
        ["remind", "message"],
    ],
    edges: [
        "a_while default remind",
        "begin default a_while",
        "by_sms default later",
        "later default offer",
        "remind default later",
        "remind failed by_sms",
        "remind skipped by_sms",
    ],
};

/** The journey is the one that should have been drawn, and nothing else. */
export async function checkCart(pawl: Pawl, name: string, event: string): Promise<void> {
    const { definition } = await pawl.request<{ definition: Definition }>(
        "GET",
        `/v1/workflows/${name}`,
    );
    const { nodes, edges, triggers, exit_on } = definition;
    assert.deepEqual(nodes.map((node) => [node.id, node.type]).sort(), cart.nodes);
    assert.deepEqual(
        edges.map((edge) => `${edge.from} ${edge.handle ?? "default"} ${edge.to}`).sort(),
        cart.edges,
    );
    assert.deepEqual(triggers, [{ event }]);
    assert.deepEqual(exit_on, [{ event: "order.paid" }]);
}

/** A person without LINE goes all the way: the provider gets two SMS, and they are counted. */
export async function runCart(
    { pawl, sandbox }: { pawl: Pawl; sandbox: Sandbox },
    name: string,
    event: string,
    sms: string,
): Promise<void> {
    const known = { attributes: { first_name: "Ann" }, addresses: { sms } };
    await pawl.request("PUT", `/v1/people/${name}`, known);
    await pawl.request("POST", "/v1/events", { name: event, key: name, data: {} });
    const funnel = await eventually(async () => {
        const found = await pawl.request<Funnel>("GET", `/v1/workflows/${name}/funnel`);
        assert.equal(found.totals.completed, 1);
        return found;
    });
    const counted = funnel.nodes
        .filter((one) => one.skipped + one.sent > 0)
        .map((one) => [one.node, one.skipped, one.sent]);
    assert.deepEqual(counted.sort(), [
        ["by_sms", 0, 1],
        ["offer", 0, 1],
        ["remind", 1, 0],
    ]);
    const got = await sandbox.messages("twilio", sms);
    assert.deepEqual(got.map((one) => one.text).sort(), ["5 % off: CART5", "Your cart is waiting"]);
}
