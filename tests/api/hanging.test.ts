import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { Journeys } from "./support/journeys.js";
import { until } from "./support/until.js";

// Providers that take a connection and then hang: each message that waits for one is given up after
// the timeout of its step, and all else goes on meanwhile.

const timeout = "3s";

type Behaviour = (socket: Socket) => void;

/** A host that behaves like that on each connection. */
class Hanging {
    /** How many connections it took. */
    taken = 0;
    private readonly sockets = new Set<Socket>();
    /** The requests that came whole, as they came. */
    readonly requests: string[] = [];
    private readonly server: Server;

    constructor(private readonly behaviour: Behaviour) {
        this.server = createServer((socket) => {
            ++this.taken;
            this.sockets.add(socket);
            socket.on("close", () => this.sockets.delete(socket));
            socket.on("error", () => undefined);
            const parts: Buffer[] = [];
            let seen = false;
            socket.on("data", (part) => {
                parts.push(part);
                const text = Buffer.concat(parts).toString();
                if (!seen && text.includes("\r\n\r\n")) {
                    seen = true;
                    this.requests.push(text);
                    this.behaviour(socket);
                }
            });
        });
    }
    async start(): Promise<void> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    }
    url(scheme = "http"): string {
        return `${scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }
    stop(): void {
        for (const socket of this.sockets) socket.destroy();
        this.server.close();
    }
}

describe("providers that hang", () => {
    const world = new Journeys();
    const mute = new Hanging(() => undefined);
    // The head of an answer, and then a byte in a minute.
    const drip = new Hanging((socket) => {
        socket.write(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n",
        );
        socket.write("{");
    });
    const stalled = new Hanging(() => undefined); // never begins TLS

    const call = async (
        who: string,
        method: string,
        path: string,
        body?: unknown,
    ): Promise<any> => {
        const answer = await world.call(who, method, path, body);
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        return answer.json;
    };
    const define = (who: string, name: string, nodes: unknown[]): Promise<unknown> =>
        call(who, "POST", "/v1/workflows", { name, nodes, edges: [] });
    const startMany = async (workflow: string, many: number): Promise<void> => {
        const runs = Array.from({ length: many }, (_, i) => ({
            workflow,
            subject: `p${i}`,
            data: {},
        }));
        await call("ann", "POST", "/v1/runs/batch", { runs });
    };
    const states = async (connector: string): Promise<Record<string, number>> => {
        const counts: Record<string, number> = {};
        let cursor = "";
        do {
            const page = await call("ann", "GET", `/v1/messages?limit=200${cursor}`);
            for (const one of page.data) {
                if (one.connector === connector) counts[one.state] = (counts[one.state] ?? 0) + 1;
            }
            cursor = page.has_more ? `&cursor=${encodeURIComponent(page.next_cursor)}` : "";
        } while (cursor);
        return counts;
    };

    before(async () => {
        await world.start("ann", "bob");
        for (const one of [mute, drip, stalled]) await one.start();
        const put = (who: string, connector: string, credentials: object, base_url: string) =>
            call(who, "PUT", `/v1/connectors/${connector}/accounts/main`, {
                credentials,
                settings: { base_url },
            });
        const from = { account_sid: "AC1", auth_token: "t", from: "+15005550006" };
        await put("ann", "twilio", from, mute.url());
        await put("ann", "sms_8x8", { subaccount_id: "s", api_key: "k" }, drip.url());
        await put("ann", "line", { channel_access_token: "t" }, stalled.url("https"));
        for (const who of ["ann", "bob"]) await world.account(who);
        const people = Array.from({ length: 80 }, (_, i) => ({
            key: `p${i}`,
            addresses: {
                sms: `+1500555${String(1000 + i)}`,
                line: `U${String(i).padStart(32, "0")}`,
                webhook: world.provider.url,
            },
        }));
        for (const who of ["ann", "bob"]) await call(who, "POST", "/v1/people", { people });
        const message = (connector: string, channel: string) => ({
            id: "send",
            timeout,
            message: { channel, connector, text: "Hi", category: "transactional" },
        });
        await define("ann", "by_mute", [message("twilio", "sms")]);
        await define("ann", "by_drip", [message("sms_8x8", "sms")]);
        await define("ann", "by_stalled", [message("line", "line")]);
        await define("ann", "by_webhook", [message("webhook", "webhook")]);
        await define("bob", "by_webhook", [message("webhook", "webhook")]);
        await define("ann", "other", [{ id: "all", type: "transform", config: { jq: ".input" } }]);
    });
    after(async () => {
        await world.stop();
        for (const one of [mute, drip, stalled]) one.stop();
    });

    test("hold back no other connector, tenant or step", async () => {
        await startMany("by_mute", 80);
        await startMany("by_drip", 60);
        await startMany("by_stalled", 60);
        await until(
            "calls hang",
            () => mute.requests.length > 0 && drip.requests.length > 0 && stalled.taken > 0,
        );
        const ends = async (who: string, workflow: string, subject: string): Promise<void> => {
            const run = await call(who, "POST", "/v1/runs", { workflow, subject, data: {} });
            await until(`${workflow} of ${who} ends`, async () => {
                const { status } = await call(who, "GET", `/v1/runs/${run.id}`);
                return status === "completed";
            });
        };
        const all = ["p1", "p2", "p3", "p4", "p5"].flatMap((subject) => [
            ends("ann", "by_webhook", subject),
            ends("bob", "by_webhook", subject),
            ends("ann", "other", subject),
        ]);
        await Promise.all(all);
    });

    test("may have what they were told, unless they were told nothing", async () => {
        await until("what was told is given up", async () => {
            const [twilio, sms] = [await states("twilio"), await states("sms_8x8")];
            return twilio["unknown"] === 80 && sms["unknown"] === 60;
        });
        assert.equal(mute.requests.length, 80, "each was asked once");
        assert.equal(drip.requests.length, 60);
        // One that is being tried is there meanwhile, and taken back when TLS does not begin.
        const { sending: _, ...told } = await states("line");
        assert.deepEqual(told, {}, "TLS never began: nothing was told");
        const { data } = await call("ann", "GET", "/v1/runs?workflow=by_stalled&limit=100");
        assert.equal(data.length, 60);
        for (const run of data) assert.doesNotMatch(run.status, /failed|completed/);
    });
});
