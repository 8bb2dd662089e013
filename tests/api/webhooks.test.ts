import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { Pawl } from "@pawl/client";
import { checkedFetch } from "./support/contract.js";
import { Hook } from "./support/hook.js";
import { pawlCommand } from "./support/process.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// What happens to runs, told to those outside: signed, in order, at least once, whatever fails.

interface Webhook {
    id: number;
    secret?: string;
    enabled: boolean;
    disabled_because: string | null;
    failures: number;
    waiting: number;
    channel: string | null;
    queue: string | null;
}
interface Delivery {
    id: string;
    type: string;
    state: string;
    attempts: number;
    status: number | null;
    response: string | null;
    error: string | null;
    next_at: string | null;
}

describe("webhooks", () => {
    const secretKey = Buffer.alloc(32, 7).toString("base64");
    let server: Serve;
    let pawl: Pawl;
    let database: pg.Pool;
    const hooks: Hook[] = [];

    before(async () => {
        server = new Serve(await freshDatabase(), [], { PAWL_SECRET_KEY: secretKey });
        await server.start();
        database = new pg.Pool({ connectionString: server.databaseUrl, max: 2 });
        pawl = new Pawl({ url: server.url, key: server.key, fetch: checkedFetch, retries: 50 });
        await pawl.workflows.apply(
            "name: two\nsteps:\n  - {name: a, code: noop}\n  - {name: b, code: noop}\n",
        );
        await pawl.workflows.apply("name: another\nsteps: [{name: a, code: noop}]\n");
    });
    after(async () => {
        for (const hook of hooks) hook.stop();
        await database.end();
        await server.stop();
    });

    async function call<T>(method: string, path: string, body?: unknown, key = server.key) {
        const response = await checkedFetch(`${server.url}/v1/webhooks${path}`, {
            method,
            headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: (await response.json()) as T };
    }

    async function webhook(more: Record<string, unknown> = {}): Promise<[Hook, number]> {
        const hook = await new Hook().start();
        hooks.push(hook);
        const made = await call<Webhook>("POST", "", { url: hook.url, ...more });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        assert.match(made.body.secret ?? "", /^whsec_[A-Za-z0-9+/]{43}=$/);
        hook.secrets = [made.body.secret ?? ""];
        return [hook, made.body.id];
    }

    const deliveries = async (id: number, query = ""): Promise<Delivery[]> =>
        (await call<{ data: Delivery[] }>("GET", `/${id}/deliveries${query}`)).body.data;

    const forget = (id: number): Promise<unknown> => call("DELETE", `/${id}`);

    test("a run is told in order, and signed", async () => {
        const [hook, id] = await webhook({ name: "all", events: ["*"] });
        const run = await pawl.start("two", { order: 5 });
        await until("the end is told", () => hook.types(run.id).includes("run.completed"));
        assert.deepEqual(hook.types(run.id), [
            "run.started",
            "step.completed",
            "step.completed",
            "run.completed",
        ]);
        assert.ok(hook.told.every((one) => one.signed && one.id.startsWith("evt_")));
        const started = hook.told.find((one) => one.body.type === "run.started");
        assert.deepEqual(started?.body.data["input"], { order: 5 });
        assert.equal(started?.body.data["workflow"], "two");
        const listed = await call<{ data: Webhook[] }>("GET", "");
        assert.doesNotMatch(JSON.stringify(listed.body), /whsec_/, "once and never again");
        assert.equal((await call<Webhook>("GET", `/${id}`)).body.waiting, 0);
        assert.equal((await call("DELETE", `/${id}`)).status, 200);
        assert.equal((await call("GET", `/${id}`)).status, 404);
    });

    test("only the types and workflows that were asked for", async () => {
        const [ends, one] = await webhook({ events: ["run.completed"] });
        const [others, two] = await webhook({ workflows: ["another"] });
        const run = await pawl.start("two");
        await until("the end is told", () => ends.types(run.id).length > 0);
        assert.deepEqual(ends.types(run.id), ["run.completed"]);
        assert.deepEqual(others.told, []);
        await forget(one);
        await forget(two);
    });

    test("a message that fails is tried again, and holds those behind it back", async () => {
        const [hook, id] = await webhook({ retries: [1, 1, 1, 1, 1] });
        const failed = new Set<string>();
        hook.verdict = ({ id }) => {
            if (failed.has(id)) return 200;
            failed.add(id);
            return failed.size % 2 ? 500 : undefined; // says no, or nothing at all
        };
        hook.text = "thanks";
        const runs = await Promise.all([1, 2, 3].map(() => pawl.start("two")));
        for (const run of runs) {
            await until("all is told", () => hook.types(run.id).length === 4);
            assert.deepEqual(hook.types(run.id), [
                "run.started",
                "step.completed",
                "step.completed",
                "run.completed",
            ]);
        }
        const published = await until("all is noted", async () => {
            const all = await deliveries(id, "?state=published");
            return all.length === 12 && all;
        });
        assert.ok(published.every((one) => one.attempts === 2 && one.status === 200));
        assert.ok(published.every((one) => one.response === "thanks" && one.next_at === null));
        await forget(id);
    });

    test("410 disables it; enabled again, it hears the rest", async () => {
        const [hook, id] = await webhook({ events: ["run.started"] });
        hook.verdict = () => 410;
        await pawl.start("two");
        const off = await until("it is disabled", async () => {
            const { body } = await call<Webhook>("GET", `/${id}`);
            return !body.enabled && body;
        });
        assert.match(off.disabled_because ?? "", /410/);
        hook.verdict = () => 200;
        const unheard = await pawl.start("two");
        await pawl.wait(unheard.id);
        assert.equal((await call<Webhook>("POST", `/${id}/enable`)).body.enabled, true);
        const heard = await pawl.start("two");
        await until("it is told again", () => hook.types(heard.id).length === 1);
        assert.deepEqual(hook.types(unheard.id), [], "nothing is kept for who is gone");
        await pawl.wait(heard.id); // the hooks of other tests must not hear of it
        await forget(id);
    });

    test("tests, redeliveries and pages of deliveries", async () => {
        const [hook, id] = await webhook({ retries: [0] });
        hook.verdict = () => 400;
        const sent = await call<{ id: string }>("POST", `/${id}/test`);
        assert.equal(sent.status, 202);
        const failed = await until("it is given up", async () =>
            (await deliveries(id, "?state=failed")).find((one) => one.id === sent.body.id),
        );
        assert.deepEqual([failed.type, failed.attempts, failed.status], ["webhook.test", 2, 400]);
        hook.verdict = () => 200;
        const again = await call("POST", `/${id}/deliveries/${sent.body.id}/redeliver`);
        assert.equal(again.status, 202);
        await until("it came", () => hook.told.length === 1);
        assert.equal(hook.told[0]?.id, sent.body.id);
        for (let i = 0; i < 4; ++i) await call("POST", `/${id}/test`);
        const path = `/${id}/deliveries?limit=2`;
        const page = await call<{ data: Delivery[]; next_cursor: string }>("GET", path);
        const rest = await call<{ data: Delivery[] }>(
            "GET",
            `${path}&cursor=${page.body.next_cursor}`,
        );
        const ids = [...page.body.data, ...rest.body.data].map((one) => one.id);
        assert.equal(new Set(ids).size, 4);
        await forget(id);
    });

    test("a new secret signs beside the old one", async () => {
        const [hook, id] = await webhook();
        const old = hook.secrets;
        const { body } = await call<Webhook>("POST", `/${id}/rotate`);
        assert.notEqual(body.secret, old[0]);
        for (const secrets of [old, [body.secret ?? ""]]) {
            hook.secrets = secrets;
            hook.told.length = 0;
            await call("POST", `/${id}/test`);
            await until("it came", () => hook.told.length === 1);
            assert.ok(hook.told[0]?.signed);
        }
        await forget(id);
    });

    test("many in one request, each with its own id", async () => {
        const [hook, id] = await webhook({ batch_max: 100, events: ["run.*"] });
        await database.query("select pawl.start('two') from generate_series(1, 200)");
        await until("all is told", () => hook.types().length === 400);
        assert.ok(hook.told.every((one) => one.batch && one.signed));
        await forget(id);
    });

    test("an address inside is refused, and the error says what to set", async () => {
        const { body } = await call<Webhook>("POST", "", { url: "http://169.254.169.254/latest" });
        await call("POST", `/${body.id}/test`);
        const refused = await until("it was refused", async () =>
            (await deliveries(body.id)).find((one) => one.error),
        );
        assert.match(refused.error ?? "", /--allow-outbound 169\.254\.169\.254/);
        assert.equal(refused.state, "pending");
        await forget(body.id);
    });

    test("a channel and a queue, of each tenant its own", async () => {
        const client = new pg.Client({ connectionString: server.databaseUrl });
        await client.connect();
        const heard: string[] = [];
        client.on("notification", (one) => heard.push(String(one.payload)));
        await client.query("listen told; select pgmq.create('told_runs')");
        const made = [
            await call<Webhook>("POST", "", { channel: "told", events: ["run.completed"] }),
            await call<Webhook>("POST", "", { queue: "told_runs", events: ["run.completed"] }),
        ];
        assert.deepEqual(
            made.map((one) => [one.status, one.body.secret]),
            [
                [201, undefined],
                [201, undefined],
            ],
        );
        const run = await pawl.start("two");
        await until("the channel heard", () => heard.some((one) => one.includes(run.id)));
        await until("the queue has it", async () => {
            const { rows } = await client.query("select message from pgmq.q_told_runs");
            return rows.some((row) => row.message.data.run_id === run.id);
        });
        for (const one of made) await forget(one.body.id);
        await pawlCommand(["tenants", "create", "ann"], { DATABASE_URL: server.databaseUrl });
        const key = await createKey(server.databaseUrl, ["admin"], "ann");
        const hers = [
            await call<Webhook>("POST", "", { channel: "told", events: ["run.started"] }, key),
            await call<Webhook>("POST", "", { queue: "told_runs", events: ["run.started"] }, key),
        ];
        assert.deepEqual(
            hers.map((one) => one.status),
            [201, 201],
        );
        const { rows: tenants } = await client.query(
            "select id from pawl.tenant where name = 'ann'",
        );
        const queue = `t${tenants[0].id}_told_runs`;
        assert.match(hers[0]!.body.channel!, /^told_[0-9a-f]{24}$/);
        assert.equal(hers[1]!.body.queue, queue);
        await client.query(`listen ${hers[0]!.body.channel}`);
        const ann = new Pawl({ url: server.url, key, fetch: checkedFetch });
        await ann.workflows.apply({ name: "two", steps: [{ name: "a", code: "noop" }] });
        const theirs = await ann.start("two");
        const inQueue = async (name: string): Promise<string[]> =>
            (await client.query(`select message from pgmq.q_${name}`)).rows.map(
                (row) => row.message.data.run_id,
            );
        await until("her channel heard", () => heard.some((one) => one.includes(theirs.id)));
        await until("her queue has it", async () => (await inQueue(queue)).includes(theirs.id));
        assert.deepEqual(await inQueue(queue), [theirs.id]);
        assert.ok(!(await inQueue("told_runs")).includes(theirs.id));
        // No other tenant can name it, and only roles of its own tenant read it.
        const intruder = await call("POST", "", { queue });
        assert.equal(intruder.status, 422);
        const suffix = randomUUID().slice(0, 8);
        const [own, other] = [`own_${suffix}`, `other_${suffix}`];
        await pawlCommand(["tenants", "create", "bob"], { DATABASE_URL: server.databaseUrl });
        await client.query(`create role ${own}; create role ${other}`);
        await client.query(
            `select pawl.bind_role('${own}', 'ann'), pawl.bind_role('${other}', 'bob')`,
        );
        await client.query(`set role ${own}`);
        const { rows: got } = await client.query(
            `select message from pgmq.read('${queue}', 0, 10)`,
        );
        assert.equal(got[0].message.data.run_id, theirs.id);
        await client.query(`set role ${other}`);
        await assert.rejects(
            client.query(`select * from pgmq.read('${queue}', 0, 10)`),
            /permission/,
        );
        await client.query("reset role");
        await client.query(`select pawl.bind_role('${own}', 'bob')`);
        await client.query(`set role ${own}`);
        await assert.rejects(
            client.query(`select * from pgmq.read('${queue}', 0, 10)`),
            /permission/,
        );
        await client.query("reset role");
        const seen = (await call<{ data: Webhook[] }>("GET", "", undefined, key)).body.data;
        assert.deepEqual(
            seen.map((one) => one.id),
            hers.map((one) => one.body.id),
        );
        for (const one of hers) await call("DELETE", `/${one.body.id}`, undefined, key);
        await client.end();
    });

    test("what cannot be a webhook is refused", async () => {
        for (const wrong of [
            {},
            { url: "ftp://example.com" },
            { url: "https://a", channel: "b" },
            { url: "https://a", events: ["a b"] },
            { url: "https://a", events: ["run.faild"] },
            { url: "https://a", events: [] },
            { url: "https://a", workflows: ["nosuch"] },
            { url: "https://a", retries: [-1] },
            { url: "https://a", secret: "mine" },
            { channel: "pawl_wake" },
        ]) {
            assert.equal((await call("POST", "", wrong)).status, 422, JSON.stringify(wrong));
        }
        for (const path of ["/999999", "/x"]) {
            assert.equal((await call("GET", path)).status, 404);
            assert.equal((await call("POST", `${path}/test`)).status, 404);
        }
        assert.equal((await call("POST", "/1/deliveries/evt_x/redeliver")).status, 404);
    });

    test("from the command line", async () => {
        const hook = await new Hook().start();
        hooks.push(hook);
        const env = { DATABASE_URL: server.databaseUrl, PAWL_SECRET_KEY: secretKey };
        const create = ["webhooks", "create", "--url", hook.url, "--event", "run.*"];
        const made = JSON.parse(await pawlCommand([...create, "-o", "json"], env)) as Webhook;
        hook.secrets = [made.secret ?? ""];
        const id = String(made.id);
        await pawlCommand(["webhooks", "test", id], env);
        await until("it came", () => hook.told.length === 1);
        assert.ok(hook.told[0]?.signed);
        assert.match(await pawlCommand(["webhooks", "list"], env), /run\.\*/);
        const told = hook.told[0]?.id ?? "";
        await until("it is noted", async () =>
            (await pawlCommand(["webhooks", "deliveries", id], env)).includes("published"),
        );
        await pawlCommand(["webhooks", "redeliver", id, told], env);
        await until("it came again", () => hook.told.length === 2);
        assert.match(await pawlCommand(["webhooks", "rotate", id], env), /^whsec_/);
        await pawlCommand(["webhooks", "delete", id], env);
        await assert.rejects(pawlCommand(["webhooks", "show", id], env));
    });

    test("kill -9 in the middle: everything arrives, once for each id, in order", async () => {
        const [hook, id] = await webhook({ retries: Array<number>(20).fill(1) });
        const count = 40;
        let answers = 0;
        // Every third request gets no answer: whether it was taken is unknown to the sender.
        hook.verdict = () => (++answers % 3 === 0 ? undefined : 200);
        const name = `two-${randomUUID()}`;
        await pawl.workflows.apply(
            `name: ${name}\nsteps:\n  - {name: a, code: noop}\n  - {name: b, code: noop}\n`,
        );
        await database.query("select pawl.start($1) from generate_series(1, $2)", [name, count]);
        await until("some is told", () => hook.told.length > count / 2);
        await server.kill();
        const before = hook.told.length;
        await server.start();
        const all = await until(
            "all is told",
            () => new Set(hook.told.map((one) => one.id)).size === count * 4 && hook.told,
            90_000,
        );
        assert.ok(all.length >= count * 4 && before < count * 4);
        const runs = new Set(all.map((one) => String(one.body.data["run_id"])));
        assert.equal(runs.size, count);
        for (const run of runs) {
            assert.deepEqual(
                hook.types(run),
                ["run.started", "step.completed", "step.completed", "run.completed"],
                run,
            );
        }
        await until(
            "all is noted",
            async () => (await deliveries(id, "?state=pending")).length === 0,
        );
        const { rows } = await database.query(
            "select state, count(*)::int as n from pawl.outbox where target = $1 group by state",
            [id],
        );
        assert.deepEqual(rows, [{ state: 2, n: count * 4 }]);
    });
});
