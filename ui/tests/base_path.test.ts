import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

describe("below a path of a proxy", () => {
    const pawl = new Pawl(["--base-path", "/pawl"]);
    const viewer = new Viewer();
    let page: Page;
    let run: string;
    const outside: string[] = [];
    before(async () => {
        await pawl.start();
        await pawl.define("asks", [{ name: "ask", human: { title: "Go on?" } }]);
        run = await pawl.startRun("asks");
        await pawl.until(run, "waiting");
        page = await viewer.open();
        page.on("request", (request) => {
            const { pathname } = new URL(request.url());
            if (!pathname.startsWith("/pawl/")) outside.push(pathname);
        });
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    test("who is not signed in signs in there, and comes to the page that was asked for", async () => {
        await page.goto(`${pawl.url}/runs?status=waiting`);
        await page.getByLabel("API key").fill(pawl.key);
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
        await page.waitForURL(`${pawl.url}/runs?status=waiting`);
        await page.getByRole("row").filter({ hasText: "asks" }).waitFor();
        const [cookie] = await page.context().cookies(`${pawl.url}/`);
        assert.equal(cookie?.path, "/pawl");
        await checkAccess(page);
        viewer.check();
    });

    test("links, chunks, writes and live events stay below it", async () => {
        await page.getByRole("row").filter({ hasText: "asks" }).click();
        await page.waitForURL(`${pawl.url}/runs/${run}`);
        await page.getByRole("link", { name: "Decide" }).click();
        await page.waitForURL(/\/pawl\/inbox\?task=/);
        await page.getByRole("button", { name: "Approve", exact: true }).click();
        await page.getByText("You have decided it: approved").waitFor();
        await page.getByRole("link", { name: "Workflows", exact: true }).click();
        await page.waitForURL(`${pawl.url}/workflows`);
        // The builder is a chunk of its own.
        await page.goto(`${pawl.url}/workflows/asks?tab=graph`);
        await page.locator(".react-flow__node").first().waitFor();
        await page.goto(`${pawl.url}/runs`);
        await page.getByRole("row").filter({ hasText: "completed" }).waitFor();
        await pawl.startRun("asks");
        await page.getByRole("button", { name: "1 new" }).waitFor();
        assert.deepEqual(outside, []);
        viewer.check();
    });

    test("what is copied leads back below it", async () => {
        await page.getByRole("button", { name: "Copy as" }).click();
        await page.getByRole("menuitem", { name: "curl" }).click();
        const copied = await eventually(
            async () => await page.evaluate(() => navigator.clipboard.readText()),
        );
        assert.match(copied, /\/pawl\/v1\/runs/);
        viewer.check();
    });
});
