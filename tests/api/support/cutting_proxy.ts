import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Stands between a client and the server, and can break their connections or hold answers back. */
export class CuttingProxy {
    private readonly server: Server;
    private readonly pairs = new Set<[Socket, Socket]>();
    private holding = false;
    connections = 0;

    constructor(private readonly target: () => string) {
        this.server = createServer((client) => this.accept(client));
    }

    async start(): Promise<string> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }

    /** From now on requests go through and answers do not. */
    holdAnswers(): void {
        this.holding = true;
    }

    passAnswers(): void {
        this.holding = false;
    }

    cutAll(): void {
        for (const [client, server] of this.pairs) {
            client.resetAndDestroy();
            server.destroy();
        }
    }

    stop(): void {
        this.cutAll();
        this.server.close();
    }

    private accept(client: Socket): void {
        ++this.connections;
        const { hostname, port } = new URL(this.target());
        const server = connect(Number(port), hostname);
        const pair: [Socket, Socket] = [client, server];
        this.pairs.add(pair);
        const over = (): void => {
            client.destroy();
            server.destroy();
            this.pairs.delete(pair);
        };
        for (const socket of pair) socket.on("error", over).on("close", over);
        client.on("data", (bytes) => server.write(bytes));
        server.on("data", (bytes) => {
            if (!this.holding) client.write(bytes);
        });
    }
}
