import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type Site, startSite } from "./site.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

export function binary(): string {
    const path = process.env["PAWL_BINARY"];
    if (!path) throw new Error("set PAWL_BINARY to the binary that is tested");
    return path.startsWith("/") ? path : root + path;
}

/** A real server on a database of its own, with the built pages in front of it. */
export class Pawl {
    /** Where the pages are. */
    url = "";
    /** Where the API is. */
    api = "";
    key = "";
    readonly databaseUrl: string;
    private readonly isMigrated: boolean;
    private readonly options: string[];
    /** The path below which the pages are; empty: the root. */
    private readonly base: string;
    private readonly env: Record<string, string>;
    private child: ChildProcess | undefined;
    private site: Site | undefined;
    private log = "";

    constructor(options: string[] = [], env: Record<string, string> = {}) {
        this.options = options;
        const at = options.indexOf("--base-path");
        this.base = at < 0 ? "" : options[at + 1]!;
        this.env = env;
        const host = process.env["PGHOST"];
        if (!host) throw new Error("run this by: scripts/with-postgres");
        const name = `ui_${randomUUID().replaceAll("-", "")}`;
        // Where the cluster has a migrated one, as in a run of all tests, it is a copy of that.
        const from = `select coalesce(max(datname), 'template1') from pg_database
            where datname = 'pawl_migrated'`;
        const template = execFileSync("psql", ["-U", "postgres", "-Atc", from], {
            encoding: "utf8",
        });
        this.isMigrated = template.trim() === "pawl_migrated";
        // To copy files is half the work of writing their pages to the log.
        const copy = ["--strategy", "file_copy", "-T", template.trim()];
        execFileSync("createdb", ["-U", "postgres", ...copy, name]);
        this.databaseUrl = `postgresql://postgres@/${name}?host=${encodeURIComponent(host)}`;
    }

    /** Runs a command of the binary against this database. */
    command(...args: string[]): string {
        const env = { ...process.env, ...this.env, DATABASE_URL: this.databaseUrl };
        return execFileSync(binary(), args, { env, cwd: root, encoding: "utf8" });
    }

    /** The first column of the first row. */
    sql(text: string): string {
        const args = ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", this.databaseUrl, "-c", text];
        return execFileSync("psql", args, { encoding: "utf8" }).trim();
    }

    /** A key with a role. */
    createRoleKey(role: string, tenant = "default"): string {
        const args = ["keys", "create", "--tenant", tenant, "--name", `ui ${role}`, "-o", "json"];
        return (JSON.parse(this.command(...args, "--role", role)) as { key: string }).key;
    }

    createKey(...scopes: string[]): string {
        const args = ["keys", "create", "--name", `ui ${scopes.join(" ")}`, "-o", "json"];
        const text = this.command(...args, ...scopes.flatMap((scope) => ["--scope", scope]));
        return (JSON.parse(text) as { key: string }).key;
    }

    async start(): Promise<this> {
        if (!this.key) {
            if (!this.isMigrated) this.command("migrate", "up");
            this.key = this.createKey("admin");
        }
        const listen = this.api ? new URL(this.api).host : "127.0.0.1:0";
        const args = ["serve", "--listen", listen, "--log-format", "json", ...this.options];
        const env = { ...process.env, ...this.env, DATABASE_URL: this.databaseUrl };
        this.child = spawn(binary(), args, { env, cwd: root, stdio: ["ignore", "pipe", "pipe"] });
        this.api = await this.ready(this.child);
        // Those of build/ui are shown if the binary has none inside, or none that are as new.
        if (process.env["PAWL_UI_BUILT"] || !(await hasPages(this.api))) {
            const port = this.url ? Number(new URL(this.url).port) : 0;
            this.site ??= await startSite(this.api, this.base, port);
        }
        this.url = (this.site?.url ?? this.api) + this.base;
        return this;
    }

    private ready(child: ChildProcess): Promise<string> {
        this.log = "";
        return new Promise((resolve, reject) => {
            const hear = (piece: Buffer) => {
                this.log = (this.log + piece).slice(-100_000);
                const found = /"ready".*"url":"([^"]+)"/.exec(this.log);
                if (found) resolve(found[1]!);
            };
            child.stdout!.on("data", hear);
            child.stderr!.on("data", hear);
            child.once("exit", (code) =>
                reject(new Error(`pawl ended with ${code}:\n${this.log}`)),
            );
        });
    }

    /** Waits until its log has this text. */
    async said(text: string): Promise<void> {
        await eventually(async () => {
            if (!this.log.includes(text)) throw new Error(`the log does not say: ${text}`);
        });
    }

    /** As if the machine had died: nothing answers until it is started again. */
    async kill(): Promise<void> {
        this.site?.close();
        this.site = undefined;
        await this.end("SIGKILL");
    }

    async stop(): Promise<void> {
        await this.end("SIGTERM");
        this.site?.close();
    }

    private end(signal: NodeJS.Signals): Promise<void> {
        const child = this.child;
        this.child = undefined;
        if (!child || child.exitCode !== null) return Promise.resolve();
        return new Promise((resolve) => {
            child.once("exit", () => resolve());
            child.kill(signal);
        });
    }

    /** One request with all rights; fails if the answer is no success. */
    async request<T>(method: string, path: string, body?: unknown): Promise<T> {
        const text = await this.requestText(method, path, body);
        return (text ? JSON.parse(text) : undefined) as T;
    }

    /** The answer as it is sent, with numbers that JavaScript would round. */
    async requestText(method: string, path: string, body?: unknown): Promise<string> {
        const response = await fetch(this.api + path, {
            method,
            headers: { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" },
            ...(body === undefined
                ? {}
                : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        });
        const text = await response.text();
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
        return text;
    }

    /** Publishes a workflow. */
    async define(name: string, steps: object[], rest: object = {}): Promise<void> {
        await this.request("POST", "/v1/workflows", { name, steps, ...rest });
    }

    async startRun(workflow: string, data: unknown = {}, rest: object = {}): Promise<string> {
        const body = { workflow, data, ...rest };
        return (await this.request<{ id: string }>("POST", "/v1/runs", body)).id;
    }

    /** Asks until the run has one of these states. */
    async until(id: string, ...statuses: string[]): Promise<void> {
        await eventually(async () => {
            const run = await this.request<{ status: string }>("GET", `/v1/runs/${id}`);
            if (!statuses.includes(run.status)) throw new Error(`run ${id} is ${run.status}`);
        });
    }
}

async function hasPages(api: string): Promise<boolean> {
    const response = await fetch(`${api}/`, { headers: { Accept: "text/html" } });
    return (await response.text()).includes('id="root"');
}

/** Tries until it does not throw, for a minute at most. */
export async function eventually<T>(check: () => Promise<T>): Promise<T> {
    const end = Date.now() + 60_000;
    for (;;) {
        try {
            return await check();
        } catch (error) {
            if (Date.now() > end) throw error;
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }
}
