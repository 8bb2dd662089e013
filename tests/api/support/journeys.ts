import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { checkedFetch } from "./contract.js";
import { pawlCommand } from "./process.js";
import { createKey, freshDatabase, Serve } from "./serve.js";

/** A message as the receiver of the connector `webhook` gets it. */
export interface Received {
    messageId: string;
    person: string | null;
    content: Record<string, unknown>;
    headers: Record<string, string | string[] | undefined>;
}

type Answer = (message: Received) => Promise<{ status: number; body: unknown }>;

/** A provider of messages that speaks the wire format of the connector `webhook`. */
export class Provider {
    readonly received: Received[] = [];
    answer: Answer = (message) =>
        Promise.resolve({ status: 200, body: { id: `ext-${message.messageId}` } });
    url = "";
    private readonly server: Server;

    constructor() {
        this.server = createServer((request, response) => {
            const parts: Buffer[] = [];
            request.on("data", (part: Buffer) => parts.push(part));
            request.on("end", () => {
                const { data } = JSON.parse(Buffer.concat(parts).toString()) as {
                    data: { message_id: string; person: string | null; content: object };
                };
                const message: Received = {
                    messageId: data.message_id,
                    person: data.person,
                    content: data.content as Record<string, unknown>,
                    headers: request.headers,
                };
                this.received.push(message);
                void this.answer(message).then(({ status, body }) => {
                    response.statusCode = status;
                    response.setHeader("Content-Type", "application/json");
                    response.end(JSON.stringify(body));
                });
            });
        });
    }

    async start(): Promise<void> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/send`;
    }

    stop(): void {
        this.server.close();
    }
}

export interface Answered {
    status: number;
    text: string;
    json: any;
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export interface Hook {
    id?: string;
    type: string;
    at?: string;
    /** How many seconds ago it was signed. */
    age?: number;
    data: Record<string, unknown>;
}

/** The call of a provider that signs as Standard Webhooks says. */
export function signedHook(secret: string, hook: Hook): RequestInit & { body: string } {
    const id = hook.id ?? randomUUID();
    const seconds = String(Math.floor(Date.now() / 1000) - (hook.age ?? 0));
    const timestamp = hook.at ?? new Date().toISOString();
    const body = JSON.stringify({ type: hook.type, timestamp, data: hook.data });
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const sign = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
    return {
        method: "POST",
        headers: {
            "Content-Type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": seconds,
            "webhook-signature": `v1,${sign}`,
        },
        body,
    };
}

/** A server with a key for secrets, two tenants, and a provider. */
export class Journeys {
    readonly provider = new Provider();
    server!: Serve;
    databaseUrl = "";
    private readonly keys: Record<string, string> = {};

    async start(...tenants: string[]): Promise<void> {
        await this.provider.start();
        this.databaseUrl = await freshDatabase();
        this.server = new Serve(this.databaseUrl, [], {
            PAWL_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
            PAWL_LINK_SECRET: `links-${randomUUID()}`,
        });
        await this.server.start();
        for (const name of tenants) {
            await pawlCommand(["tenants", "create", name], { DATABASE_URL: this.databaseUrl });
            this.keys[name] = await createKey(this.databaseUrl, ["admin"], name);
        }
    }

    async stop(): Promise<void> {
        await this.server.stop();
        this.provider.stop();
    }

    keyOf(tenant: string): string {
        return this.keys[tenant]!;
    }

    async call(who: string, method: string, path: string, body?: unknown): Promise<Answered> {
        const response = await checkedFetch(this.server.url + path, {
            method,
            headers: {
                Authorization: `Bearer ${this.keyOf(who)}`,
                "Content-Type": "application/json",
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return { status: response.status, text, json: text === "" ? null : JSON.parse(text) };
    }

    /** An account of the connector `webhook`: its secret and the address of its hooks. */
    async account(who: string, name = "main"): Promise<{ secret: string; hookUrl: string }> {
        const secret = newSecret();
        const path = `/v1/connectors/webhook/accounts/${name}`;
        const put = await this.call(who, "PUT", path, { credentials: { secret } });
        if (put.status !== 200) throw new Error(put.text);
        return { secret, hookUrl: put.json.hook_url as string };
    }

    /** Starts a run that sends one message to a person; the person is made. */
    async send(who: string, person: string, config: Record<string, unknown> = {}): Promise<string> {
        const put = await this.call(who, "PUT", `/v1/people/${encodeURIComponent(person)}`, {
            attributes: { first_name: "Ann" },
            addresses: { webhook: this.provider.url },
        });
        if (put.status !== 200) throw new Error(put.text);
        const name = `send_${randomUUID().slice(0, 8)}`;
        const message = { channel: "webhook", text: "Hi {{ user.first_name }}", ...config };
        const applied = await this.call(who, "POST", "/v1/workflows", {
            name,
            nodes: [{ id: "send", message }],
            edges: [],
        });
        if (applied.status > 201) throw new Error(applied.text);
        const started = await this.call(who, "POST", "/v1/runs", {
            workflow: name,
            subject: person,
            data: {},
        });
        if (started.status > 201) throw new Error(started.text);
        return started.json.id as string;
    }
}
