import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
import { Pawl } from "./support/serve.ts";

const flow = (wait: string) => ({
    name: "welcome",
    nodes: [
        { id: "came", type: "trigger" },
        { id: wait, wait: "7d" },
    ],
    edges: [{ from: "came", to: wait }],
});

/** People stand on versions whose steps the graph that is shown does not have. */
describe("people on older versions", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        const start = async (subject: string) =>
            await pawl.until(await pawl.startRun("welcome", {}, { subject }), "waiting");
        await pawl.request("POST", "/v1/workflows", flow("a_week"));
        await start(hostile[0]!);
        await start("bo");
        await pawl.request("POST", "/v1/workflows", flow("a_month"));
        await start("cy");
        await pawl.request("POST", "/v1/workflows", flow("a_year"));
        page = await viewer.open();
        await signIn(page, pawl, "/workflows/welcome");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const panel = (version: number) =>
        page.getByRole("complementary", { name: `Runs on version ${version}` });

    test("the graph says how many there are, and lists them by version", async () => {
        await page.getByRole("button", { name: "3 runs are on older versions" }).click();
        await panel(2).getByText("cy").waitFor();
        await panel(2).getByText("a_month").waitFor();
        assert.equal(await panel(2).getByText("bo", { exact: true }).count(), 0);
        await panel(2).getByRole("combobox", { name: "Which version" }).click();
        await page.getByRole("option", { name: "Version 1: 2" }).click();
        await panel(1).getByText("bo", { exact: true }).waitFor();
        await panel(1).getByText(hostile[0]!).waitFor();
        await panel(1).getByText("a_week").first().waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        await checkAccess(page);
        await shoot(page, "workflow-older-light");
        // The address holds it.
        await page.reload();
        await panel(1).getByText("bo", { exact: true }).waitFor();
        await panel(1).getByRole("button", { name: "Close" }).click();
        await panel(1).waitFor({ state: "detached" });
        viewer.check();
    });

    test("on a phone, in Thai and dark", async () => {
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.getByRole("button", { name: "3 รันอยู่ในรุ่นก่อนหน้า" }).click();
        await page.getByRole("complementary", { name: "รันในรุ่น 2" }).getByText("cy").waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "workflow-older-thai-dark-360");
        viewer.check();
    });

    test("who goes on in the new version is not counted", async () => {
        await pawl.request("POST", "/v1/workflows/welcome/migrate", {
            to: 3,
            map: { a_week: "a_year", a_month: "a_year" },
        });
        await turn(page, {});
        await page.locator("[data-others]").waitFor({ state: "detached" });
        viewer.check();
    });
});
