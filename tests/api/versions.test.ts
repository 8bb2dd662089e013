import type { Job } from "@pawl/client";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { ended, waiting } from "./support/runs.js";
import { databaseUrl, pawl, request } from "./support/server.js";
import { pawlCommand } from "./support/process.js";
import { until } from "./support/until.js";

async function jobDone(job: Job): Promise<Job> {
    return await until("the job is over", async () => {
        const now = await pawl.job(job.id);
        return now.status === "done" && now;
    });
}

/** A workflow that waits in the middle, at a step of this name. */
function flow(name: string, version: string, wait = "answer") {
    const steps = [
        { name: "order", code: "echo", input: { a: 1 } },
        { name: wait, wait: { signal: "go" } },
        { name: "book", code: "echo", input: { version } },
    ];
    return { name, version, steps } as never;
}

async function waitingRuns(name: string, count: number): Promise<string[]> {
    const runs = Array.from({ length: count }, (_, i) => ({ workflow: name, subject: `s${i}` }));
    const ids = (await pawl.startMany(runs)).map((one) => one.id);
    for (const id of ids) await waiting(id);
    return ids;
}

const post = (path: string, body: unknown) => request("POST", `/v1/workflows/${path}`, { body });

describe("versions", { concurrency: 4 }, () => {
    test("labels, drafts and which versions may be started", async () => {
        const name = `v-${randomUUID()}`;
        await pawl.workflows.apply(flow(name, "1.0.0"));
        const other = await request("POST", "/v1/workflows", { body: flow(name, "1.0.0", "x") });
        const taken = await readProblem(other, 409);
        assert.equal(taken.code, "version_exists");
        assert.match(taken.detail, /raise the version/);
        const draft = await pawl.workflows.draft(flow(name, "1.1.0"));
        assert.deepEqual([draft.version, draft.changed], [2, true]);
        const kept = await pawl.workflows.version(name, "1.1.0");
        assert.deepEqual([kept.version, kept.draft, kept.active], [2, true, false]);
        assert.equal((await pawl.workflows.get(name)).version, 1);
        const start = (version: unknown) =>
            request("POST", "/v1/runs", { body: { workflow: name, version } });
        assert.equal((await readProblem(await start("1.1.0"), 409)).code, "version_inactive");
        await readProblem(await start("9.9.9"), 404);
        const shared = await pawl.workflows.canary(name, [{ version: "1.1.0", share: 0 }]);
        assert.deepEqual(shared.canary, [{ version: 2, share: 0 }]);
        assert.equal(((await (await start("1.1.0")).json()) as any).version, 2);
        assert.equal(((await (await start(1)).json()) as any).version, 1);
        const now = await pawl.workflows.activate(name, "1.1.0");
        assert.deepEqual([now.version, now.label, now.draft], [2, "1.1.0", false]);
        const changes = await request("GET", `/v1/workflows/${name}/changes`);
        const actions = ((await changes.json()) as any).data.map((one: any) => one.action);
        const expected = ["applied", "drafted", "canary", "activated", "canary"];
        assert.deepEqual(actions.reverse(), expected);
        const diff = await request("GET", `/v1/workflows/${name}/diff?from=1&to=1.1.0`);
        assert.equal(((await diff.json()) as any).diff.nodes.changed[0].id, "book");
        await readProblem(await request("GET", `/v1/workflows/${name}/diff?from=1`), 400);
    });

    test("a share is sticky by subject", async () => {
        const name = `v-${randomUUID()}`;
        await pawl.workflows.apply(flow(name, "1.0.0"));
        await pawl.workflows.apply(flow(name, "2.0.0"));
        await pawl.workflows.canary(name, [{ version: "1.0.0", share: 50 }]);
        const runs = Array.from({ length: 200 }, (_, i) => ({ workflow: name, subject: `s${i}` }));
        const first = (await pawl.startMany(runs)).map((one) => one.version);
        const second = (await pawl.startMany(runs)).map((one) => one.version);
        assert.deepEqual(first, second);
        assert.equal(new Set(first).size, 2);
        const wrong = async (shares: unknown, status: number) =>
            (await readProblem(await post(`${name}/canary`, { shares }), status)).detail;
        assert.match(await wrong([{ version: 2, share: 5 }], 409), /is the head/);
        assert.match(await wrong([{ version: 7, share: 5 }], 404), /no version 7/);
        const unknown = await post(`no-${name}/activate`, { version: 1 });
        assert.match((await readProblem(unknown, 404)).detail, /there is no workflow 'no-/);
        await wrong([{ version: 1, share: 101 }], 422);
        await wrong(undefined, 422);
    });

    test("a switch holds starts off, whatever is applied", async () => {
        const name = `v-${randomUUID()}`;
        await pawl.workflows.apply(flow(name, "1.0.0"));
        await readProblem(await post(`${name}/switch`, { on: false }), 422);
        const off = await post(`${name}/switch`, { on: false, reason: "it double-charges" });
        assert.equal(((await off.json()) as any).switched_off, "it double-charges");
        await pawl.workflows.apply(flow(name, "1.1.0"));
        const refused = await request("POST", "/v1/runs", { body: { workflow: name } });
        const problem = await readProblem(refused, 409);
        assert.equal(problem.code, "workflow_switched_off");
        assert.match(problem.detail, /it double-charges/);
        await post(`${name}/switch`, { on: true });
        await pawl.start(name);
    });

    test("a run begins again in a retired version only when that is meant", async () => {
        const name = `v-${randomUUID()}`;
        const [echo] = (flow(name, "1.0.0") as { steps: unknown[] }).steps;
        const one = (version: string) => ({ name, version, steps: [echo] }) as never;
        await pawl.workflows.apply(one("1.0.0"));
        const { id } = await pawl.start(name);
        await ended(id);
        await pawl.workflows.apply(flow(name, "2.0.0"));
        await post(`${name}/versions/1/retire`, {});
        const again = (confirm?: boolean): Promise<Response> =>
            request("POST", `/v1/runs/${id}/rerun`, { body: { from: "order", confirm } });
        const refused = await readProblem(await again(), 409);
        assert.equal(refused.code, "version_retired");
        assert.equal((await again(true)).status, 201);
        const cli = (...args: string[]): Promise<string> =>
            pawlCommand(["runs", "rerun", id, "--from", "order", ...args], {
                DATABASE_URL: databaseUrl,
            });
        await assert.rejects(cli(), /version 1 .* is retired.*--yes/s);
        await cli("--yes");
    });

    test("a step may call a version, by number or label, that is active", async () => {
        const child = `v-${randomUUID()}`;
        const say = (version: string) =>
            ({
                name: child,
                version,
                steps: [{ name: "s", code: "echo", input: { version } }],
            }) as never;
        await pawl.workflows.apply(say("1.0.0"));
        await pawl.workflows.apply(say("1.1.0"));
        const calling = (version: unknown): unknown => ({
            name: `p-${randomUUID()}`,
            steps: [{ id: "c", type: "call", config: { workflow: child, version } }],
        });
        const apply = (body: unknown): Promise<Response> =>
            request("POST", "/v1/workflows", { body });
        const inactive = await readProblem(await apply(calling(1)), 422);
        assert.match(inactive.detail, /version 1 .* is not active/);
        assert.match((await readProblem(await apply(calling("9.9.9")), 422)).detail, /no version/);
        await pawl.workflows.canary(child, [{ version: "1.0.0", share: 0 }]);
        for (const [version, said] of [
            [1, "1.0.0"],
            ["1.0.0", "1.0.0"],
            ["1.1.0", "1.1.0"],
            [undefined, "1.1.0"],
        ]) {
            const parent = calling(version) as { name: string };
            assert.equal((await apply(parent)).status, 201);
            const { id } = await pawl.start(parent.name);
            assert.deepEqual(await ended(id), { version: said });
        }
        const parent = calling(1) as { name: string };
        await apply(parent);
        await pawl.workflows.canary(child, []);
        const { id } = await pawl.start(parent.name);
        const failed = await pawl.wait(id);
        assert.equal((failed.error as { code: string }).code, "version_inactive");
    });

    test("runs that stand on a step of `exit` are cancelled, the others move", async () => {
        const name = `v-${randomUUID()}`;
        const steps = (...waits: string[]) =>
            ({ name, steps: waits.map((one) => ({ name: one, wait: { signal: one } })) }) as never;
        const standsAt = (id: string, step: string) =>
            until(`it waits at the ${step}`, async () => {
                const at = (await pawl.steps(id)).find((one) => one.step === step);
                return at?.status === "waiting";
            });
        await pawl.workflows.apply(steps("first", "second"));
        const ids = await waitingRuns(name, 5);
        for (const id of ids.slice(0, 2)) {
            await pawl.signal(id, "first");
            await standsAt(id, "second");
        }
        await pawl.workflows.apply(steps("first", "third"));
        const order = { to: 2, exit: ["second"] };
        const seen = await jobDone(await pawl.workflows.impact(name, order));
        assert.deepEqual(seen.counts, { exits: 2, moves_on: 3 });
        assert.equal((await pawl.get(ids[0]!)).status, "waiting");
        const job = await jobDone(await pawl.workflows.migrate(name, order));
        assert.deepEqual([job.done, job.failed, job.counts], [3, 0, { exits: 2, moves_on: 3 }]);
        for (const id of ids.slice(0, 2)) assert.equal((await pawl.wait(id)).status, "cancelled");
        for (const id of ids.slice(2)) {
            await pawl.signal(id, "first");
            await standsAt(id, "third");
            await pawl.signal(id, "third");
            assert.equal((await pawl.wait(id)).status, "completed");
        }
        for (const exit of [["nowhere"], [1], "second"]) {
            const wrong = await readProblem(await post(`${name}/impact`, { to: 2, exit }), 422);
            assert.equal(wrong.errors?.[0]?.pointer, "/exit");
        }
        const both = { to: 2, map: { second: "third" }, exit: ["second"] };
        await readProblem(await post(`${name}/migrate`, both), 422);
    });

    test("impact, then migrate with other names, and the old version is retired", async () => {
        const name = `v-${randomUUID()}`;
        await pawl.workflows.apply(flow(name, "1.0.0"));
        const ids = await waitingRuns(name, 5);
        await pawl.workflows.apply(flow(name, "2.0.0", "reply"));
        const blind = await jobDone(await pawl.workflows.impact(name, { to: "2.0.0" }));
        assert.deepEqual(blind.counts, { would_break: 5 });
        assert.deepEqual([blind.done, blind.failed], [0, 5]);
        assert.equal(blind.examples?.[0]?.node, "answer");
        assert.match(blind.examples?.[0]?.problem ?? "", /stands on 'answer' \(wait\), which/);
        const map = { answer: "reply" };
        const seen = await jobDone(await pawl.workflows.impact(name, { to: 2, map }));
        assert.deepEqual(seen.counts, { moves_on: 5 });
        const open = await readProblem(await post(`${name}/versions/1/retire`, {}), 409);
        assert.match(open.detail, /5 open runs: migrate them/);
        const order = { to: "2.0.0", from: ["1.0.0"], map, drain: true };
        const job = await jobDone(await pawl.workflows.migrate(name, order));
        assert.deepEqual([job.action, job.done, job.failed], ["migrate", 5, 0]);
        await until("all have moved", async () => {
            const versions = await pawl.workflows.versions(name).all();
            return versions.every((one) => one.open_runs === (one.version === 2 ? 5 : 0));
        });
        assert.ok((await pawl.workflows.version(name, 1)).retired_at);
        await readProblem(await post(`${name}/activate`, { version: 1 }), 409);
        for (const id of ids) {
            await pawl.signal(id, "go");
            await ended(id);
            assert.equal((await pawl.get(id)).version, 2);
        }
        const steps = await pawl.steps(ids[0]!);
        assert.deepEqual(
            steps.map((one) => [one.step, one.status]),
            [
                ["order", "completed"],
                ["reply", "completed"],
                ["book", "completed"],
            ],
        );
        const rerunFrom = (from: string) =>
            request("POST", `/v1/runs/${ids[0]}/rerun`, { body: { from, confirm: true } });
        // The step has the name of now; before the move the run was one of version 1.
        const rerun = (await (await rerunFrom("reply")).json()) as any;
        assert.equal(rerun.version, 1);
        assert.equal((await pawl.get(rerun.id)).version, 1);
        await waiting(rerun.id);
        await pawl.signal(rerun.id, "go");
        await ended(rerun.id);
        await readProblem(await rerunFrom("answer"), 422);
        const types = (await pawl.events(ids[0]!).all()).map((one) => one.type);
        assert.ok(types.includes("run_repinned"));
        const back = await post(`${name}/versions/1.0.0/unretire`, {});
        assert.equal(((await back.json()) as any).retired_at, null);
        const again = await post(`${name}/versions/1.0.0/retire`, {});
        assert.ok(((await again.json()) as any).retired_at);
    });

    test("rollback, with the runs of the bad version", async () => {
        const name = `v-${randomUUID()}`;
        await pawl.workflows.apply(flow(name, "1.0.0"));
        await readProblem(await post(`${name}/rollback`, {}), 409);
        await pawl.workflows.apply(flow(name, "2.0.0"));
        const [id] = await waitingRuns(name, 1);
        const plain = await post(`${name}/rollback`, {});
        assert.equal(((await plain.json()) as any).label, "1.0.0");
        await pawl.workflows.activate(name, 2);
        const wrong = await post(`${name}/rollback`, { repin: true, map: { answer: "nowhere" } });
        await readProblem(wrong, 422);
        assert.equal((await pawl.workflows.get(name)).version, 2, "nothing was changed");
        const answer = await post(`${name}/rollback`, { repin: true });
        assert.equal(answer.status, 202);
        await jobDone((await answer.json()) as Job);
        await until("it is back", async () => (await pawl.get(id!)).version === 1);
        await pawl.signal(id!, "go");
        assert.equal((await ended(id!))["version"], "1.0.0");
    });

    test("what is wrong with a migration is refused", async () => {
        const name = `v-${randomUUID()}`;
        await pawl.workflows.apply(flow(name, "1.0.0"));
        const place = async (body: unknown) =>
            (await readProblem(await post(`${name}/migrate`, body), 422)).errors?.map(
                (one) => one.pointer,
            );
        assert.deepEqual(await place({}), ["/to"]);
        assert.deepEqual(await place({ to: 1, map: { a: "nowhere" } }), ["/map/a"]);
        await pawl.workflows.apply(flow(name, "2.0.0", "reply"));
        await pawl.workflows.apply(flow(name, "3.0.0", "respond"));
        const unknown = {
            to: 2,
            from: 1,
            map: { anwser: "reply", "a/b": "reply", answer: "rply" },
        };
        assert.deepEqual(await place(unknown), ["/map/a~1b", "/map/answer", "/map/anwser"]);
        const told = await readProblem(await post(`${name}/impact`, unknown), 422);
        assert.match(
            told.errors?.find((one) => one.pointer === "/map/anwser")?.detail ?? "",
            /'anwser' in version 1, did you mean 'answer'\? Steps there: answer, book, order/,
        );
        // Without "from", any other version may have it.
        assert.deepEqual(await place({ to: 2, map: { reply: "order" } }), ["/map/reply"]);
        const any = await post(`${name}/impact`, { to: 2, map: { respond: "reply" } });
        assert.equal(any.status, 202);
        assert.deepEqual(await place({ to: 1, drain: true }), ["/drain"]);
        assert.deepEqual(await place({ to: 1, filter: { status: "failed" } }), ["/filter/status"]);
        assert.deepEqual(await place({ to: 1, froom: 1 }), ["/froom"]);
        await readProblem(await post(`${name}/migrate`, { to: 5 }), 404);
    });

    test("the command line", async () => {
        const name = `v-${randomUUID()}`;
        const env = { DATABASE_URL: databaseUrl };
        const command = async (...args: string[]) =>
            JSON.parse(await pawlCommand(["versions", ...args, "-o", "json"], env));
        const fails = (code: number, ...args: string[]) =>
            assert.rejects(pawlCommand(["versions", ...args], env), (e: any) => e.code === code);
        await pawl.workflows.apply(flow(name, "1.0.0"));
        const [id] = await waitingRuns(name, 1);
        await pawl.workflows.apply(flow(name, "2.0.0", "reply"));
        const list = await command("list", name);
        assert.deepEqual(
            list.map((one: any) => [one.label, one.active, one.open_runs]),
            [
                ["2.0.0", true, 0],
                ["1.0.0", false, 1],
            ],
        );
        await fails(1, "diff", name, "1.0.0", "2.0.0");
        await fails(2, "canary", name);
        await fails(2, "migrate", name, "--to", "2.0.0");
        await fails(6, "list", "unknown");
        await fails(6, "retire", name, "3");
        const shared = await command("canary", name, "1.0.0=5.5");
        assert.deepEqual(shared[0].canary, [{ version: 1, share: 5.5 }]);
        await command("canary", name, "--clear");
        await fails(8, "impact", name, "--to", "2");
        const map = ["--map", "answer=reply"];
        await fails(2, "impact", name, "--to", "2", "--map", "anwser=reply");
        await fails(2, "migrate", name, "--to", "2", "--map", "anwser=reply", "--yes");
        await assert.rejects(
            pawlCommand(["versions", "impact", name, "--to", "2", "--map", "book=rply"], env),
            /--map book=rply: there is no step 'rply' in version 2, did you mean 'reply'\?/,
        );
        const impact = await command("impact", name, "--to", "2", ...map);
        assert.deepEqual(impact.counts, { moves_on: 1 });
        const moved = await command("migrate", name, "--to", "2.0.0", ...map, "--yes");
        assert.deepEqual([moved.status, moved.done], ["done", 1]);
        await until("it has moved", async () => (await pawl.get(id!)).version === 2);
        await command("retire", name, "1");
        await command("unretire", name, "1");
        const off = await command("off", name, "--reason", "enough");
        assert.equal(off[0].switched_off, "enough");
        await command("on", name);
        await fails(2, "rollback", name, "--repin", "--map", "reply=nowhere");
        const back = await command("rollback", name);
        assert.equal(back.find((one: any) => one.active).label, "1.0.0");
        await command("activate", name, "2.0.0");
        const history = await command("history", name);
        assert.deepEqual([history[0].action, history[0].version], ["activated", 2]);
    });
});
