import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { go, shoot, signIn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { eventually, Pawl } from "./support/serve.ts";

const line = (name: string, ...waits: string[]) => ({
    name,
    nodes: [{ id: "begin", type: "trigger" }, ...waits.map((id) => ({ id, wait: "1h" }))],
    edges: ["begin", ...waits].slice(0, -1).map((from, i) => ({ from, to: waits[i] })),
});

/** What would be lost: a workflow behind a name, a version of someone else, a text. */
describe("builder: nothing is lost unseen", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let builder: BuilderPage;
    before(async () => {
        await pawl.start();
        await pawl.request("POST", "/v1/workflows", line("live", "rest"));
        await pawl.request("POST", "/v1/workflows", line("shared", "rest"));
        await pawl.request("POST", "/v1/workflows", line("typed", "rest"));
        page = await viewer.open();
        builder = new BuilderPage(page);
        await signIn(page, pawl, "/workflows");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const nameField = () => builder.form().locator('[data-field="name"]');
    const publish = () => page.getByRole("button", { name: "Publish" }).first();
    const badge = (text: string) => page.locator("header").getByText(text, { exact: true });
    const editor = () => page.getByRole("textbox", { name: "Text" });
    const write = async (text: string) => {
        await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
        await editor().press("Control+a");
        await page.keyboard.press("Control+v");
    };
    const drafts = async () => {
        const { data } = await pawl.request<{ data: { name: string }[] }>("GET", "/v1/drafts");
        return data.map((one) => one.name);
    };
    const draftText = async (name: string) =>
        (await pawl.request<{ text: string }>("GET", `/v1/workflows/${name}/draft`)).text;
    const versionOf = async (name: string) =>
        (await pawl.request<{ version: number }>("GET", `/v1/workflows/${name}`)).version;
    const newer = (text: string | RegExp) => page.locator("[data-newer]").getByText(text).first();

    test("a new workflow does not take the name of another one", async () => {
        await go(page, "/new-workflow");
        await page.getByRole("heading", { level: 1, name: "New workflow" }).waitFor();
        await nameField().fill("live");
        await builder.form().getByText("There is a workflow with this name").waitFor();
        await builder.problems("1 problem").waitFor();
        await badge("Draft not saved").waitFor();
        assert.ok(await publish().isDisabled());
        await checkAccess(page);
        await shoot(page, "builder-taken-light");
        // A name that no one has is saved: what was typed before it was not.
        await nameField().fill("live_2");
        await badge("Draft saved").waitFor();
        await builder.problems("No problems").waitFor();
        assert.deepEqual(await drafts(), ["live_2"]);
        assert.ok(await publish().isEnabled());
        // Also when it is saved by a key, or renamed later.
        await nameField().fill("live");
        await page.keyboard.press("Control+s");
        await badge("Draft not saved").waitFor();
        await builder.form().getByText("There is a workflow with this name").waitFor();
        assert.deepEqual(await drafts(), ["live_2"]);
        await nameField().fill("live_2");
        await badge("Draft saved").waitFor();
        viewer.check();
    });

    test("nor that of a draft, and what is drawn is not left behind unasked", async () => {
        await pawl.request("PUT", "/v1/workflows/theirs/draft", { text: "name: theirs" });
        await nameField().fill("theirs");
        await builder.form().getByText("There is a draft with this name").waitFor();
        await builder.form().getByLabel("Description").fill("Mine");
        await badge("Draft not saved").waitFor();
        await builder.form().getByRole("link", { name: "open it" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("What you changed is not saved").waitFor();
        await dialog.getByRole("button", { name: "Stay" }).click();
        assert.equal(await draftText("theirs"), "name: theirs");
        // When the name is free, it is saved.
        await pawl.request("DELETE", "/v1/workflows/theirs/draft");
        await badge("Draft saved").waitFor();
        await eventually(async () => assert.match(await draftText("theirs"), /Mine/));
        await page.getByRole("button", { name: "Throw the draft away" }).click();
        await eventually(async () => assert.deepEqual(await drafts(), []));
        viewer.check();
    });

    test("a version that someone else published meanwhile is not replaced unseen", async () => {
        await builder.edit("shared");
        await builder.step("rest").click();
        await page.getByLabel("Duration").fill("3");
        await badge("Draft saved").waitFor();
        await pawl.request("POST", "/v1/workflows", line("shared", "rest", "colleague"));
        await builder.problems("No problems").waitFor();
        await publish().click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("Version 2 is active; this draft began with version 1").waitFor();
        await dialog.getByText(/It adds colleague\./).waitFor();
        await dialog.getByText(/published it/).waitFor();
        // What goes is compared with what is active now.
        await dialog.getByText("0 added, 1 removed, 1 changed").waitFor();
        const button = dialog.getByRole("button", { name: "Publish" });
        assert.ok(await button.isDisabled());
        await shoot(page, "builder-newer-light");
        await checkAccess(page);
        await dialog.getByRole("button", { name: "See the difference" }).click();
        await page.locator("[data-diff]").getByText("colleague").first().waitFor();
        await page.keyboard.press("Escape");
        await page.locator("[data-diff]").waitFor({ state: "detached" });
        await dialog.getByRole("button", { name: "Cancel" }).click();
        assert.equal(await versionOf("shared"), 2);
        viewer.check();
    });

    test("who opens an old draft sees it, and can take the new version", async () => {
        await go(page, "/workflows");
        await builder.edit("shared");
        await newer("Version 2 is active; this draft began with version 1").waitFor();
        await newer(/It adds colleague\./).waitFor();
        assert.equal(await builder.step("colleague").count(), 0);
        await shoot(page, "builder-old-draft-light");
        await checkAccess(page);
        await page.getByRole("button", { name: /^Throw the draft away and go on/ }).click();
        await builder.step("colleague").waitFor();
        await page.locator("[data-newer]").waitFor({ state: "detached" });
        assert.deepEqual(await drafts(), []);
        viewer.check();
    });

    test("who wants to, publishes in its place, and goes on with that", async () => {
        await builder.step("rest").click();
        await page.getByLabel("Duration").fill("4");
        await badge("Draft saved").waitFor();
        await pawl.request("POST", "/v1/workflows", line("shared", "rest", "other"));
        await builder.problems("No problems").waitFor();
        await publish().click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Publish this draft all the same, in place of version 3").check();
        await dialog.getByRole("button", { name: "Publish" }).click();
        await page.waitForURL("**/workflows/shared");
        await page.getByRole("heading", { level: 1, name: "shared", exact: true }).waitFor();
        assert.equal(await versionOf("shared"), 4);
        // A draft that another program saved does not say with what it began: the time does.
        const { definition } = await pawl.request<{ definition: object }>(
            "GET",
            "/v1/workflows/shared",
        );
        const text = JSON.stringify(definition);
        await pawl.request("PUT", "/v1/workflows/shared/draft", { text });
        await pawl.request("POST", "/v1/workflows", line("shared", "again"));
        await builder.edit("shared");
        await newer("Version 5 is active; this draft began with version 4").waitFor();
        viewer.check();
    });

    test("a text that cannot be read is a problem, is not published, and is not lost", async () => {
        await signIn(page, pawl, "/workflows/typed/edit?text=yaml");
        await builder.problems("No problems").waitFor();
        await write("name: typed\nnodes: [");
        await builder.problems("1 problem").waitFor();
        const problems = page.locator("[aria-live=polite] button");
        await problems.getByText(/The text cannot be read, so it is not saved/).waitFor();
        await badge("Draft not saved").waitFor();
        assert.ok(await publish().isDisabled());
        await shoot(page, "builder-unread-light");
        await checkAccess(page);
        // It stays while the pane is closed, and a click on the problem shows it again.
        await page.getByRole("switch", { name: "Text" }).click();
        await editor().waitFor({ state: "detached" });
        await problems.getByText(/The text cannot be read/).click();
        await eventually(async () =>
            assert.match((await editor().textContent()) ?? "", /nodes: \[/),
        );
        await page.getByRole("link", { name: "Workflows" }).first().click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("What you changed is not saved").waitFor();
        await dialog.getByRole("button", { name: "Stay" }).click();
        // The browser asks, too.
        const asked = page.waitForEvent("dialog");
        const reloaded = page.reload().catch(() => undefined);
        const question = await asked;
        assert.equal(question.type(), "beforeunload");
        await question.dismiss();
        await Promise.race([reloaded, eventually(async () => await editor().waitFor())]);
        await page.getByRole("button", { name: "Back to the text of the graph" }).click();
        await builder.problems("No problems").waitFor();
        await eventually(async () =>
            assert.match((await editor().textContent()) ?? "", /id: rest/),
        );
        assert.ok(await publish().isEnabled());
        viewer.check();
    });

    test("a text under the name of another workflow does not become its draft", async () => {
        await write("name: live\nnodes:\n  - {id: begin, type: trigger}");
        await page.getByText("There is a workflow with this name").first().waitFor();
        await badge("Draft not saved").waitFor();
        assert.ok(await publish().isDisabled());
        assert.equal((await drafts()).includes("live"), false);
        await write("name: typed\nnodes:\n  - {id: begin, type: trigger}");
        await builder.problems("No problems").waitFor();
        await badge("Draft saved").waitFor();
        assert.equal((await drafts()).includes("live"), false);
        viewer.check();
    });

    test("in Thai", async () => {
        const thai = await viewer.open({ language: "th" });
        await signIn(thai, pawl, "/new-workflow");
        await thai.locator("[data-form] [data-field=name]").fill("live");
        await thai.locator("[data-form]").getByText("มีเวิร์กโฟลว์ชื่อนี้แล้ว").waitFor();
        await thai.locator("header").getByText("ยังไม่ได้บันทึกฉบับร่าง").waitFor();
        viewer.check();
    });
});
