import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { binary, root } from "./serve.ts";
import { type Site, startSite } from "./site.ts";

interface Ready {
    url: string;
    env_file: string;
    database_url: string;
    /** Keys of the tenants of a demo. */
    merchants?: Record<string, string>;
}

/** `pawl dev` with a database of its own and the sandbox, with the built pages in front of it. */
export class Dev {
    url = "";
    api = "";
    key = "";
    merchants: Record<string, string> = {};
    private readonly options: string[];
    private databaseUrl = "";
    private child: ChildProcess | undefined;
    private site: Site | undefined;

    constructor(options: string[] = []) {
        this.options = options;
    }

    async start(): Promise<this> {
        const args = ["dev", "--ephemeral", "--listen", "127.0.0.1:0", "-o", "json"];
        // A database of its own, not that of the tests.
        const env = Object.fromEntries(
            Object.entries(process.env).filter(([name]) => !/^(PG|DATABASE_URL)/.test(name)),
        );
        this.child = spawn(binary(), [...args, ...this.options], {
            env,
            cwd: root,
            stdio: ["ignore", "pipe", "pipe"],
        });
        const ready = await this.printed(this.child);
        this.api = ready.url;
        this.databaseUrl = ready.database_url;
        this.merchants = ready.merchants ?? {};
        this.key = /^PAWL_API_KEY=(.+)$/m.exec(readFileSync(ready.env_file, "utf8"))?.[1] ?? "";
        this.site = await startSite(this.api);
        this.url = this.site.url;
        return this;
    }

    private printed(child: ChildProcess): Promise<Ready> {
        let said = "";
        let log = "";
        return new Promise((resolve, reject) => {
            child.stdout!.on("data", (piece: Buffer) => {
                said += piece;
                try {
                    resolve(JSON.parse(said) as Ready);
                } catch {
                    // There is more to come.
                }
            });
            child.stderr!.on("data", (piece: Buffer) => {
                log = (log + piece).slice(-20_000);
            });
            child.once("exit", (code) => reject(new Error(`pawl dev ended with ${code}: ${log}`)));
        });
    }

    async stop(): Promise<void> {
        const child = this.child;
        if (child && child.exitCode === null) {
            await new Promise<void>((resolve) => {
                child.once("exit", () => resolve());
                child.kill("SIGTERM");
            });
        }
        this.site?.close();
    }

    /** Runs a command of the binary against its database. */
    async command(...args: string[]): Promise<string> {
        const env = { ...process.env, DATABASE_URL: this.databaseUrl };
        const { stdout } = await promisify(execFile)(binary(), args, { env, cwd: root });
        return stdout;
    }

    async request<T>(method: string, path: string, body?: unknown, key = this.key): Promise<T> {
        const response = await fetch(this.api + path, {
            method,
            headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
        return (text ? JSON.parse(text) : undefined) as T;
    }
}
