import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
    method: string;
    path: string;
    headers: IncomingMessage["headers"];
    body: string;
}

export type Act = (response: ServerResponse, asked: Asked) => void;

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Act {
    return (response) => {
        response.writeHead(status, { "Content-Type": "application/json", ...headers });
        response.end(JSON.stringify(body));
    };
}

/** The connection breaks before an answer. */
export const cut: Act = (response) => void response.destroy();

/** A server that does in turn what it is told: for faults that a real one shows only by chance. */
export class Scripted {
    readonly asked: Asked[] = [];
    private readonly server: Server;
    private acts: Act[] = [];

    constructor() {
        this.server = createServer((request, response) => void this.serve(request, response));
    }

    /** One act a request; the last one stays. */
    will(...acts: Act[]): this {
        this.acts = acts;
        this.asked.length = 0;
        return this;
    }

    async start(): Promise<string> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }

    async stop(): Promise<void> {
        this.server.closeAllConnections();
        await new Promise((resolve) => this.server.close(resolve));
    }

    private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
        let body = "";
        for await (const piece of request.setEncoding("utf8")) body += piece as string;
        const { method = "", url: path = "", headers } = request;
        const asked = { method, path, headers, body };
        this.asked.push(asked);
        this.acts[Math.min(this.asked.length, this.acts.length) - 1]?.(response, asked);
    }
}
