import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { eventually, Pawl } from "./support/serve.ts";

const flow = {
    name: "offers",
    nodes: [
        { id: "begin", type: "trigger" },
        { id: "quote", code: "noop" },
        { id: "ask", human: { title: "Fine?" } },
        { id: "send", code: "noop" },
    ],
    edges: [
        { from: "begin", to: "quote" },
        { from: "quote", to: "ask" },
        { from: "ask", to: "send", handle: "approved" },
    ],
};

/** A step is switched off by a key, drawn so, and passed by runs. */
describe("builder: a step that is switched off", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let builder: BuilderPage;
    before(async () => {
        await pawl.start();
        await pawl.request("POST", "/v1/workflows", flow);
        page = await viewer.open();
        builder = new BuilderPage(page);
        await signIn(page, pawl, "/workflows/offers/edit?text=yaml");
        await builder.step("quote").waitFor();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const off = (id: string) => page.locator(`[data-step="${id}"][data-off]`);
    const editor = () => page.getByRole("textbox", { name: "Text" });
    const inText = (wanted: boolean) =>
        eventually(async () => {
            const text = (await editor().textContent()) ?? "";
            assert.equal(text.includes("disabled: true"), wanted, text);
        });

    test("D switches it off and on; undo and the text beside know it", async () => {
        await builder.step("quote").click();
        await page.keyboard.press("d");
        await off("quote").getByText("Switched off").waitFor();
        const border = await off("quote").evaluate((one) => getComputedStyle(one).borderTopStyle);
        assert.equal(border, "dashed");
        await inText(true);
        await builder.problems("No problems").waitFor();
        await checkAccess(page);
        await shoot(page, "builder-off-light");
        await turn(page, { scheme: "dark" });
        await checkAccess(page);
        await shoot(page, "builder-off-dark");
        await turn(page, {});
        await page.keyboard.press("Control+z");
        await off("quote").waitFor({ state: "detached" });
        await inText(false);
        await page.keyboard.press("Control+Shift+z");
        await off("quote").waitFor();
        await page.keyboard.press("d");
        await off("quote").waitFor({ state: "detached" });
    });

    test("the form has a switch", async () => {
        await builder.step("send").click();
        const toggle = builder.form().getByRole("switch", { name: "Switched off" });
        await toggle.check({ force: true });
        await off("send").waitFor();
        await toggle.uncheck({ force: true });
        await off("send").waitFor({ state: "detached" });
        await inText(false);
    });

    test("what has no way on stays on, and says what to do", async () => {
        await builder.step("ask").click();
        await page.keyboard.press("d");
        await page
            .getByText(/lead an edge with the handle default from it/)
            .first()
            .waitFor();
        const toggle = builder.form().getByRole("switch", { name: "Switched off" });
        assert.ok(await toggle.isDisabled());
        await builder.step("begin").click();
        await page.keyboard.press("d");
        await page.getByText("A step that only leads the run cannot be switched off").waitFor();
        assert.equal(await toggle.count(), 0);
        assert.equal(await page.locator("[data-off]").count(), 0);
    });

    test("a run passes it, and its page says so", async () => {
        await builder.step("quote").click();
        await page.keyboard.press("d");
        await off("quote").waitFor();
        await builder.publish();
        await page.getByText("Version 2 of offers is published").waitFor();
        const { id } = await pawl.request<{ id: string }>("POST", "/v1/runs", {
            workflow: "offers",
        });
        await signIn(page, pawl, `/runs/${id}?tab=log`);
        await page.getByText("Switched off: passed").waitFor();
        await page.getByRole("button", { name: "quote", exact: true }).first().click();
        await page
            .getByRole("complementary", { name: "quote" })
            .getByText("Switched off: runs pass it")
            .waitFor();
        await checkAccess(page);
    });

    test("in Thai", async () => {
        const thai = await viewer.open({ language: "th" });
        await signIn(thai, pawl, "/workflows/offers/edit");
        await thai.locator('[data-step="quote"][data-off]').getByText("ปิดไว้").waitFor();
        await thai.locator('[data-step="ask"]').click();
        await thai.keyboard.press("d");
        await thai
            .getByText(/ให้ลากเส้นจากทางออก default ก่อน/)
            .first()
            .waitFor();
    });
});
