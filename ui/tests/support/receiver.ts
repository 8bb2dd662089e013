import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that steps and webhooks call; it answers as it is told. */
export class Receiver {
    status = 200;
    readonly bodies: string[] = [];
    url = "";
    private server: Server | undefined;

    async start(): Promise<this> {
        this.server = createServer((request, response) => {
            let body = "";
            request.on("data", (piece: Buffer) => {
                body += piece;
            });
            request.on("end", () => {
                this.bodies.push(body);
                response.writeHead(this.status, { "Content-Type": "text/plain" });
                response.end(`answered ${this.status} <b>boldly</b>`);
            });
        });
        await new Promise<void>((resolve) => this.server!.listen(0, "127.0.0.1", resolve));
        this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
        return this;
    }

    close(): void {
        this.server?.closeAllConnections();
        this.server?.close();
    }
}
