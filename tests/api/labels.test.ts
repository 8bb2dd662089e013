import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { pawlExit } from "./support/process.js";
import { database, databaseUrl, define, request } from "./support/server.js";

// Names that people know things by can be seen, and turn nothing around.

const turned = "\u202egnp.exe";
const unseen = [" \u00a0 ", "\u200b", turned, "one\ntwo", "\u2028"];
const languages = { en: { text: "Hello" } };

describe("names that people see", { concurrency: 4 }, () => {
    /** Every such name is refused at its place. */
    async function refusesAll(
        method: string,
        path: (name: string) => string,
        body: (name: string) => object,
        member: string,
        names = unseen,
    ): Promise<void> {
        for (const name of names) {
            const response = await request(method, path(name), { body: body(name) });
            const problem = await readProblem(response, 422);
            assert.equal(problem.errors?.[0]?.pointer, `/${member}`, JSON.stringify(name));
            assert.match(problem.errors?.[0]?.detail ?? "", /^must (not )?have /);
            assert.ok(!problem.detail.includes("\u202e"));
        }
    }

    test("templates and their categories", async () => {
        const path = (name: string): string => `/v1/templates/${encodeURIComponent(name)}`;
        // No address has an end of line.
        const names = unseen.filter((name) => !name.includes("\n"));
        await refusesAll("PUT", path, () => ({ languages }), "name", names);
        const own = `/v1/templates/${randomUUID()}`;
        const body = (category: string): object => ({ languages, category });
        await refusesAll("PUT", () => own, body, "category");
        await readProblem(await request("GET", own), 404);
        const { rows } = await database.query(
            "select 1 from pawl.message_template where name = any ($1)",
            [unseen],
        );
        assert.equal(rows.length, 0);
        const fine = path(`آن\u200cها 👩\u200d👧 ${randomUUID()}`);
        assert.equal((await request("PUT", fine, { body: { languages } })).status, 200);
        assert.equal((await request("DELETE", fine)).status, 200);
    });

    test("a template that has such a name already is read, included and deleted", async () => {
        const [fresh, footer] = [randomUUID(), `f-${randomUUID()}`];
        const old = `\u2067${fresh}`;
        const path = (name: string): string => `/v1/templates/${encodeURIComponent(name)}`;
        const put = async (name: string, text: string): Promise<number> =>
            (await request("PUT", path(name), { body: { languages: { en: { text } } } })).status;
        assert.equal(await put(footer, "Bye"), 200);
        assert.equal(await put(fresh, `Hello {{> ${footer} }}`), 200);
        await database.query("update pawl.message_template set name = $1 where name = $2", [
            old,
            fresh,
        ]);
        assert.equal(await put(footer, "Bye, bye"), 200, "what includes it changes with it");
        const read = await request("GET", path(old));
        assert.equal(((await read.json()) as { version: number }).version, 2);
        for (const name of [old, footer]) {
            assert.equal((await request("DELETE", path(name))).status, 200);
        }
    });

    test("API keys, also on the command line", async () => {
        const body = (name: string): object => ({ name, role: "viewer" });
        await refusesAll("POST", () => "/v1/keys", body, "name");
        const args = ["keys", "create", "--role", "viewer", "--name", "  "];
        const { code, stderr } = await pawlExit(args, { DATABASE_URL: databaseUrl });
        assert.equal(code, 2);
        assert.match(stderr, /name must have a character that can be seen/);
        const { rows } = await database.query("select 1 from pawl.api_key where name = any ($1)", [
            [...unseen, "  "],
        ]);
        assert.equal(rows.length, 0);
    });

    test("webhooks, connectors and owners of workflows", async () => {
        const hook = (name: string): object => ({ name, url: "https://example.com/hook" });
        await refusesAll("POST", () => "/v1/webhooks", hook, "name");
        const connector = `c_${randomUUID().replaceAll("-", "_")}`;
        const definition = (title: string): object => ({
            name: connector,
            title,
            channels: ["webhook"],
            request: { url: "https://example.com/send", json: { to: "{{ to }}" } },
            answers: [{ status: "2xx", means: "accepted" }],
        });
        await refusesAll("PUT", () => `/v1/connectors/${connector}`, definition, "title");
        await readProblem(await request("GET", `/v1/connectors/${connector}`), 404);
        const workflow = await define([{ name: "s", code: "noop" }]);
        const path = `/v1/workflows/${workflow}/owner`;
        await refusesAll(
            "PUT",
            () => path,
            (owner) => ({ owner }),
            "owner",
        );
        assert.equal((await request("PUT", path, { body: { owner: null } })).status, 200);
    });
});
