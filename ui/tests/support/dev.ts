import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { root } from "./serve.ts";
import { type Site, startSite } from "./site.ts";

/** `pawl dev` with a database of its own and the sandbox, with the built pages in front of it. */
export class Dev {
    url = "";
    api = "";
    key = "";
    private child: ChildProcess | undefined;
    private site: Site | undefined;

    async start(): Promise<this> {
        const path = process.env["PAWL_BINARY"] ?? "";
        const binary = path.startsWith("/") ? path : root + path;
        const args = ["dev", "--ephemeral", "--listen", "127.0.0.1:0", "-o", "json"];
        // A database of its own, not that of the tests.
        const env = Object.fromEntries(
            Object.entries(process.env).filter(([name]) => !/^(PG|DATABASE_URL)/.test(name)),
        );
        this.child = spawn(binary, args, { env, cwd: root, stdio: ["ignore", "pipe", "pipe"] });
        const ready = await this.printed(this.child);
        this.api = ready.url;
        this.key = /^PAWL_API_KEY=(.+)$/m.exec(readFileSync(ready.env_file, "utf8"))?.[1] ?? "";
        this.site = await startSite(this.api);
        this.url = this.site.url;
        return this;
    }

    private printed(child: ChildProcess): Promise<{ url: string; env_file: string }> {
        let said = "";
        let log = "";
        return new Promise((resolve, reject) => {
            child.stdout!.on("data", (piece: Buffer) => {
                said += piece;
                try {
                    resolve(JSON.parse(said) as { url: string; env_file: string });
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

    async request<T>(method: string, path: string, body?: unknown): Promise<T> {
        const response = await fetch(this.api + path, {
            method,
            headers: { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
        return (text ? JSON.parse(text) : undefined) as T;
    }
}
