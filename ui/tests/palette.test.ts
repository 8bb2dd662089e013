import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { shoot, signIn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

/** Ctrl+K does whatever the page can do, for who may. */
describe("actions by Ctrl+K", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let run = "";
    before(async () => {
        await pawl.start();
        await pawl.define("waits", [{ name: "paid", wait: { signal: "paid", timeout: "3d" } }]);
        run = await pawl.startRun("waits");
        await pawl.until(run, "waiting");
        page = await viewer.open();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    /** The actions of the page for what is typed. */
    const offered = async (text: string) => {
        const field = page.getByPlaceholder("Paste an id, or type where to go");
        await eventually(async () => {
            await page.keyboard.press("Control+k");
            await field.waitFor({ timeout: 2_000 });
        });
        await field.fill(text);
        return page.locator("[data-action]");
    };
    const close = async () => {
        await page.keyboard.press("Escape");
        await page.locator("[data-action]").first().waitFor({ state: "detached" });
    };
    const labels = async (text: string) => {
        const all = await (await offered(text)).allInnerTexts();
        await close();
        return all.map((one) => one.split("\n")[0]!);
    };
    /** The page may be on its way. */
    const has = (text: string, label: string) =>
        eventually(async () => {
            const found = await labels(text);
            assert.ok(found.includes(label), `${label} is not in ${found.join()}`);
        });
    const act = async (label: string) => {
        const all = await offered(label);
        await all
            .filter({ has: page.getByText(label, { exact: true }) })
            .first()
            .click();
    };

    test("of a run: what it can do now, by button, menu or key", async () => {
        await signIn(page, pawl, `/runs/${run}`);
        await page.getByRole("button", { name: "Pause" }).waitFor();
        await has("pau", "Pause");
        await has("signal", "Send a signal…");
        await has("compare", "Compare with another run…");
        // What a key and a button do alike is there once.
        assert.deepEqual(
            (await labels("cancel")).filter((one) => one === "Cancel"),
            ["Cancel"],
        );
        assert.ok(!(await labels("retry")).includes("Retry"));
        await act("Copy as curl");
        const text = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(text, new RegExp(`/v1/runs/${run}'$`));
        await act("Log");
        await page.waitForURL(/tab=log/);
        await act("Send a signal…");
        await page.getByRole("dialog", { name: /signal/i }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await act("Cancel");
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        viewer.check();
    });

    test("of a workflow: start, edit, switch off", async () => {
        await signIn(page, pawl, "/workflows/waits");
        await page.locator("[data-step]").first().waitFor();
        await has("edit", "Edit");
        await offered("");
        await checkAccess(page);
        await shoot(page, "palette-workflow");
        await close();
        await act("Switch off");
        await page.getByText("waits is switched off").waitFor();
        await act("Switch on");
        await page.getByText("waits is switched on").waitFor();
        await act("Start a run");
        await page.getByRole("dialog").waitFor();
        // What a dialog covers is not offered.
        assert.ok(!(await labels("edit")).includes("Edit"));
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        viewer.check();
    });

    test("of a list: its filters", async () => {
        await signIn(page, pawl, "/runs");
        await page.getByRole("grid").waitFor();
        await has("failed", "failed 0");
        await act("failed 0");
        await page.waitForURL(/status=failed/);
        await act("Views: Open");
        await page.waitForURL(/status=queued/);
        await signIn(page, pawl, "/workflows");
        await page.getByRole("grid").waitFor();
        await act("Failing");
        await page.waitForURL(/state=failing/);
        await act("Find a workflow");
        await page.locator("input[placeholder='Find a workflow']:focus").waitFor();
        viewer.check();
    });

    test("not what a role may not do", async () => {
        await signIn(page, pawl, `/runs/${run}`, pawl.createRoleKey("viewer"));
        await page.getByRole("button", { name: "Copy as" }).waitFor();
        for (const label of ["Cancel", "Pause", "Send a signal…"]) {
            assert.ok(!(await labels(label.replace("…", ""))).includes(label), label);
        }
        assert.ok((await labels("copy")).includes("Copy as curl"));
        viewer.check();
    });

    test("of the builder: what keys of the browser do otherwise", async () => {
        await signIn(page, pawl, "/workflows/waits/edit");
        const steps = page.locator("[data-step]");
        await eventually(async () => assert.equal(await steps.count(), 1));
        await page.locator('[data-step="paid"]').click();
        await act("Copy the selected steps");
        await eventually(async () => {
            const text = await page.evaluate(() => navigator.clipboard.readText());
            assert.match(text, /"paid"/);
        });
        await act("Paste steps");
        await eventually(async () => assert.equal(await steps.count(), 2));
        const redo = (await offered("Redo")).filter({ hasText: "Redo" });
        assert.match((await redo.first().textContent()) ?? "", /Ctrl(ShiftZ|Y)$/);
        await close();
        viewer.check();
    });
});
