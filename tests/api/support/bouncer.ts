import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import pg from "pg";
import { until } from "./until.js";

/** A pgbouncer in transaction mode before a database of the test cluster. */
export class Bouncer {
    private readonly folder = mkdtempSync("/tmp/pawl-bouncer-");
    private process: ChildProcess | undefined;

    constructor(
        private readonly url: string,
        private readonly pool: number,
    ) {}

    async start(): Promise<string> {
        const target = new URL(this.url.replace("@/", "@localhost/"));
        const host = target.searchParams.get("host") ?? "";
        const name = target.pathname.slice(1);
        writeFileSync(
            `${this.folder}/pgbouncer.ini`,
            [
                "[databases]",
                `${name} = host=${host} port=5432 user=postgres`,
                "[pgbouncer]",
                "auth_type = any",
                "pool_mode = transaction",
                `default_pool_size = ${this.pool}`,
                "listen_port = 6432",
                `unix_socket_dir = ${this.folder}`,
                "ignore_startup_parameters = extra_float_digits,options",
            ].join("\n"),
        );
        chmodSync(this.folder, 0o777);
        const root = process.getuid?.() === 0;
        const user = root ? ["--reuid=postgres", "--regid=postgres", "--init-groups"] : [];
        const found = spawnSync("sh", ["-c", "command -v pgbouncer || echo /usr/sbin/pgbouncer"]);
        const program = String(found.stdout).trim();
        const args = ["--pdeathsig", "TERM", ...user, program, `${this.folder}/pgbouncer.ini`];
        this.process = spawn("setpriv", args, { stdio: "ignore" });
        const where = `host=${encodeURIComponent(this.folder)}&port=6432`;
        const url = `postgresql://postgres@/${name}?${where}`;
        await until("pgbouncer answers", async () => {
            const client = new pg.Client({
                host: this.folder,
                port: 6432,
                user: "postgres",
                database: name,
            });
            try {
                await client.connect();
                await client.query("select 1");
                return true;
            } catch {
                return undefined;
            } finally {
                await client.end().catch(() => undefined);
            }
        });
        return url;
    }

    stop(): void {
        this.process?.kill("SIGTERM");
        rmSync(this.folder, { recursive: true, force: true });
    }
}
