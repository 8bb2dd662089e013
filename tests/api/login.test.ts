import { Pawl, type Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import pg from "pg";
import { source } from "./support/paths.js";
import { pawlCommand, pawlExit, Program } from "./support/process.js";
import { createKey, Serve } from "./support/serve.js";
import { until, within } from "./support/until.js";

// The logins of docs/tenants.md and docs/deploy.md, made as these pages say in a cluster of their
// own, can do everything that they are for. Neither is a superuser.

const run = promisify(execFile);

/** A cluster without roles of its own. */
class Cluster {
    host = "";
    private child: ChildProcess | undefined;

    async start(): Promise<void> {
        const script = "echo $PGHOST; cat > /dev/null";
        this.child = spawn(`${source}scripts/with-postgres`, ["sh", "-c", script], {
            stdio: ["pipe", "pipe", "inherit"],
        });
        const lines = createInterface({ input: this.child.stdout! });
        const [line] = (await within("the cluster is up", once(lines, "line"), 60_000)) as [string];
        this.host = line;
    }
    async stop(): Promise<void> {
        const over = once(this.child!, "exit");
        this.child!.stdin!.end();
        await over;
    }
    url(user: string, database: string): string {
        return `postgresql://${user}@/${database}?host=${encodeURIComponent(this.host)}`;
    }
    /** A command of PostgreSQL, as an administrator. */
    async shell(command: string): Promise<string> {
        const env = {
            ...process.env,
            PGHOST: this.host,
            PGUSER: "postgres",
            PGDATABASE: "postgres",
        };
        return (await run("sh", ["-ec", command], { env })).stdout;
    }
    async query(user: string, database: string, sql: string): Promise<pg.QueryResult> {
        const client = new pg.Client({ host: this.host, user, database });
        await client.connect();
        try {
            return await client.query(sql);
        } finally {
            await client.end();
        }
    }
}

/** The block of SQL that follows on a sentence of a page. */
function blockAfter(page: string, sentence: string): string {
    const text = readFileSync(`${source}docs/${page}`, "utf8");
    const rest = text.slice(text.indexOf(sentence));
    const block = /```sql\n([^`]*)```/.exec(rest);
    assert.ok(text.includes(sentence) && block, `${page} has no block after "${sentence}"`);
    return block[1]!;
}

/** Everything that the service does with the database, once. */
async function workWith(
    server: Serve,
    cluster: Cluster,
    login: string,
    owner: string,
): Promise<void> {
    const name = "pawl";
    const url = cluster.url(login, name);
    const env = { DATABASE_URL: url, PAWL_SECRET_KEY: Buffer.alloc(32, 1).toString("base64") };
    await pawlCommand(["tenants", "create", "acme"], env);
    await pawlCommand(["tenants", "limit", "acme", "--open-runs", "1000"], env);
    const key = await createKey(url, ["admin"], "acme");
    const pawl = new Pawl({ url: server.url, key });
    const own = new Pawl({ url: server.url, key: server.key });
    await own.workflows.apply({
        name: "steps",
        triggers: [{ event: "order.paid" }, { cron: "0 9 1 1 *", timezone: "UTC" }],
        flow: { concurrency: { limit: 5 } },
        steps: [
            { name: "ask", sql: { statement: "select 1 as one" } },
            { name: "in", lock: { key: "k" } },
            { name: "out", unlock: { key: "k" } },
        ],
    } as unknown as Definition);
    const { id } = await own.start("steps");
    const done = await own.wait(id, { timeout: 60_000 });
    assert.equal(done.status, "completed", JSON.stringify(done.error));
    await pawl.workflows.apply({
        name: "wait",
        steps: [{ name: "w", wait: { signal: "go" } }],
    } as unknown as Definition);
    const waiting = await pawl.start("wait");
    await pawl.signal(waiting.id, "go");
    assert.equal((await pawl.wait(waiting.id, { timeout: 60_000 })).status, "completed");
    const call = (who: string, method: string, path: string, body: unknown): Promise<Response> =>
        fetch(server.url + path, {
            method,
            headers: { Authorization: `Bearer ${who}`, "Content-Type": "application/json" },
            body: JSON.stringify(body),
        });
    const put = await call(key, "PUT", "/v1/credentials/token", { value: "s3cret" });
    assert.equal(put.status, 200, await put.text());

    // Messages to channels and queues, of the first tenant and of another.
    const webhook = async (who: string, body: unknown): Promise<void> => {
        const answer = await call(who, "POST", "/v1/webhooks", body);
        assert.equal(answer.status, 201, await answer.text());
    };
    await cluster.query(owner, name, "select pgmq.create('told')");
    await webhook(server.key, { queue: "told", events: ["run.completed"] });
    await webhook(server.key, { channel: "told", events: ["run.completed"] });
    await webhook(key, { queue: "told", events: ["run.completed"] });
    await own.wait((await own.start("steps")).id, { timeout: 60_000 });
    await pawl.signal((await pawl.start("wait")).id, "go");
    await until("queues and channels were told", async () => {
        const { rows } = await cluster.query(
            "postgres",
            name,
            "select count(*) filter (where state = 2)::int as told, " +
                "coalesce(max(error), '') as error from pawl.outbox",
        );
        const { told, error } = rows[0] as { told: number; error: string };
        assert.equal(error, "");
        return told >= 3 ? true : undefined;
    });
    // A message of a queue starts a run.
    await cluster.query(
        owner,
        name,
        `select pgmq.send('workflow_queue', '{"workflow_name": "steps", "current_step": 0}')`,
    );
    await until("the queue has started a run", async () => {
        const runs = await own.list({ workflow: "steps" }).take(10);
        return runs.length >= 3 ? true : undefined;
    });
    const metrics = await (
        await fetch(`${server.url}/metrics`, {
            headers: { Authorization: `Bearer ${server.key}` },
        })
    ).text();
    assert.match(metrics, /pawl_/);
    for (const command of [
        ["runs", "list"],
        ["limits", "list"],
        ["dead-letters", "list"],
        ["events", "list"],
        ["schedules", "list"],
        ["tasks", "list"],
        ["jobs", "list"],
        ["webhooks", "list"],
        ["workflows", "list"],
        ["versions", "list", "steps"],
        ["keys", "list"],
    ]) {
        await pawlCommand(command, env);
    }
    const doctor = await pawlExit(["doctor", "-o", "json"], env);
    // The throw-away cluster trades durability for speed, and that is all there is to find.
    for (const line of doctor.stdout.split("\n")) {
        if (/"fail"|"warn"/.test(line)) assert.match(doctor.stdout, /settings/);
    }
    assert.doesNotMatch(doctor.stdout + doctor.stderr, /permission denied|may not/);
    // It waits for no lock: with a busy server it is asked again, as the server itself does.
    const retire =
        "select pawl.ensure_partitions(9); select * from pawl.drop_old_partitions('1 day')";
    await until("old partitions are dropped", async () => {
        try {
            return await cluster.query(login, name, retire);
        } catch (error) {
            if ((error as { code?: string }).code !== "55P03") throw error;
            return undefined;
        }
    });
}

describe("the logins that the pages speak of", () => {
    const cluster = new Cluster();
    const home = mkdtempSync(`${tmpdir()}/pawl-login-`);

    before(() => cluster.start());
    after(async () => {
        await cluster.stop();
        rmSync(home, { recursive: true });
    });

    test("an owner that migrates and a service that owns nothing", async () => {
        const block = blockAfter("tenants.md", "Run the service with a login that owns nothing");
        for (const statement of block.replaceAll(/--.*$/gm, "").split(";")) {
            if (statement.trim()) await cluster.query("postgres", "postgres", statement);
        }
        const owner = cluster.url("pawl_owner", "pawl");
        const app = cluster.url("pawl_app", "pawl");
        const migrated = await pawlExit(["migrate", "up"], { DATABASE_URL: owner });
        assert.equal(migrated.code, 0, migrated.stderr);
        assert.doesNotMatch(migrated.stderr, /not complete/);
        const env = { PAWL_SECRET_KEY: Buffer.alloc(32, 1).toString("base64") };
        const server = new Serve(app, ["--retention", "7d", "--unsafe-sql-as-engine"], env);
        await server.start();
        const worker = new Program(["worker", "--unsafe-sql-as-engine", "--log-format", "json"], {
            DATABASE_URL: app,
            ...env,
        });
        try {
            await workWith(server, cluster, "pawl_app", "pawl_owner");
            // What is for the owner of the schema: logins of tenants, and of steps.
            await cluster.shell(
                `psql -qX -c "create role acme_app login; create role steps login"`,
            );
            await cluster.query("pawl_owner", "pawl", "select pawl.bind_role('acme_app', 'acme')");
            await cluster.query("pawl_owner", "pawl", "select pawl.allow_sql_role('steps')");
            await cluster.query("pawl_owner", "pawl", "select pawl.allow_sql_api('steps')");
            const { rows } = await cluster.query(
                "acme_app",
                "pawl",
                "select pawl.start('wait') is not null as started",
            );
            assert.deepEqual(rows, [{ started: true }]);
            await until("figures were taken", async () => {
                const taken = await cluster.query(
                    "postgres",
                    "pawl",
                    "select 1 from pawl.figures where figures @> '[[\"pawl_tasks_due\"]]'::jsonb" +
                        " or figures::text like '%pawl_queue_messages%'",
                );
                return taken.rowCount === 1 ? true : undefined;
            });
        } finally {
            await server.stop();
            await worker.stop();
        }
        assert.doesNotMatch(worker.log, /permission denied/);
        assert.doesNotMatch(server.log, /permission denied/);
    });

    test("a backup by its own login, restored under the owner it had", async () => {
        await cluster.shell(
            `psql -qX -c "create role pawl_backup login bypassrls in role pg_read_all_data"`,
        );
        await cluster.shell(`pg_dump -Fc -U pawl_backup -f ${home}/pawl.dump pawl`);
        await cluster.shell(`psql -qX -c "drop database pawl with (force)"`);
        await cluster.shell(`createdb -O pawl_owner pawl`);
        await cluster.shell(`pg_restore --no-owner --role=pawl_owner -d pawl ${home}/pawl.dump`);
        const owner = cluster.url("pawl_owner", "pawl");
        const migrated = await pawlExit(["migrate", "up"], { DATABASE_URL: owner });
        assert.equal(migrated.code, 0, migrated.stderr);
        const app = cluster.url("pawl_app", "pawl");
        const server = new Serve(app, ["--unsafe-sql-as-engine"]);
        await server.start();
        const pawl = new Pawl({ url: server.url, key: server.key });
        const { id } = await pawl.start("steps");
        const done = await pawl.wait(id, { timeout: 60_000 });
        assert.equal(done.status, "completed", JSON.stringify(done.error));
        await server.stop();
        await cluster.shell(`psql -qX -c "drop database pawl with (force)"`);
    });

    test("one login that owns the database, as the Debian package has it", async () => {
        const page = readFileSync(`${source}docs/deploy.md`, "utf8");
        const lines = [...page.matchAll(/^sudo -u postgres (.*)$/gm)].map((found) => found[1]!);
        assert.ok(lines.length >= 3, "docs/deploy.md says how the login is made");
        for (const line of lines) {
            // The roles of the cluster are there from the tests before.
            await cluster
                .shell(line.replaceAll(/create role (\w+) nologin;?/g, ""))
                .catch((error) => {
                    if (!/already exists/.test(String(error))) throw error;
                });
        }
        const url = cluster.url("pawl", "pawl");
        const migrated = await pawlExit(["migrate", "up"], { DATABASE_URL: url });
        assert.equal(migrated.code, 0, migrated.stderr);
        assert.doesNotMatch(migrated.stderr, /not complete/);
        const env = { PAWL_SECRET_KEY: Buffer.alloc(32, 1).toString("base64") };
        const server = new Serve(url, ["--unsafe-sql-as-engine"], env);
        await server.start();
        try {
            await workWith(server, cluster, "pawl", "pawl");
        } finally {
            await server.stop();
        }
        assert.doesNotMatch(server.log, /permission denied/);
    });
});
