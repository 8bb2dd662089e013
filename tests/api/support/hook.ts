import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A message of a webhook, as its receiver sees it. */
export interface Told {
    id: string;
    signed: boolean; // by one of the secrets that the receiver knows
    body: { type: string; timestamp: string; data: Record<string, unknown> };
    batch: boolean;
}

export type Verdict = (told: { id: string; type: string }) => number | undefined;

/** Whether a request is signed as Standard Webhooks says; written from the standard alone. */
export function isSigned(
    secret: string,
    headers: IncomingMessage["headers"],
    raw: Buffer,
): boolean {
    const id = String(headers["webhook-id"]);
    const timestamp = String(headers["webhook-timestamp"]);
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), raw]);
    const right = createHmac("sha256", key).update(signed).digest();
    return String(headers["webhook-signature"])
        .split(" ")
        .some((one) => {
            const [version, text] = one.split(",");
            const given = Buffer.from(text ?? "", "base64");
            return (
                version === "v1" && given.length === right.length && timingSafeEqual(given, right)
            );
        });
}

/** A receiver of webhooks: keeps what it was told, and answers what the test decides. */
export class Hook {
    readonly told: Told[] = [];
    secrets: string[] = [];
    url = "";
    /** The status of the answer; undefined: none at all. */
    verdict: Verdict = () => 204;
    /** What it answers beside. */
    text = "";
    private readonly server: Server = createServer((request, response) => {
        const pieces: Buffer[] = [];
        request.on("data", (piece: Buffer) => pieces.push(piece));
        request.on("end", () => {
            const raw = Buffer.concat(pieces);
            const body = JSON.parse(raw.toString()) as Told["body"] & { data: unknown };
            const id = String(request.headers["webhook-id"]);
            const status = this.verdict({ id, type: body.type });
            if (status === undefined) {
                request.socket.destroy();
                return;
            }
            const signed = this.secrets.some((one) => isSigned(one, request.headers, raw));
            if (status < 300 && body.type === "batch") {
                for (const one of body.data as unknown as (Told["body"] & { id: string })[]) {
                    this.told.push({ id: one.id, signed, body: one, batch: true });
                }
            } else if (status < 300) {
                this.told.push({ id, signed, body, batch: false });
            }
            response.writeHead(status).end(this.text);
        });
    });

    async start(): Promise<this> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
        return this;
    }

    stop(): void {
        this.server.closeAllConnections();
        this.server.close();
    }

    /** Types in the order in which they came first, of one run or of all. */
    types(run?: string): string[] {
        const seen = new Set<string>();
        const mine = this.told.filter((one) => {
            if (seen.has(one.id)) return false;
            seen.add(one.id);
            return run === undefined || one.body.data["run_id"] === run;
        });
        return mine.map((one) => one.body.type);
    }
}
