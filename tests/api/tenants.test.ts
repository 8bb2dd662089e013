import { Pawl, type Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { checkedFetch, operations, type Operation } from "./support/contract.js";
import { pawlCommand } from "./support/process.js";
import { RawStream } from "./support/raw_stream.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { until } from "./support/until.js";

// Two tenants who try every route of the document against each other, on a server whose role owns
// nothing. What belongs to the first has the word "secret" in it.

const definition = {
    name: "secret_flow",
    description: "secret",
    triggers: [{ cron: "0 9 1 1 *", timezone: "UTC" }],
    steps: [{ id: "ask", type: "human", config: { title: "secret", assignee: "secret" } }],
};
const failing = {
    name: "secret_failing",
    steps: [{ id: "secret_step", transform: { jq: 'error("secret")' } }],
};

// What stands for the parameters of a path, by what it is a path of.
interface Things {
    run: string;
    closed: string;
    task: string;
    schedule: string;
    job: string;
    webhook: string;
    otherWebhook: string; // the one that its owner deletes
    delivery: string;
}

const bodies: Record<string, (things: Things) => unknown> = {
    startRun: () => ({ workflow: "secret_flow" }),
    startRuns: () => ({ runs: [{ workflow: "secret_flow" }] }),
    skipStep: () => ({ node: "ask", reason: "mine" }),
    settleStep: () => ({ node: "ask", as: "failed" }),
    setCanary: () => ({ shares: [] }),
    switchWorkflow: () => ({ on: true }),
    impactOfVersion: () => ({ to: "1" }),
    migrateRuns: () => ({ to: "1" }),
    bulkRuns: () => ({ action: "pause", filter: { workflow: "secret_flow" } }),
    signalRun: () => ({ name: "go" }),
    publishEvents: () => ({ name: "stolen", data: {} }),
    applyWorkflow: () => ({ name: "thief_flow", steps: [{ name: "s", code: "noop" }] }),
    validateWorkflow: () => ({ name: "mine", steps: [{ name: "s", code: "noop" }] }),
    approveTask: () => ({ by: "secret" }),
    rejectTask: () => ({ by: "secret", reason: "no" }),
    claimTask: () => ({ by: "secret" }),
    unclaimTask: () => ({ by: "secret" }),
    delegateTask: () => ({ by: "secret", to: "me" }),
    linkTask: () => ({ by: "secret" }),
    putCredential: () => ({ value: "secret" }),
    approveRun: () => ({ approved: true, by: "secret" }),
    rejectRun: () => ({ by: "secret" }),
    startWorkflowRun: () => ({ workflow_type: "secret_flow", payload: { x: 1 } }),
    backfillSchedule: () => ({ from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }),
    workflowEnqueue: (things) => ({ action: "status", payload: { execution_id: things.run } }),
    workflowOrchestrator: () => ({ action: "process" }),
    movePeople: () => ({ action: "exit", at: "ask", reason: "mine" }),
    sendTestMessage: () => ({ channel: "email", to: "thief@example.com" }),
};

function pathOf(operation: Operation, things: Things): string {
    const isAboutClosed = ["retryRun", "rerunRun", "replayDeadLetter"].includes(operation.id);
    const id = operation.path.startsWith("/v1/webhooks")
        ? operation.id === "deleteWebhook"
            ? things.otherWebhook
            : things.webhook
        : operation.path.startsWith("/v1/tasks")
          ? things.task
          : operation.path.startsWith("/v1/schedules")
            ? things.schedule
            : operation.path.startsWith("/v1/jobs")
              ? things.job
              : isAboutClosed
                ? things.closed
                : things.run;
    return operation.path
        .replace("{name}", operation.id === "putCredential" ? "anybodys" : "secret_flow")
        .replace("{version}", "1")
        .replace("{run}", things.run)
        .replace("{delivery}", things.delivery)
        .replace("{connector}", "secret_flow")
        .replace("{account}", "secret_flow")
        .replace("{key}", "secret_flow")
        .replace("{fingerprint}", "0123456789abcdef")
        .replace("{id}", id)
        .concat(operation.id === "diffVersions" ? "?from=1&to=1" : "");
}

describe("two tenants", () => {
    const state: { server?: Serve; owner?: pg.Pool; watcher?: pg.Client; things?: Things } = {};
    const keys: Record<string, string> = {};
    let secret: Pawl;
    let thief: Pawl;

    before(async () => {
        const ownerUrl = await freshDatabase();
        state.owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
        state.watcher = new pg.Client({ connectionString: ownerUrl });
        await state.watcher.connect();
        // Just-in-time compilation would cost the digest more than all else.
        await state.watcher.query("set jit = off");
        await state.owner.query(`do $$ begin
            create role pawl_test_app login; grant pawl_worker, pawl_api to pawl_test_app;
        exception when duplicate_object or unique_violation then null; end $$`);
        const appUrl = ownerUrl.replace("postgres@", "pawl_test_app@");
        state.server = new Serve(appUrl, [], {
            PAWL_LINK_SECRET: "links of the tenants test",
            PAWL_SECRET_KEY: "00".repeat(32),
        });
        await state.server.start();
        for (const name of ["secret", "thief"]) {
            await pawlCommand(["tenants", "create", name], { DATABASE_URL: appUrl });
            keys[name] = await createKey(appUrl, ["admin"], name);
        }
        keys["unable"] = await createKey(appUrl, ["events:write"], "thief");
        keys["unable too"] = await createKey(appUrl, ["runs:read"], "thief");
        const clientOf = (name: string): Pawl =>
            new Pawl({ url: state.server!.url, key: keys[name]!, fetch: checkedFetch });
        secret = clientOf("secret");
        thief = clientOf("thief");
        await state.watcher.query("select pawl.use_tenant('secret')");
        state.things = await makeThings();
    });

    after(async () => {
        await state.server?.stop();
        await state.watcher?.end();
        await state.owner?.end();
    });

    async function makeThings(): Promise<Things> {
        await secret.workflows.apply(definition as unknown as Definition);
        await secret.workflows.apply(failing as unknown as Definition);
        const run = (await secret.start("secret_flow", { x: "secret" })).id;
        const closed = (await secret.start("secret_failing")).id;
        await secret.wait(closed, { timeout: 60_000 });
        const task = await until("a task", async () => (await secret.tasks.list({ run }).all())[0]);
        await call("secret", "PUT", "/v1/credentials/secret_flow", { value: "secret" });
        const [schedule] = await secret.schedules.list().take(1);
        const job = await call("secret", "POST", "/v1/dead-letters/replay", {
            workflow: "secret_other",
        });
        const [webhook, delivery] = await makeWebhook();
        const other = {
            name: "secret",
            url: "https://example.com/secret",
            events: ["run.resumed"],
        };
        const { text } = await call("secret", "POST", "/v1/webhooks", other);
        return {
            webhook,
            otherWebhook: String((JSON.parse(text) as { id: number }).id),
            delivery,
            run,
            closed,
            task: task.id,
            schedule: String(schedule!.id),
            job: (JSON.parse(job.text) as { id: string }).id,
        };
    }

    /** One that has given up, so that nothing of it changes by itself. */
    async function makeWebhook(): Promise<[id: string, delivery: string]> {
        const gone = createServer((_, response) => response.writeHead(410).end());
        await new Promise<void>((listening) => gone.listen(0, "127.0.0.1", listening));
        const { port } = gone.address() as AddressInfo;
        const made = await call("secret", "POST", "/v1/webhooks", {
            name: "secret",
            url: `http://127.0.0.1:${port}/secret`,
            events: ["run.resumed"],
        });
        const { id } = JSON.parse(made.text) as { id: number };
        const sent = await call("secret", "POST", `/v1/webhooks/${id}/test`, {});
        await until("a webhook that is disabled", async () => {
            const { text } = await call("secret", "GET", `/v1/webhooks/${id}`);
            return (JSON.parse(text) as { enabled: boolean }).enabled ? undefined : true;
        });
        gone.close();
        return [String(id), (JSON.parse(sent.text) as { id: string }).id];
    }

    async function call(
        who: string | undefined,
        method: string,
        path: string,
        body?: unknown,
    ): Promise<{ status: number; text: string }> {
        const headers: Record<string, string> = { "Content-Type": "application/json" };
        if (who) headers["Authorization"] = `Bearer ${keys[who]}`;
        const isStream = /\/stream$/.test(path);
        const response = await checkedFetch(state.server!.url + path, {
            method,
            headers,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (isStream && response.status === 200) {
            await response.body?.cancel();
            return { status: 200, text: "" };
        }
        return { status: response.status, text: await response.text() };
    }

    function ask(who: string | undefined, operation: Operation): ReturnType<typeof call> {
        const things = state.things!;
        const body = ["post", "put"].includes(operation.method)
            ? (bodies[operation.id]?.(things) ?? {})
            : undefined;
        return call(who, operation.method.toUpperCase(), pathOf(operation, things), body);
    }

    /** All that is the first tenant's, as one number. */
    async function digest(): Promise<string> {
        const { rows } = await state.owner!.query<{ name: string; condition: string }>(`
            select c.relname as name, pawl.row_condition(c.oid) as condition
              from pg_class c
             where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p')
               and not c.relispartition and c.relname not in ('schedule', 'job', 'run_rate')
               and pawl.row_condition(c.oid) is not null
             order by 1`);
        const sums = rows.map(
            ({ name, condition }) =>
                `select '${name} ' || coalesce(md5(string_agg(x, ',' order by x)), '') as part
                   from (select ${name}::text as x from pawl.${name} where ${condition}) as q`,
        );
        const all = await state.watcher!.query<{ part: string }>(sums.join(" union all "));
        return all.rows.map(({ part }) => part).join("\n");
    }

    // Sessions are those of the caller: session.test.ts has them.
    const asked = operations.filter(
        (one) =>
            !["public", "token", "signature"].includes(one.scope) &&
            !one.path.startsWith("/v1/session"),
    );

    // What is about all tenants is for keys of the default one.
    const isOfAll = (path: string): boolean =>
        /^\/v1\/(workers|queues|tenants|doctor)\b/.test(path);
    for (const operation of asked) {
        test(`${operation.method.toUpperCase()} ${operation.path}`, async () => {
            const before = await digest();
            assert.equal((await ask(undefined, operation)).status, 401, "anonymous");
            const unable = ["unable", "unable too"].find(
                (one) =>
                    !(one === "unable" ? "events:write" : "runs:read").includes(operation.scope),
            )!;
            assert.equal((await ask(unable, operation)).status, 403, "a key without the scope");

            const answer = await ask("thief", operation);
            // A name that is put belongs to the tenant that puts it.
            const isOwn =
                operation.method === "put" ||
                operation.id.endsWith("subscribePerson") ||
                ["erasePerson", "getTimeline"].includes(operation.id) ||
                /^\/v1\/people\/\{key\}\/(links|line-link)$/.test(operation.path);
            if (isOfAll(operation.path)) assert.equal(answer.status, 403, answer.text);
            else if (operation.path.includes("{") && !isOwn)
                assert.equal(answer.status, 404, answer.text);
            const told = answer.text
                .replaceAll("secret_flow", "")
                .replaceAll("assignee is secret", "");
            // A credential of a connector may be called so.
            if (operation.id !== "listConnectors") assert.doesNotMatch(told, /secret/);
            assert.equal(await digest(), before, "something of the other tenant was changed");
        });
    }

    test("names are each tenant's own", async () => {
        const steps = [{ name: "s", code: "noop" }];
        const mine = { name: "secret_flow", steps } as unknown as Definition;
        assert.equal((await thief.workflows.apply(mine)).version, 1);
        const run = await thief.start("secret_flow");
        assert.equal((await thief.wait(run.id, { timeout: 60_000 })).status, "completed");
        assert.equal((await secret.workflows.get("secret_flow")).version, 1);
        const listed = (await thief.list().take(1000)).map((one) => one.id);
        assert.ok(listed.includes(run.id) && !listed.includes(state.things!.run));
    });

    test("the same keys of idempotency and correlation are two tenants' own", async () => {
        const start = (who: string): ReturnType<typeof call> =>
            call(who, "POST", "/v1/runs", { workflow: "secret_flow", correlation_id: "same" });
        const [mine, theirs] = [await start("secret"), await start("thief")];
        assert.equal(mine.status, 201);
        assert.equal(theirs.status, 201);
        assert.notEqual(JSON.parse(mine.text).id, JSON.parse(theirs.text).id);
    });

    test("the live feed of one shows nothing of the other", async () => {
        const response = await fetch(`${state.server!.url}/v1/stream`, {
            headers: { Authorization: `Bearer ${keys["thief"]}` },
        });
        const stream = new RawStream(response);
        const hidden = await secret.start("secret_failing");
        await secret.wait(hidden.id, { timeout: 60_000 });
        const shown = await thief.start("secret_flow");
        const seen: string[] = [];
        while (!seen.some((text) => text.includes(shown.id))) {
            seen.push(JSON.stringify(await stream.next()));
        }
        assert.ok(!seen.some((text) => text.includes(hidden.id)), seen.join("\n"));
        await response.body?.cancel().catch(() => undefined);
    });

    // The metrics are of the whole process: only keys of the default tenant open them.
    // Of connectors, messages, people, templates, tests and muted errors there are none here.
    const things = "connectors|messages|people|templates|keys|members";
    const missing = new RegExp(`^/v1/(${things})/{|/(draft|mute|tests|run)$`);
    const isMissing = (path: string): boolean => missing.test(path);
    for (const operation of asked) {
        const isOther = operation.id === "metrics" || isOfAll(operation.path);
        if (isOther || isMissing(operation.path)) continue;
        test(`the owner may: ${operation.method.toUpperCase()} ${operation.path}`, async () => {
            const { status, text } = await ask("secret", operation);
            assert.ok(![401, 403, 404].includes(status), `${status} ${text}`);
        });
    }
});
