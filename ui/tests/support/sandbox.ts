import { type ChildProcess, spawn } from "node:child_process";
import { binary, type Pawl, root } from "./serve.ts";

interface Account {
    credentials: Record<string, unknown>;
    settings?: Record<string, unknown>;
}

export interface SandboxMessage {
    to: string;
    text: string;
}

/** `pawl sandbox`: providers of messages that send nothing and keep what they got. */
export class Sandbox {
    url = "";
    private child: ChildProcess | undefined;

    async start(): Promise<void> {
        const args = ["sandbox", "--listen", "127.0.0.1:0", "-o", "json"];
        const child = spawn(binary(), args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
        this.child = child;
        this.url = await new Promise((resolve, reject) => {
            let text = "";
            child.stdout.on("data", (piece: Buffer) => {
                text += piece;
                const found = /"url"\s*:\s*"([^"]+)"/.exec(text);
                if (found) resolve(found[1]!);
            });
            child.once("exit", () => reject(new Error(`the sandbox ended: ${text}`)));
        });
    }

    stop(): void {
        this.child?.kill();
    }

    private async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const response = await fetch(`${this.url}/sandbox/${path}`, { method, ...sent });
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        return (await response.json()) as T;
    }

    /** Opens an account at a provider: what it is reached with. */
    async open(provider: string): Promise<Account> {
        return await this.ask<Account>("PUT", `accounts/${provider}/shop`, {});
    }

    /** Gives the server an account of each of these providers. */
    async join(pawl: Pawl, ...providers: string[]): Promise<void> {
        for (const provider of providers) {
            const { credentials, settings } = await this.open(provider);
            const path = `/v1/connectors/${provider}/accounts/main`;
            await pawl.request("PUT", path, { credentials, settings });
        }
    }

    async messages(provider: string, to: string): Promise<SandboxMessage[]> {
        const query = new URLSearchParams({ provider, to, limit: "100" });
        return (await this.ask<{ data: SandboxMessage[] }>("GET", `messages?${query}`)).data;
    }
}

/** What a server needs to keep credentials, and to reach the sandbox. */
export function allowSandbox(): void {
    process.env["PAWL_SECRET_KEY"] = Buffer.alloc(32, 1).toString("base64");
    process.env["PAWL_ALLOW_OUTBOUND"] = "127.0.0.0/8,::1";
}
