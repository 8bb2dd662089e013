import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { pawlCommand } from "./support/process.js";
import { createKey } from "./support/serve.js";
import { database, databaseUrl, pawl, request } from "./support/server.js";

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
