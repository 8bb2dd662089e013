import { randomUUID } from "node:crypto";
import { pawlCommand, Program } from "./process.js";
import { database, databaseUrl } from "./server.js";

/** A database of its own in the cluster of the shared server. */
export async function freshDatabase(): Promise<string> {
    const name = `test_${randomUUID().replaceAll("-", "")}`;
    await database.query(`create database ${name}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    await pawlCommand(["migrate", "up"], { DATABASE_URL: url.href });
    return url.href;
}

/** `pawl serve` on a database: to be killed, and started again on the same port. */
export class Serve {
    url = "";
    key = "";
    private program: Program | undefined;

    constructor(
        readonly databaseUrl: string,
        private readonly options: string[] = [],
    ) {}

    async start(): Promise<void> {
        const env = { DATABASE_URL: this.databaseUrl };
        if (!this.key) {
            const args = ["keys", "create", "--name", "test", "--scope", "admin", "-o", "json"];
            this.key = (JSON.parse(await pawlCommand(args, env)) as { key: string }).key;
        }
        const listen = this.url ? new URL(this.url).host : "127.0.0.1:0";
        const args = ["serve", "--listen", listen, "--log-format", "json", ...this.options];
        this.program = new Program(args, env);
        this.url = await this.program.logged(/"ready".*"url":"([^"]+)"/);
    }

    async kill(): Promise<void> {
        await this.program?.kill();
    }

    async stop(): Promise<void> {
        await this.program?.stop();
    }
}
