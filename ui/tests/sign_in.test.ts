import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess, shoot, signIn, Viewer } from "./support/browser.ts";
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
        await signIn(other, pawl, "//evil.example/");
        assert.equal(new URL(other.url()).origin, new URL(pawl.url).origin);
        await shoot(other, "home-thai-dark-360");
        await checkAccess(other);
        viewer.check();
    });
});
