import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { Pawl } from "./support/serve.ts";

/** What the builder shows where there is little room, and of names that turn text around. */
describe("builder on screens", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let builder: BuilderPage;
    before(async () => {
        await pawl.start();
        await pawl.define("narrow", [{ name: "call", code: "noop" }]);
        page = await viewer.open();
        builder = new BuilderPage(page);
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    test("on smaller screens there is room for the graph and for the text", async () => {
        await signIn(page, pawl, "/workflows/narrow/edit?text=yaml");
        await builder.step("call").waitFor();
        const wide = async (selector: string) =>
            (await page.locator(selector).first().boundingBox())!.width;
        const seen = () =>
            page
                .getByRole("radiogroup", { name: "How the text is written" })
                .evaluate((one) => one.scrollWidth <= one.clientWidth && one.clientWidth > 60);
        const editor = page.getByRole("textbox", { name: "Text" });
        // Pasted over all of it: of what is typed over lines, the browser itself makes styles.
        await page.evaluate(() => navigator.clipboard.writeText("name: ["));
        await editor.press("Control+a");
        await page.keyboard.press("Control+v");
        await page.getByText("This cannot be read").waitFor();
        assert.ok(await seen());
        await editor.press("Control+z");
        await page.getByText("This cannot be read").waitFor({ state: "detached" });
        await turn(page, { width: 1024 });
        assert.ok(await seen());
        await checkWidth(page);
        const both = (await wide("[data-canvas]")) + (await wide(".cm-editor"));
        assert.ok(both > 700, `${both}`);
        await shoot(page, "builder-text-1024");
        await page.getByRole("switch", { name: "Text", exact: true }).uncheck({ force: true });
        await page.locator(".cm-editor").waitFor({ state: "detached" });
        assert.ok((await wide("[data-canvas]")) > 380);
        await page.getByRole("button", { name: "Message", exact: true }).click();
        await builder.step("message").waitFor();
        await checkAccess(page);
        await shoot(page, "builder-1024");
        await turn(page, {});
    });

    test("a sign that turns text stays in its name, in the list of problems", async () => {
        const id = "of\u202efo";
        await pawl.request("PUT", "/v1/workflows/turned/draft", {
            text: JSON.stringify({
                name: "turned",
                nodes: [
                    { id: "begin", type: "trigger" },
                    { id, type: "wait", config: {} },
                ],
                edges: [{ from: "begin", to: id }],
            }),
        });
        await signIn(page, pawl, "/workflows/turned/edit");
        await builder.step("begin").waitFor();
        const problem = page.getByRole("tabpanel").getByRole("button").first();
        await problem.waitFor();
        const [name, said] = await problem.locator("bdi").all();
        const [left, right] = [(await name!.boundingBox())!, (await said!.boundingBox())!];
        assert.equal(await name!.textContent(), id);
        assert.ok(left.x < right.x);
        viewer.check();
    });
});
