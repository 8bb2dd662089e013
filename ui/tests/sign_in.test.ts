import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { shoot, Viewer } from "./support/browser.ts";
import { Pawl } from "./support/serve.ts";

describe("sign in", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        page = await viewer.open();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    test("a stranger is asked for a key, and a wrong one is refused", async () => {
        await page.goto(`${pawl.url}/runs?status=failed`);
        await page.getByLabel("API key").fill("pawl_wrong");
        await checkAccess(page);
        await shoot(page, "sign-in-light");
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("alert").waitFor();
    });

    test("the right key leads to where the link went", async () => {
        await page.getByLabel("API key").fill(pawl.key);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForURL("**/runs?status=failed");
        viewer.check();
    });

    test("a link does not lead to another site", async () => {
        const other = await viewer.open({ width: 360, scheme: "dark", language: "th" });
        await other.goto(`${pawl.url}/sign-in?next=${encodeURIComponent("//evil.example/")}`);
        await other.getByLabel(/API/).fill(pawl.key);
        await other.locator("form button[type=submit]").click();
        await other.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
        // The heading of the page it leads to, not that of the one it leaves.
        await other.locator("form button[type=submit]").waitFor({ state: "detached" });
        await other.getByRole("heading", { level: 1 }).first().waitFor();
        assert.equal(new URL(other.url()).origin, new URL(pawl.url).origin);
        await checkAccess(other);
        viewer.check();
    });
});
