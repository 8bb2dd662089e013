import { Pawl, type Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch } from "./support/contract.js";
import { pawlCommand, pawlExit } from "./support/process.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { within } from "./support/until.js";

// A tenant that may use SQL holds a transaction open and makes its own requests wait for it.
// Requests of another tenant, which go to the database in the same batches, do not.
describe("a hostile tenant", () => {
    let server: Serve;
    let url = "";
    let admin: pg.Client;
    let thief: pg.Client;
    const clients: Record<string, Pawl> = {};

    before(async () => {
        url = await freshDatabase();
        server = new Serve(url);
        await server.start();
        admin = new pg.Client({ connectionString: url });
        await admin.connect();
        const login = `evil_${process.pid}`;
        await admin.query(`create role ${login} login`);
        for (const tenant of ["acme", "evil"]) {
            await pawlCommand(["tenants", "create", tenant], { DATABASE_URL: url });
            const key = await createKey(url, ["admin"], tenant);
            const client = new Pawl({ url: server.url, key, fetch: checkedFetch });
            clients[tenant] = client;
            await client.workflows.apply({
                name: "w",
                triggers: [{ event: "go" }],
                steps: [
                    { name: "in", lock: { key: "k" } },
                    { name: "s", code: "noop" },
                    { name: "out", unlock: { key: "k" } },
                ],
            } as unknown as Definition);
        }
        await admin.query(`select pawl.bind_role('${login}', 'evil')`);
        thief = new pg.Client({ connectionString: url.replace("postgres@", `${login}@`) });
        await thief.connect();
    });
    after(async () => {
        await thief.end();
        await admin.end();
        await server.stop();
    });

    test("stops no other with a list of large results", async () => {
        const { acme, evil } = clients as { acme: Pawl; evil: Pawl };
        await evil.workflows.apply({
            name: "large",
            nodes: [
                {
                    id: "each",
                    type: "foreach",
                    config: { items: "{{ input.items }}", concurrency: 500 },
                },
                { id: "copy", code: "echo", input: { text: "{{ input.text }}" } },
            ],
            edges: [{ from: "each", to: "copy", handle: "each" }],
        } as unknown as Definition);
        const text = "x".repeat(900_000);
        const items = Array.from({ length: 500 }, (_, i) => i);
        const large = (await evil.start("large", { items, text })).id;
        const ended = evil.wait(large, { timeout: 60_000 });
        for (let i = 0; i < 20; ++i) {
            const run = (await acme.start("w", {})).id;
            const status = (await within("a run", acme.wait(run, { timeout: 60_000 }))).status;
            assert.equal(status, "completed");
        }
        const whole = await within("the large run", ended);
        assert.equal(whole.status, "failed");
        assert.equal(whole.error?.code, "log_full");
    });

    test("makes no other wait for its open transaction", async () => {
        const { acme, evil } = clients as { acme: Pawl; evil: Pawl };
        await thief.query("select pg_advisory_lock(hashtext('pawl.definition'))");
        await thief.query("begin");
        await thief.query("select pawl.start('w', correlation_id => 'held')");
        await thief.query("select pawl.emit('go', id => 'held')");
        const stuck: Promise<unknown>[] = [];
        try {
            await othersGoOn(acme, evil, stuck);
        } finally {
            await thief.query("rollback");
            await thief.query("select pg_advisory_unlock_all()");
        }
        await within("what waited is answered", Promise.all(stuck), 30_000);
    });

    async function othersGoOn(acme: Pawl, evil: Pawl, stuck: Promise<unknown>[]): Promise<void> {
        for (let round = 0; round < 10; round++) {
            stuck.push(evil.start("w", {}, { correlationId: "held" }).catch(() => undefined));
            stuck.push(evil.inbox.publish({ id: "held", name: "go" }).catch(() => undefined));
            const mine = async (): Promise<void> => {
                const { id } = await acme.start("w", {}, { correlationId: `mine-${round}` });
                const run = await acme.wait(id, { timeout: 20_000 });
                assert.equal(run.status, "completed");
                await acme.inbox.publish({ id: `mine-${round}`, name: "other" });
            };
            await within(`round ${round} of the other tenant`, mine(), 20_000);
        }
        const definition = { name: "w2", steps: [{ name: "s", code: "noop" }] };
        await within(
            "the other tenant publishes",
            acme.workflows.apply(definition as unknown as Definition),
            20_000,
        );
    }

    test("sends nothing to a terminal that it would act on", async () => {
        const { evil } = clients as { evil: Pawl };
        const bad = "\u001b[2J\u009b1m\u202etxt\r\nerror: forged";
        await evil.workflows.apply({
            name: "talk",
            steps: [
                {
                    name: "fail",
                    transform: { jq: "error(.text)", input: { text: "{{ text }}" } },
                    retry: { attempts: 1 },
                },
            ],
        } as unknown as Definition);
        const { id } = await evil.start("talk", { text: bad }, { subject: bad });
        assert.equal((await evil.wait(id, { timeout: 60_000 })).status, "failed");
        const env = { DATABASE_URL: url, PAWL_TENANT: "evil" };
        for (const args of [
            ["runs", "why", id],
            ["runs", "show", id],
            ["runs", "show", id, "-o", "yaml"],
            ["runs", "show", id, "-o", "json"],
            ["runs", "list"],
            ["runs", "watch", id],
            ["dead-letters", "list"],
        ]) {
            const { stdout, stderr } = await pawlExit(args, env);
            assert.match(stdout, /forged|[0-9a-f-]{36}/, args.join(" "));
            assert.doesNotMatch(
                stdout + stderr,
                /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/,
                args.join(" "),
            );
            assert.doesNotMatch(stdout, /^error: forged/m, args.join(" "));
        }
    });
});
