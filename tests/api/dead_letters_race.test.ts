import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { database, define, pawl, request, runToEnd, sink } from "./support/server.js";
import { ok, refuses } from "./support/sink.js";
import { until } from "./support/until.js";

// Several people look at the same failures, mute them and replay them at the same time.

const letters = 12;
const callers = 8;
const rounds = 4;

interface Row {
    run_id: string;
    status: number;
    retried_as: string | null;
    is_letter: boolean;
    replayed_as: string | null;
}

/** The closed runs of a workflow beside their dead letters; `open`: how many are under way. */
async function rowsOf(workflow: string): Promise<{ runs: Row[]; open: number }> {
    const closed = `
        select r.run_id, r.status, r.retried_as, d.run_id is not null as is_letter, d.replayed_as
          from pawl.run r
          join pawl.workflow w on w.id = r.workflow
          left join pawl.dead_letter d on d.bucket = r.bucket and d.run_id = r.run_id
         where w.name = $1`;
    const live = `
        select count(*)::int as open
          from pawl.live_run l
          join pawl.workflow w on w.id = l.workflow
         where w.name = $1`;
    const { open } = (await database.query<{ open: number }>(live, [workflow])).rows[0]!;
    return { runs: (await database.query<Row>(closed, [workflow])).rows, open };
}

async function deadlocks(): Promise<number> {
    const { rows } = await database.query<{ n: number }>(
        "select deadlocks::int as n from pg_stat_database where datname = current_database()",
    );
    return rows[0]!.n;
}

/** Calls at once, none of which may fail for a reason of the server's. */
class Crowd {
    readonly jobs: string[] = [];
    readonly created: string[] = [];

    constructor(
        readonly workflow: string,
        readonly fingerprint: string,
    ) {}

    private async call(method: string, path: string, body?: unknown): Promise<any> {
        const response = await request(method, path, { body });
        const text = await response.text();
        assert.ok(response.status < 500, `${method} ${path}: ${response.status} ${text}`);
        return { status: response.status, json: JSON.parse(text) as unknown };
    }

    private get mutePath(): string {
        return `/v1/dead-letters/groups/${this.fingerprint}/mute`;
    }

    private async some(): Promise<string[]> {
        const open = await pawl.deadLetters.list({ workflow: this.workflow }).take(5);
        return open.map((letter) => letter.run_id);
    }

    readonly deeds: ((caller: number) => Promise<void>)[] = [
        async (caller) => {
            const body = { reason: `seen by ${caller}`, by: `ann ${caller}` };
            assert.equal((await this.call("PUT", this.mutePath, body)).status, 200);
        },
        async () => {
            const { workflow } = this;
            const body = { workflow, fingerprint: this.fingerprint };
            const { status, json } = await this.call("POST", "/v1/dead-letters/replay", body);
            assert.equal(status, 202);
            this.jobs.push(json.id);
        },
        async () => {
            const { status } = await this.call("DELETE", this.mutePath);
            assert.ok(status === 200 || status === 404, String(status));
        },
        async () => {
            const runs = await this.some();
            if (runs.length === 0) return;
            const body = { runs: runs.reverse() };
            const { json } = await this.call("POST", "/v1/dead-letters/replay", body);
            for (const one of json.data) assert.ok(one.replayed_as, one.run_id);
        },
        async () => {
            for (const run of (await this.some()).slice(0, 2)) {
                const { status, json } = await this.call("POST", `/v1/dead-letters/${run}/replay`);
                assert.ok(status === 200 || status === 201, String(status));
                if (status === 201) this.created.push(json.id);
            }
        },
    ];

    async act(): Promise<void> {
        const acts = async (caller: number): Promise<void> => {
            for (let i = 0; i < rounds * this.deeds.length; ++i) {
                await this.deeds[(i + caller) % this.deeds.length]!(caller);
            }
        };
        await Promise.all(Array.from({ length: callers }, (_, caller) => acts(caller)));
    }

    /** What the jobs have replayed, once all of them are done. */
    async replayedByJobs(): Promise<number> {
        let replayed = 0;
        for (const id of this.jobs.splice(0)) {
            const job = await until("the job is done", async () => {
                const now = await pawl.job(id);
                return now.status === "done" && now;
            });
            assert.equal(job.failed, 0, "another one was first: that is no failure");
            replayed += job.done;
        }
        return replayed;
    }
}

describe("dead letters", () => {
    test("each is replayed once while eight callers mute and replay them", async () => {
        const f = sink.function().will(refuses("order 7 is unknown"));
        const workflow = await define([
            { name: "order", function: f.name, action: "a", on_failure: "abort" },
        ]);
        const starts = Array.from({ length: letters }, () => runToEnd(workflow));
        for (const run of await Promise.all(starts)) assert.equal(run.status, "failed");
        const [group] = await pawl.deadLetters.groups({ workflow });
        assert.equal(group?.count, letters);
        const crowd = new Crowd(workflow, group.fingerprint);
        const before = await deadlocks();

        await crowd.act();
        const byJobs = await crowd.replayedByJobs();
        const { runs } = await until("what was replayed has failed again", async () => {
            const now = await rowsOf(workflow);
            return now.open === 0 && now;
        });
        const replayed = runs.flatMap((run) => run.retried_as ?? []);
        assert.ok(replayed.length >= letters, "every one was replayed");
        assert.equal(new Set(replayed).size, replayed.length);
        assert.equal(runs.length, letters + replayed.length, "a run for each replay, none besides");
        assert.ok(replayed.every((id) => runs.some((run) => run.run_id === id)));
        for (const run of runs) {
            assert.equal(run.is_letter, true, "each failure has its letter");
            assert.equal(run.replayed_as, run.retried_as);
        }
        assert.ok(crowd.created.every((id) => replayed.includes(id)));
        assert.equal(new Set(crowd.created).size, crowd.created.length, "told to one caller");
        assert.ok(crowd.created.length + byJobs <= replayed.length);

        const open = runs.filter((run) => run.retried_as === null).map((run) => run.run_id);
        const [now] = await pawl.deadLetters.groups({ workflow });
        assert.equal(now?.count, open.length, "the count is that of the rows");
        const listed = await pawl.deadLetters.list({ workflow }).all();
        assert.deepEqual(listed.map((letter) => letter.run_id).sort(), open.sort());

        // Muted or not, nothing is lost: all that is left comes through.
        f.will(ok());
        await crowd.act();
        await crowd.replayedByJobs();
        const end = await until("all that was replayed has ended", async () => {
            const now = await rowsOf(workflow);
            return now.open === 0 && now.runs;
        });
        assert.equal(end.filter((run) => run.status === 1).length, open.length);
        assert.deepEqual(await pawl.deadLetters.list({ workflow }).take(1), []);
        assert.deepEqual(await pawl.deadLetters.groups({ workflow }), []);
        assert.equal(await deadlocks(), before);
    });
});
