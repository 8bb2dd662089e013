import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page, Response } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { Pawl } from "./support/serve.ts";

describe("errors", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        await pawl.define("waits", [{ name: "paid", wait: { signal: "paid", timeout: "3d" } }]);
        page = await viewer.open();
        await signIn(page, pawl, "/");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const idOf = (response: Response) => {
        const id = response.headers()["x-request-id"];
        assert.ok(id);
        return id;
    };

    test("a list that the server refuses says why, and under which id it was logged", async () => {
        const refused = page.waitForResponse(
            (response) => response.url().includes("/v1/runs?") && response.status() >= 400,
        );
        await go(page, `/runs?error=${"x".repeat(600)}`);
        const id = idOf(await refused);
        const alert = page.getByRole("alert").filter({ hasText: "Request id" });
        await alert.getByText(id, { exact: true }).waitFor();
        await alert.getByText(/500/).first().waitFor();
        await alert.getByText("Change what is asked for").waitFor();
        // It would be refused again.
        assert.equal(await alert.getByRole("button", { name: "Try again" }).count(), 0);
        await checkAccess(page);
        await shoot(page, "error-light");
        await alert.getByRole("button", { name: "Copy" }).click();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), id);
        viewer.check();
    });

    test("an action that is refused says so with its id, and what was typed stays", async () => {
        const run = await pawl.startRun("waits");
        await pawl.until(run, "waiting");
        await go(page, `/runs/${run}`);
        await page.getByRole("button", { name: "Send “paid”" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        await pawl.request("POST", `/v1/runs/${run}/cancel`, {});
        await pawl.until(run, "cancelled");
        const refused = page.waitForResponse((response) => response.url().endsWith("/signals"));
        await dialog.getByRole("button", { name: "Send" }).click();
        const id = idOf(await refused);
        await page.getByText(`Request id ${id}`).waitFor();
        await dialog.waitFor();
        await shoot(page, "error-notice-light");
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        await go(page, `/runs?error=${"x".repeat(600)}`);
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.getByText("รหัสคำขอ").waitFor();
        // Said by its code, with the figure that the server gives.
        const alert = page.getByRole("alert").filter({ hasText: "รหัสคำขอ" });
        await alert.getByText(/^พารามิเตอร์ไม่ถูกต้อง: error ต้องไม่เกิน 500 ไบต์$/).waitFor();
        await alert.getByText(/^error ต้องไม่เกิน 500 ไบต์$/).waitFor();
        assert.doesNotMatch((await alert.textContent()) ?? "", /must have/);
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "error-thai-dark-360");
        viewer.check();
    });

    test("an action that is refused is said in Thai, and again in English", async () => {
        const run = await pawl.startRun("waits");
        await pawl.until(run, "waiting");
        await turn(page, { language: "th" });
        await go(page, `/runs/${run}`);
        await page.getByRole("button", { name: "ส่ง “paid”" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        await pawl.request("POST", `/v1/runs/${run}/cancel`, {});
        await pawl.until(run, "cancelled");
        await dialog.locator("button[type=submit]").click();
        await page.getByText("รันนี้จบแล้ว (ยกเลิกแล้ว) ส่งอะไรถึงไม่ได้อีก").waitFor();
        await shoot(page, "error-notice-thai");
        await go(page, "/runs/00000000-0000-7000-8000-000000000000");
        await page.getByText(/^ไม่พบรัน “00000000-0000/).waitFor();
        await checkAccess(page);
        viewer.check();
    });
});
