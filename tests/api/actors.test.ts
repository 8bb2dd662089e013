import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { pawlCommand } from "./support/process.js";
import { createKey } from "./support/serve.js";
import { database, databaseUrl, pawl, request } from "./support/server.js";
import { until } from "./support/until.js";

// Who answers for something, and who did it: people by their names, API keys by theirs.

const unique = (word: string): string => `${word}_${randomUUID().slice(0, 8)}`;
const steps = (text: string): object => ({ steps: [{ name: "s", code: "echo", input: { text } }] });

async function call(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
): Promise<{ status: number; json: any }> {
    const response = await request(method, path, { body, ...(key ? { key } : {}) });
    return { status: response.status, json: await response.json() };
}

describe("a workflow", () => {
    test("says who changed it last, and its history who did what", async () => {
        const name = unique("changed");
        const key = await createKey(databaseUrl, ["admin"]);
        const keyName = (await call("GET", "/v1/session", undefined, key)).json.name;
        await call("POST", "/v1/workflows", { name, ...steps("one") }, key);
        const first = (await call("GET", `/v1/workflows/${name}`)).json;
        assert.deepEqual([first.changed_by, first.owner], [keyName, null]);
        assert.ok(Date.parse(first.changed_at) >= Date.parse(first.created_at) - 1000);
        const definition = { name, ...steps("two") };
        await database.query("select * from pawl.apply_workflow($1, $2)", [name, definition]);
        assert.equal((await call("GET", `/v1/workflows/${name}`)).json.changed_by, "sql");
        await pawlCommand(["versions", "off", name, "--reason", "x"], {
            DATABASE_URL: databaseUrl,
        });
        const listed = await call("GET", "/v1/workflows?limit=200");
        const row = listed.json.data.find((one: any) => one.name === name);
        assert.equal(row.changed_by, "cli");
        await call("POST", `/v1/workflows/${name}/switch`, { on: true }, key);
        await call("POST", `/v1/workflows/${name}/deactivate`, undefined, key);
        await call("POST", `/v1/workflows/${name}/activate`, { version: 1 }, key);
        await call(
            "POST",
            `/v1/workflows/${name}/canary`,
            { shares: [{ version: 2, share: 5 }] },
            key,
        );
        await call("POST", `/v1/workflows/${name}/canary`, { shares: [] }, key);
        await call("POST", `/v1/workflows/${name}/versions/2/retire`, {}, key);
        await call("POST", "/v1/workflows?draft=true", { name, ...steps("three") }, key);
        const { json } = await call("GET", `/v1/workflows/${name}/changes`);
        assert.deepEqual(
            json.data.map((one: any) => [one.action, one.by]),
            [
                ["drafted", keyName],
                ["retired", keyName],
                ["canary", keyName],
                ["canary", keyName],
                ["activated", keyName],
                ["deactivated", keyName],
                ["switched_on", keyName],
                ["switched_off", "cli"],
                ["applied", "sql"],
                ["applied", keyName],
            ],
        );
        const env = { DATABASE_URL: databaseUrl };
        assert.match(await pawlCommand(["versions", "history", name], env), /applied +2 +sql/);
        const version = (await call("GET", `/v1/workflows/${name}/versions/1`)).json;
        assert.equal(version.changed_by, null);
    });

    test("has an owner, who stays when versions change", async () => {
        const name = unique("owned");
        await call("POST", "/v1/workflows", { name, ...steps("one") });
        const path = `/v1/workflows/${name}/owner`;
        const set = await call("PUT", path, { owner: "ทีม CRM <b>" });
        assert.deepEqual([set.status, set.json.owner, set.json.version], [200, "ทีม CRM <b>", 1]);
        await call("POST", "/v1/workflows", { name, ...steps("two") });
        assert.equal((await pawl.workflows.get(name)).owner, "ทีม CRM <b>");
        const env = { DATABASE_URL: databaseUrl };
        await pawlCommand(["workflows", "owner", name, "Team Sales"], env);
        assert.match(await pawlCommand(["workflows", "show", name], env), /owner +Team Sales/);
        assert.match(
            await pawlCommand(["workflows", "list"], env),
            new RegExp(`${name} .*Team Sales`),
        );
        await pawlCommand(["workflows", "owner", name, "--clear"], env);
        assert.equal((await pawl.workflows.get(name)).owner, null);
        assert.equal((await pawl.workflows.setOwner(name, "ann")).owner, "ann");
        const cleared = await call("PUT", path, { owner: null });
        assert.deepEqual([cleared.status, cleared.json.owner], [200, null]);
        for (const body of [
            {},
            { owner: "" },
            { owner: "  " },
            { owner: 5 },
            { owner: "x".repeat(201) },
        ]) {
            const wrong = await call("PUT", path, body);
            assert.equal(wrong.status, 422, JSON.stringify(body));
            assert.equal(wrong.json.errors[0].pointer, "/owner");
        }
        assert.equal((await call("PUT", path, { owner: "a", more: 1 })).status, 422);
        const none = await call("PUT", "/v1/workflows/no_such/owner", { owner: "ann" });
        assert.equal(none.status, 404);
    });
});

