import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page, Response } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { Pawl, root } from "./support/serve.ts";

/** The sheets that a part needs, by what the build wrote down. */
function sheetsOf(part: string): string[] {
    type Chunk = { css?: string[]; imports?: string[] };
    const text = readFileSync(`${root}build/ui/manifest.json`, "utf8");
    const chunks = JSON.parse(text) as Record<string, Chunk>;
    const take = (name: string, seen: Set<string>): string[] => {
        if (seen.has(name)) return [];
        seen.add(name);
        const { css = [], imports = [] } = chunks[name]!;
        return [...css, ...imports.flatMap((one) => take(one, seen))];
    };
    return take(part, new Set());
}

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

    test("a page that is not loaded yet waits for a server that is gone", async () => {
        await go(page, "/runs");
        await page.getByRole("grid").waitFor();
        await page.evaluate(() => Object.assign(window, { kept: true }));
        await pawl.kill();
        await page.getByRole("link", { name: "People" }).click();
        await page.getByRole("heading", { name: "This page cannot be loaded now" }).waitFor();
        const bar = page.getByRole("alert").filter({ hasText: "does not answer since" });
        await bar.waitFor();
        await checkAccess(page);
        await shoot(page, "part-awaited-light");
        await page.getByRole("button", { name: "Try again" }).click();
        await page.getByRole("heading", { name: "This page cannot be loaded now" }).waitFor();
        await pawl.start();
        await page.getByRole("heading", { level: 1, name: "People" }).waitFor();
        await bar.waitFor({ state: "detached" });
        assert.ok(await page.evaluate(() => "kept" in window), "the page was loaded again");
        viewer.problems.splice(0);
    });

    test("a page whose requests are broken off waits, and is drawn with its styles", async () => {
        await page.route(/./, (route) => route.abort("connectionfailed"));
        await page.getByRole("link", { name: "Messages" }).click();
        await page.getByRole("heading", { name: "This page cannot be loaded now" }).waitFor();
        const bar = page.getByRole("alert").filter({ hasText: "does not answer since" });
        await bar.waitFor();
        await page.unroute(/./);
        await page.getByRole("button", { name: "Try again" }).click();
        await page.getByRole("heading", { level: 1, name: "Messages" }).waitFor();
        // A sheet that failed is loaded again.
        const drawn = await page.evaluate(() =>
            [...document.styleSheets].map(({ href }) => href?.replace(/.*\//, "")),
        );
        for (const sheet of sheetsOf("src/pages/messages/MessagesPage.tsx")) {
            assert.ok(drawn.includes(sheet.replace(/.*\//, "")), `${sheet} is not drawn`);
        }
        await bar.waitFor({ state: "detached" });
        assert.ok(await page.evaluate(() => "kept" in window), "the page was loaded again");
        viewer.problems.splice(0);
    });

    test("a page that another build has replaced is loaded as a whole", async () => {
        const gone = /\/assets\/Failures[^/]*\.js$/;
        await page.route(gone, (route) => route.fulfill({ status: 404 }));
        await Promise.all([
            page.waitForEvent("load"),
            page.getByRole("link", { name: "Failures" }).click(),
        ]);
        // Once: the next is up to the viewer.
        await page.getByText("This page belongs to another release of the server").waitFor();
        assert.ok(!(await page.evaluate(() => "kept" in window)));
        await checkAccess(page);
        await page.unroute(gone);
        await page.getByRole("button", { name: "Try again" }).click();
        await page.getByRole("heading", { level: 1, name: "Failures" }).waitFor();
        viewer.problems.splice(0);
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
