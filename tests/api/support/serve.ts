import { randomUUID } from "node:crypto";
import pg from "pg";
import { pawlCommand, Program } from "./process.js";

/** A database of its own in the throw-away cluster that scripts/with-postgres gave this process. */
export async function freshDatabase(): Promise<string> {
    const host = process.env["PGHOST"];
    if (!host) throw new Error("run this by: scripts/with-postgres node build/api/all.js");
    const name = `test_${randomUUID().replaceAll("-", "")}`;
    const client = new pg.Client({ host, user: "postgres", database: "postgres" });
    await client.connect();
    // Where the cluster has a migrated one, as in a run of all tests, it is a copy of that.
    const known = "select from pg_database where datname = 'pawl_migrated'";
    const isMigrated = (await client.query(known)).rowCount === 1;
    // To copy files is half the work of writing their pages to the log.
    const from = isMigrated ? " template pawl_migrated strategy file_copy" : "";
    await client.query(`create database ${name}${from}`);
    await client.end();
    const url = `postgresql://postgres@/${name}?host=${encodeURIComponent(host)}`;
    if (!isMigrated) await pawlCommand(["migrate", "up"], { DATABASE_URL: url });
    return url;
}

export async function createKey(
    databaseUrl: string,
    scopes: string[],
    tenant = "default",
): Promise<string> {
    const args = ["keys", "create", "--name", `test ${scopes.join(" ")}`, "-o", "json"];
    args.push("--tenant", tenant);
    for (const scope of scopes) args.push("--scope", scope);
    const text = await pawlCommand(args, { DATABASE_URL: databaseUrl });
    return (JSON.parse(text) as { key: string }).key;
}

/** `pawl serve` on a database: may be killed, and started again on the same port. */
export class Serve {
    url = "";
    key = "";
    private program: Program | undefined;

    constructor(
        readonly databaseUrl: string,
        private readonly options: string[] = [],
        private readonly env: Record<string, string> = {},
        private readonly within: string[] = [],
    ) {}

    async start(): Promise<void> {
        this.key ||= await createKey(this.databaseUrl, ["admin"]);
        const listen = this.url ? new URL(this.url).host : "127.0.0.1:0";
        const args = ["serve", "--listen", listen, "--log-format", "json", ...this.options];
        const env = { DATABASE_URL: this.databaseUrl, ...this.env };
        this.program = new Program(args, env, this.within);
        this.url = await this.program.logged(/"ready".*"url":"([^"]+)"/);
    }

    get pid(): number {
        return this.program!.pid;
    }

    /** The last of its log. */
    get log(): string {
        return this.program?.log ?? "";
    }

    /** What a line of its log says. */
    logged(pattern: RegExp): Promise<string> {
        if (!this.program) throw new Error("it was not started");
        return this.program.logged(pattern);
    }

    async kill(): Promise<void> {
        await this.program?.kill();
    }

    async stop(): Promise<void> {
        await this.program?.stop();
    }
}

/** Its page for Prometheus, as text. */
export async function metricsOf(server: Serve): Promise<string> {
    const headers = { Authorization: `Bearer ${server.key}` };
    return await (await fetch(`${server.url}/metrics`, { headers })).text();
}
