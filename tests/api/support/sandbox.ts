import { Program } from "./process.js";

export interface SandboxAccount {
    credentials: Record<string, unknown>;
    settings: Record<string, unknown>;
    hook_url: string;
}

export interface SandboxMessage {
    number: number;
    at: string;
    provider: string;
    account: string;
    id: string;
    client_id: string;
    to: string;
    text: string;
    request: any;
    events: { event: string; status: number }[];
}

/** `pawl sandbox`: the providers of messages, in a process of their own. */
export class Sandbox {
    url = "";
    private program: Program | undefined;

    async start(): Promise<void> {
        this.program = new Program(["sandbox", "--listen", "127.0.0.1:0", "-o", "json"]);
        this.url = (await this.program.printed<{ url: string }>()).url;
    }

    async stop(): Promise<void> {
        await this.program?.stop();
    }

    /** One request to its console. */
    async console(method: string, path: string, body?: unknown): Promise<any> {
        const response = await fetch(`${this.url}/sandbox/${path}`, {
            method,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const json: any = await response.json();
        if (!response.ok) throw new Error(`${response.status} ${json.detail}`);
        return json;
    }

    account(provider: string, name: string, body: unknown = {}): Promise<SandboxAccount> {
        return this.console("PUT", `accounts/${provider}/${name}`, body) as Promise<SandboxAccount>;
    }

    async messages(provider: string, to = ""): Promise<SandboxMessage[]> {
        const query = new URLSearchParams({ provider, limit: "500", ...(to ? { to } : {}) });
        const { data } = await this.console("GET", `messages?${query}`);
        return data as SandboxMessage[];
    }

    async faults(...faults: Record<string, unknown>[]): Promise<void> {
        await this.console("PUT", "faults", { faults });
    }
}
