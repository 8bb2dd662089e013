import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { go, signIn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

interface Sight {
    path: string;
    /** Is there once the page has what it asked for. */
    until: string | RegExp;
    /** Buttons and links by the right they need. */
    needs: Record<string, string[]>;
}

const rights: Record<string, string[]> = {
    operator: ["runs:write"],
    editor: ["runs:write", "workflows:write"],
};

/**
 * Operator and editor on every page: what a role may do is offered, what it may not do is not, and
 * no request is answered that it may not.
 */
describe("roles", () => {
    const secret = Buffer.alloc(32, 7).toString("base64");
    const pawl = new Pawl(["--allow-outbound", "127.0.0.1"], { PAWL_SECRET_KEY: secret });
    const viewer = new Viewer();
    let sights: Sight[] = [];

    before(async () => {
        await pawl.start();
        const nightly = { triggers: [{ cron: "0 3 * * *", timezone: "Asia/Bangkok" }] };
        await pawl.define("waits", [{ id: "later", wait: "1h" }], nightly);
        await pawl.define("breaks", [{ id: "fail", code: { function: "fail" } }]);
        await pawl.define("asks", [
            { id: "approve", human: { title: "Pay?", assignee: "ann", form: { type: "object" } } },
        ]);
        await pawl.define("limited", [{ id: "later", wait: "1h" }], {
            flow: { concurrency: { limit: 1 } },
        });
        await pawl.request("PUT", "/v1/people/ann", { attributes: { first_name: "Ann" } });
        const languages = { en: { text: "Hello {{ user.first_name }}" } };
        await pawl.request("PUT", "/v1/templates/hello", { languages });
        const hook = { name: "books", url: "http://127.0.0.1:9/", events: ["run.*"] };
        await pawl.request("POST", "/v1/webhooks", hook);
        const waiting = await pawl.startRun("waits", {}, { subject: "ann" });
        const failed = await pawl.startRun("breaks");
        await pawl.startRun("limited");
        await pawl.startRun("asks");
        await pawl.until(failed, "failed");
        const list = async (path: string) =>
            (await pawl.request<{ data: Record<string, string>[] }>("GET", path)).data;
        const task = await eventually(async () => (await list("/v1/tasks"))[0]!["id"]!);
        const fingerprint = await eventually(
            async () => (await list("/v1/dead-letters/groups"))[0]!["fingerprint"]!,
        );
        sights = [
            { path: "/workflows", until: "breaks", needs: { "workflows:write": ["New workflow"] } },
            {
                path: "/workflows/waits",
                until: "later",
                needs: { "runs:write": ["Start a run"], "workflows:write": ["Edit"] },
            },
            { path: "/workflows/waits?tab=triggers", until: "0 3 * * *", needs: {} },
            { path: "/runs", until: "breaks", needs: { "runs:write": ["Change many…"] } },
            {
                path: `/runs/${waiting}`,
                until: "later",
                needs: { "runs:write": ["Pause", "Cancel"] },
            },
            { path: `/inbox?task=${task}`, until: "Pay?", needs: { "tasks:write": ["Approve"] } },
            {
                path: "/people/ann",
                until: "waits",
                needs: { "runs:write": ["Exit all journeys"], admin: ["Erase"] },
            },
            {
                path: "/messages/templates",
                until: "hello",
                needs: { "workflows:write": ["New template"] },
            },
            {
                path: `/failures?group=${fingerprint}`,
                until: "breaks",
                needs: { "runs:write": ["Mute"] },
            },
            {
                path: "/operations?tab=schedules&item=1",
                until: "Asia/Bangkok",
                needs: { "runs:write": ["Fire now"], "workflows:write": ["Pause"] },
            },
            { path: "/operations?tab=limits", until: "limited", needs: {} },
            { path: "/operations?tab=jobs", until: "Jobs", needs: {} },
            { path: "/operations?tab=webhooks", until: /right/, needs: { admin: ["New webhook"] } },
            { path: "/settings?tab=keys", until: /right/, needs: { admin: ["New key"] } },
        ];
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    for (const [role, may] of Object.entries(rights)) {
        test(`an ${role} is offered what they may, and nothing else`, async () => {
            const page = await viewer.open();
            const refused: string[] = [];
            page.on("response", (answer) => {
                if (answer.status() === 403) refused.push(`${answer.url()} on ${page.url()}`);
            });
            await signIn(page, pawl, "/", pawl.createRoleKey(role));
            const place = page.locator("main, [role=dialog]");
            const named = (name: string) =>
                place
                    .getByRole("button", { name, exact: true })
                    .or(place.getByRole("link", { name, exact: true }));
            for (const { path, until, needs } of sights) {
                await go(page, path);
                await place.getByText(until).first().waitFor();
                for (const [right, names] of Object.entries(needs)) {
                    for (const name of names) {
                        if (may.includes(right)) await named(name).first().waitFor();
                        else assert.equal(await named(name).count(), 0, `${name} on ${path}`);
                    }
                }
            }
            assert.deepEqual(refused, []);
            viewer.check();
        });
    }
});
