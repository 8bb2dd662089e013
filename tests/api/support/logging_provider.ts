import {
    createServer,
    type IncomingHttpHeaders,
    type Server,
    type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a provider got it. */
export interface Asked {
    method: string;
    path: string;
    headers: IncomingHttpHeaders;
    body: string;
    at: number;
    /** Answers it, now or later. */
    answer: (status: number, body: unknown, headers?: Record<string, string>) => void;
}

/** A provider that keeps every request; `onAsked` answers, or leaves the caller waiting. */
export class LoggingProvider {
    readonly asked: Asked[] = [];
    onAsked: (asked: Asked) => void = () => undefined;
    private server: Server | undefined;
    private port = 0;

    get url(): string {
        return `http://127.0.0.1:${this.port}`;
    }

    /** On the same port as before, if it was up before. */
    async start(): Promise<void> {
        this.server = createServer((request, response) => {
            const parts: Buffer[] = [];
            request.on("data", (part: Buffer) => parts.push(part));
            request.on("end", () => {
                const asked: Asked = {
                    method: request.method ?? "",
                    path: request.url ?? "",
                    headers: request.headers,
                    body: Buffer.concat(parts).toString(),
                    at: Date.now(),
                    answer: (status, body, headers) => reply(response, status, body, headers),
                };
                this.asked.push(asked);
                this.onAsked(asked);
            });
        });
        await new Promise<void>((resolve) =>
            this.server!.listen(this.port, "127.0.0.1", () => resolve()),
        );
        this.port = (this.server.address() as AddressInfo).port;
    }

    /** Its host goes down: connections break, and none is taken. */
    async stop(): Promise<void> {
        const { server } = this;
        if (!server) return;
        server.closeAllConnections();
        await new Promise<void>((resolve) => server.close(() => resolve()));
    }
}

function reply(
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
): void {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(body));
}
