import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import { checkedFetch } from "./support/contract.js";
import { Journeys, signedHook } from "./support/journeys.js";
import { pawlExit } from "./support/process.js";
import { until } from "./support/until.js";

// How journeys do: funnels, who is where, variants against each other, and what would have been.

describe("numbers of journeys", () => {
    const world = new Journeys();
    const folder = mkdtempSync(`${tmpdir()}/pawl-numbers-`);
    let hook: { secret: string; hookUrl: string };

    before(async () => {
        await world.start("ann", "bob");
        hook = await world.account("ann");
    });
    after(async () => {
        await world.stop();
        rmSync(folder, { recursive: true });
    });

    const call = (words: string[]) =>
        pawlExit([...words, "--tenant", "ann"], { DATABASE_URL: world.databaseUrl });

    /** A journey with a split: one variant gets a message, the other waits. */
    async function journey(name: string): Promise<void> {
        const applied = await world.call("ann", "POST", "/v1/workflows", {
            name,
            triggers: [{ event: `${name}.came` }],
            nodes: [
                { id: "came", type: "trigger" },
                {
                    id: "ab",
                    split: {
                        variants: [
                            { name: "now", share: 1 },
                            { name: "later", share: 1 },
                        ],
                    },
                },
                { id: "hello", message: { channel: "webhook", text: "Hi" } },
                { id: "rest", wait: "30d" },
            ],
            edges: [
                { from: "came", to: "ab" },
                { from: "ab", to: "hello", handle: "now" },
                { from: "ab", to: "rest", handle: "later" },
            ],
        });
        assert.ok(applied.status <= 201, applied.text);
    }

    async function enter(name: string, person: string, withAddress = true): Promise<string> {
        await world.call("ann", "PUT", `/v1/people/${encodeURIComponent(person)}`, {
            attributes: {},
            addresses: withAddress ? { webhook: world.provider.url } : {},
        });
        const started = await world.call("ann", "POST", "/v1/runs", {
            workflow: name,
            subject: person,
            data: {},
        });
        assert.ok(started.status <= 201, started.text);
        return started.json.id as string;
    }

    const funnel = async (name: string, query = ""): Promise<any> => {
        const { status, json, text } = await world.call(
            "ann",
            "GET",
            `/v1/workflows/${name}/funnel${query}`,
        );
        assert.equal(status, 200, text);
        return json;
    };

    /** The funnel when everybody is at rest. */
    const settled = async (name: string, people: number): Promise<any> =>
        await until("all are counted", async () => {
            const found = await funnel(name);
            const { completed, failed } = found.totals;
            const waiting = found.nodes.find((one: any) => one.node === "rest").waiting;
            return completed + failed + waiting === people ? found : undefined;
        });

    test("a workflow that is no journey counts when it is asked for", async () => {
        const name = `plain_${randomUUID().slice(0, 8)}`;
        const definition = { name, steps: [{ name: "rest", wait: "1h" }] };
        const made = await world.call("ann", "POST", "/v1/workflows", definition);
        assert.ok(made.status <= 201, made.text);
        assert.equal((await funnel(name)).counted, false);
        const path = `/v1/workflows/${name}/funnel`;
        assert.equal((await world.call("bob", "PUT", path)).status, 404, "of another tenant");
        assert.equal((await funnel(name)).counted, false);
        const { status, json } = await world.call("ann", "PUT", path);
        assert.deepEqual([status, json.counted], [200, true]);
        assert.ok(Date.parse(json.counted_from) > Date.now() - 60_000);
        assert.deepEqual((await world.call("ann", "PUT", path)).json, json);
        assert.equal((await world.call("ann", "PUT", "/v1/workflows/none/funnel")).status, 404);
    });

    test("a funnel has what happened at nodes and edges", async () => {
        const name = `funnel_${randomUUID().slice(0, 8)}`;
        await journey(name);
        for (let i = 0; i < 12; ++i) await enter(name, `p${i % 10}`, i % 4 !== 0);
        const found = await settled(name, 12);
        assert.equal(found.totals.entered, 12);
        assert.equal(found.totals.people, 10);
        const { sent, skipped } = found.totals;
        const edges = Object.fromEntries(
            found.edges.map((edge: any) => [`${edge.from}.${edge.handle}`, edge.count]),
        );
        assert.equal(edges["came.default"], 12);
        assert.equal(edges["ab.now"] + edges["ab.later"], 12);
        assert.equal(sent + skipped, edges["ab.now"]);
        assert.equal(skipped, found.totals.skipped_by.no_address ?? 0);
        assert.equal(found.inside, edges["ab.later"]);
        assert.deepEqual(
            found.nodes.map((node: any) => node.node),
            ["came", "ab", "hello", "rest"],
        );
        const { json } = await world.call("ann", "GET", `/v1/messages?workflow=${name}&state=sent`);
        for (const message of json.data) {
            for (const time of ["00:00:01", "00:00:02"]) {
                const told = await checkedFetch(
                    hook.hookUrl,
                    signedHook(hook.secret, {
                        type: "message.opened",
                        at: `2026-01-01T${time}Z`,
                        data: { message_id: message.id },
                    }),
                );
                assert.equal(told.status, 200, await told.text());
            }
        }
        if (json.data.length > 0) {
            await until("opens are counted", async () => {
                const { totals } = await funnel(name);
                return totals.opened === json.data.length && totals.opens === 2 * totals.opened;
            });
        }
        const byVariant = await funnel(name, "?by=variant&metric=completed");
        assert.deepEqual(
            byVariant.groups.map((group: any) => group.key),
            ["ab:later", "ab:now"],
        );
        assert.equal(byVariant.comparisons[0].verdict, "too early to say");
        assert.equal(byVariant.comparisons[0].variants[1].trials, edges["ab.now"]);
        const byDay = await funnel(name, "?by=day");
        assert.equal(
            byDay.groups.reduce((sum: number, group: any) => sum + group.totals.entered, 0),
            12,
        );
        const none = await funnel(name, "?to=2020-01-01T00:00:00Z");
        assert.equal(none.totals.entered, 0);
        const shown = await call(["funnel", name]);
        assert.match(shown.stdout, /entered +12/);
        assert.match((await call(["projections", "status"])).stdout, /funnels/);
    });

    test("who is where comes in pages, and as CSV that is no formula", async () => {
        const name = `people_${randomUUID().slice(0, 8)}`;
        const applied = await world.call("ann", "POST", "/v1/workflows", {
            name,
            nodes: [{ id: "rest", wait: "30d" }],
            edges: [],
            person: true,
        });
        assert.ok(applied.status <= 201, applied.text);
        const people = ['=HYPERLINK("x")', "+1", "plain", 'quo"te,', "-2"];
        for (const person of people) await enter(name, person);
        await until("all rest", async () => (await funnel(name)).nodes[0].waiting === 5);
        const seen: string[] = [];
        let query = "?limit=2&at=rest&state=time";
        for (;;) {
            const { json } = await world.call("ann", "GET", `/v1/workflows/${name}/people${query}`);
            seen.push(...json.data.map((one: any) => one.person));
            if (!json.has_more) break;
            query = `?limit=2&at=rest&state=time&cursor=${json.next_cursor}`;
        }
        assert.deepEqual(seen.sort(), [...people].sort());
        const { text, status } = await checkedText(`/v1/workflows/${name}/people?format=csv`);
        assert.equal(status, 200);
        const lines = text.trimEnd().split("\r\n");
        assert.equal(lines.length, 6);
        assert.equal(lines[0], "person,run_id,version,node,state,since");
        assert.ok(
            lines.some((line) => line.startsWith(`"'=HYPERLINK(""x"")",`)),
            text,
        );
        assert.ok(
            lines.some((line) => line.startsWith("'+1,")),
            text,
        );
        const other = await world.call("bob", "GET", `/v1/workflows/${name}/people`);
        assert.equal(other.status, 404);
    });

    test("people who did not go on from a step are listed, by how their runs ended", async () => {
        const name = `left_${randomUUID().slice(0, 8)}`;
        const applied = await world.call("ann", "POST", "/v1/workflows", {
            name,
            person: true,
            exit_on: [{ event: `${name}.paid` }],
            nodes: [
                { id: "first", wait: { signal: "go", timeout: "30d" } },
                { id: "broken", code: "fail", retry: { attempts: 1 } },
                { id: "rest", wait: "30d" },
            ],
            edges: [
                { from: "first", to: "broken", handle: "default" },
                { from: "first", to: "rest", handle: "timeout" },
            ],
        });
        assert.ok(applied.status <= 201, applied.text);
        const runs: string[] = [];
        for (const person of ["l0", "l1", "l2", "l3", "l4"]) runs.push(await enter(name, person));
        await until("all wait", async () => (await funnel(name)).nodes[0].waiting === 5);
        await world.call("ann", "POST", "/v1/events", { name: `${name}.paid`, key: "l0" });
        await world.call("ann", "POST", `/v1/runs/${runs[1]}/cancel`, { reason: "asked" });
        await world.call("ann", "POST", `/v1/runs/${runs[2]}/signals`, { name: "go" });
        await world.call("ann", "POST", "/v1/events", { name: `${name}.paid`, key: "l3" });
        const list = async (query: string) => {
            const path = `/v1/workflows/${name}/people?${query}`;
            const { json, status, text } = await world.call("ann", "GET", path);
            assert.equal(status, 200, text);
            return json;
        };
        await until("four have ended", async () => (await list("state=ended")).data.length === 4);
        const said = async (query: string) =>
            (await list(query)).data.map((one: any) => `${one.person} ${one.state} ${one.node}`);
        assert.deepEqual(await said("state=ended&at=first"), [
            "l3 exited first",
            "l1 cancelled first",
            "l0 exited first",
        ]);
        assert.deepEqual(await said("state=ended&at=broken"), ["l2 failed broken"]);
        assert.deepEqual(await said("state=exited"), ["l3 exited null", "l0 exited null"]);
        assert.deepEqual(await said("state=failed&at=first"), []);
        assert.deepEqual(await said("state=ended&at=rest"), []);
        // Who waits is counted behind the log.
        await until("one still waits", async () => (await said("at=first")).length === 1);
        assert.deepEqual(await said("at=first"), ["l4 signal first"]);
        const page = await list("state=ended&at=first&limit=2");
        assert.equal(page.has_more, true);
        const next = await list(`state=ended&at=first&limit=2&cursor=${page.next_cursor}`);
        assert.deepEqual(
            next.data.map((one: any) => one.person),
            ["l0"],
        );
        assert.deepEqual(await said("state=ended&to=2020-01-01T00:00:00Z"), []);
        assert.equal((await said("state=ended&from=2020-01-01T00:00:00Z")).length, 4);
        const { text } = await checkedText(
            `/v1/workflows/${name}/people?state=ended&at=first&format=csv`,
        );
        assert.equal(text.trimEnd().split("\r\n").length, 4);
        // Another tenant has no such people.
        const other = await world.call("bob", "GET", `/v1/workflows/${name}/people?state=ended`);
        assert.equal(other.status, 404);
    });

    const checkedText = async (path: string): Promise<{ status: number; text: string }> => {
        const response = await checkedFetch(world.server.url + path, {
            headers: { Authorization: `Bearer ${world.keyOf("ann")}` },
        });
        return { status: response.status, text: await response.text() };
    };

    test("what cannot be asked is refused", async () => {
        const name = `wrong_${randomUUID().slice(0, 8)}`;
        await journey(name);
        for (const [path, status, words] of [
            [`/v1/workflows/nothing/funnel`, 404, /no workflow/],
            [`/v1/workflows/${name}/funnel?by=mood`, 400, /variant, channel, day or version/],
            [`/v1/workflows/${name}/funnel?metric=joy`, 400, /metric/],
            [`/v1/workflows/${name}/funnel?form=csv`, 400, /form/],
            [`/v1/workflows/${name}/funnel?format=xml`, 400, /json or csv/],
            [`/v1/workflows/${name}/funnel?version=77`, 404, /no version/],
            [
                `/v1/workflows/${name}/funnel?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`,
                400,
                /before/,
            ],
            [`/v1/workflows/${name}/people?cursor=x`, 400, /cursor/],
            [`/v1/workflows/${name}/people?cursor=WzFd`, 400, /cursor/],
            [`/v1/workflows/${name}/people?from=2026-01-01T00:00:00Z`, 400, /ended/],
            [`/v1/workflows/${name}/people?state=ended&to=x`, 400, /to/],
        ] as const) {
            const answer = await world.call("ann", "GET", path);
            assert.equal(answer.status, status, `${path}: ${answer.text}`);
            assert.match(answer.text, words);
        }
        for (const body of [
            { since: "0s" },
            { since: "x" },
            { limit: 0 },
            { definition: "nodes: 1" },
        ]) {
            const answer = await world.call("ann", "POST", `/v1/workflows/${name}/simulate`, body);
            assert.equal(answer.status, 422, answer.text);
        }
    });

    test("a simulation replays the events that came", async () => {
        const name = `past_${randomUUID().slice(0, 8)}`;
        await journey(name);
        for (const [person, addressed] of [
            ["s1", true],
            ["s2", false],
            ["s3", true],
        ] as const) {
            await world.call("ann", "PUT", `/v1/people/${person}`, {
                attributes: {},
                addresses: addressed ? { webhook: world.provider.url } : {},
            });
            const told = await world.call("ann", "POST", "/v1/events", {
                name: `${name}.came`,
                key: person,
                data: {},
            });
            assert.ok(told.status < 300, told.text);
        }
        const before = world.provider.received.length;
        const draft = {
            name,
            triggers: [{ event: `${name}.came` }],
            nodes: [
                { id: "came", type: "trigger" },
                { id: "hello", message: { channel: "webhook", text: "Hi" } },
            ],
            edges: [{ from: "came", to: "hello" }],
        };
        const { json, text } = await world.call("ann", "POST", `/v1/workflows/${name}/simulate`, {
            since: "1h",
            definition: draft,
        });
        assert.equal(json.entered, 3, text);
        assert.equal(json.people, 3);
        assert.equal(json.messages[0].sent, 3);
        assert.equal(json.edges[0].count, 3);
        const published = await world.call("ann", "POST", `/v1/workflows/${name}/simulate`, {});
        assert.equal(published.json.entered, 3);
        writeFileSync(`${folder}/${name}.json`, JSON.stringify(draft));
        const shown = await call(["simulate", `${folder}/${name}.json`, "--since", "1h"]);
        assert.match(shown.stdout, /3 would have entered, 3 people, by 3 events/);
        assert.match(shown.stdout, /hello: 3 would have got this webhook/);
        // The published journey sends by itself; the simulations do not.
        await until("the runs have sent", async () => (await funnel(name)).totals.entered === 3);
        assert.ok(world.provider.received.length - before <= 3);
    });

    test("counts are the same after the server was killed in the middle", async () => {
        const name = `killed_${randomUUID().slice(0, 8)}`;
        await journey(name);
        for (let i = 0; i < 30; ++i) {
            await enter(name, `k${i}`);
            if (i % 10 === 5) {
                await world.server.kill();
                await world.server.start();
            }
        }
        const first = await settled(name, 30);
        assert.equal(first.totals.entered, 30);
        assert.equal(first.totals.people, 30);
        const rebuilt = await call(["projections", "rebuild", "funnels"]);
        assert.equal(rebuilt.code, 0, rebuilt.stderr);
        const second = await until("counted anew", async () => {
            const found = await funnel(name);
            return found.rebuilding || found.totals.entered < 30 ? undefined : found;
        });
        for (const found of [first, second]) delete found.as_of;
        assert.deepEqual(second, first);
        assert.equal((await call(["projections", "rebuild", "nothing"])).code, 2);
    });
});