describe("an API key is called by its name", () => {
    const named = async (name: string): Promise<{ key: string; prefix: string }> => {
        const made = (await call("POST", "/v1/keys", { name, role: "admin" })).json;
        return { key: made.key, prefix: made.prefix.replace("pawl_", "") };
    };

    test("in the audit list, also when the key is gone", async () => {
        const { key, prefix } = await named("deploys <b>");
        const name = unique("by_key");
        await call("POST", "/v1/workflows", { name, ...steps("one") }, key);
        await call("DELETE", `/v1/keys/${prefix}`);
        await database.query("delete from pawl.api_key where prefix = $1", [prefix]);
        const { json } = await call("GET", `/v1/audit?by=${prefix}`);
        assert.deepEqual(
            json.data.map((one: any) => [one.by, one.by_name, one.action, one.person]),
            [[prefix, "deploys <b>", "applyWorkflow", false]],
        );
        const { rows } = await database.query(
            "select pawl.name_of_key(1, $1) as mine, pawl.name_of_key(2, $1) as theirs",
            [prefix],
        );
        assert.deepEqual(rows, [{ mine: "deploys <b>", theirs: null }]);
    });

    test("in tasks, skipped steps, drafts, tests, members and mutes", async () => {
        const { key, prefix } = await named("helpdesk");
        const name = unique("asks");
        await call("POST", "/v1/workflows", {
            name,
            steps: [
                { name: "nap", wait: "1h" },
                { name: "ask", human: { title: "Fine?" } },
                { name: "broken", code: "fail", retry: { attempts: 1 } },
            ],
        });
        const { id } = (await call("POST", "/v1/runs", { workflow: name, data: {} })).json;
        await until("it naps", async () => {
            const { json } = await call("GET", `/v1/runs/${id}`);
            return json.status === "waiting" ? true : undefined;
        });
        await call("POST", `/v1/runs/${id}/skip`, { node: "nap", reason: "now" }, key);
        const task = await until("the task", async () => {
            const { json } = await call("GET", `/v1/tasks?run=${id}`);
            return json.data[0] as { id: string } | undefined;
        });
        const skipped = (await call("GET", `/v1/runs/${id}/steps`)).json.data[0].skipped;
        assert.deepEqual([skipped.by, skipped.by_name], [prefix, "helpdesk"]);
        const claimed = (await call("POST", `/v1/tasks/${task.id}/claim`, {}, key)).json;
        assert.deepEqual(claimed.key_names, { [prefix]: "helpdesk" });
        await call("POST", `/v1/tasks/${task.id}/approve`, {}, key);
        const decided = (await call("GET", `/v1/tasks/${task.id}`)).json;
        assert.deepEqual([decided.decided_by, decided.key_names[prefix]], [prefix, "helpdesk"]);
        assert.deepEqual(
            decided.audit.map((one: any) => [one.action, one.by_name]),
            [
                ["open", null],
                ["claim", "helpdesk"],
                ["approve", "helpdesk"],
            ],
        );
        const log = await until("the run goes on", async () => {
            const { data } = (await call("GET", `/v1/runs/${id}/events`)).json;
            return data.some((one: any) => one.type === "node_passed") ? data : undefined;
        });
        assert.deepEqual(
            log.filter((one: any) => one.by_name).map((one: any) => [one.type, one.by_name]),
            ["step_skipped", "signal_received", "node_passed"].map((type) => [type, "helpdesk"]),
        );
        const env = { DATABASE_URL: databaseUrl };
        const shown = await pawlCommand(["tasks", "show", task.id], env);
        assert.match(shown, new RegExp(`approve +helpdesk \\(${prefix}\\)`));
        const text = `name: ${name}\nsteps: []\n`;
        const draft = (await call("PUT", `/v1/workflows/${name}/draft`, { text }, key)).json;
        assert.deepEqual([draft.updated_by, draft.updated_by_name], [prefix, "helpdesk"]);
        const blind = await call("PUT", `/v1/workflows/${name}/draft`, { text });
        assert.match(blind.json.detail, /changed by 'helpdesk'/);
        const tests = "tests: [{name: x}]";
        const kept = (await call("PUT", `/v1/workflows/${name}/tests`, { text: tests }, key)).json;
        assert.equal(kept.updated_by_name, "helpdesk");
        const member = (await call("PUT", `/v1/members/${name}`, { role: "viewer" }, key)).json;
        assert.deepEqual([member.created_by, member.created_by_name], [prefix, "helpdesk"]);
        const group = await until("the failure", async () => {
            const { json } = await call("GET", `/v1/dead-letters/groups?workflow=${name}`);
            return json.data[0] as { fingerprint: string } | undefined;
        });
        const path = `/v1/dead-letters/groups/${group.fingerprint}/mute`;
        await call("PUT", path, { reason: "known" }, key);
        const groups = (await call("GET", `/v1/dead-letters/groups?workflow=${name}`)).json.data;
        assert.deepEqual([groups[0].muted.by, groups[0].muted.by_name], [prefix, "helpdesk"]);
    });
});
