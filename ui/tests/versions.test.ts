import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { Pawl } from "./support/serve.ts";

describe("versions that are no longer used", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        await pawl.define("greet", [{ name: "hello", code: "echo", input: { message: "hi" } }]);
        await pawl.define("greet", [{ name: "hello", code: "echo", input: { message: "hello" } }]);
        page = await viewer.open();
        await signIn(page, pawl, "/workflows/greet?tab=versions");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const act = async (name: string) => {
        await page.getByRole("button", { name: "Actions for version 1" }).click();
        await page.getByRole("menuitem", { name }).click();
    };
    const isRetired = async () => {
        const path = "/v1/workflows/greet/versions/1";
        const version = await pawl.request<{ retired_at: string | null }>("GET", path);
        return version.retired_at !== null;
    };
    const activate = (version: number) =>
        pawl.request("POST", "/v1/workflows/greet/activate", { version });

    test("an old version is retired: it cannot be active again", async () => {
        await act("Retire");
        await page.getByText("Version 1 is retired").waitFor();
        await page.getByText("retired", { exact: true }).first().waitFor();
        assert.ok(await isRetired());
        await assert.rejects(() => activate(1), /retired/);
        // What it cannot do any more is not offered.
        await page.getByRole("button", { name: "Actions for version 1" }).click();
        await page.getByRole("menuitem", { name: "Take it back" }).waitFor();
        assert.equal(await page.getByRole("menuitem").count(), 1);
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
        await checkAccess(page);
        await shoot(page, "version-retired-light");
        viewer.check();
    });

    test("it is taken back", async () => {
        await act("Take it back");
        await page.getByText("Version 1 can be activated again").waitFor();
        assert.ok(!(await isRetired()));
        await activate(1);
        await activate(2);
        viewer.check();
    });

    test("the version in use cannot be retired", async () => {
        await page.getByRole("button", { name: "Actions for version 2" }).click();
        await page.getByRole("menuitem", { name: "Move" }).first().waitFor();
        assert.equal(await page.getByRole("menuitem", { name: "Retire" }).count(), 0);
        await page.keyboard.press("Escape");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.getByRole("button", { name: "การทำงานกับรุ่น 1" }).waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "versions-thai-dark-360");
        viewer.check();
    });
});
