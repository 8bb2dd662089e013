import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess, shoot, signIn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

const many = 1000;

describe("failures", () => {
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

    const rows = () => page.locator("[role=grid] [role=row][aria-rowindex]");
    const failed = async (workflow: string, count: number) =>
        await eventually(async () => {
            const { data } = await pawl.request<{ data: { workflow: string; count: number }[] }>(
                "GET",
                "/v1/dead-letters/groups",
            );
            assert.equal(data.find((one) => one.workflow === workflow)?.count, count);
        });

    test("nothing failed yet", async () => {
        await signIn(page, pawl, "/failures");
        await page.getByText("No run has failed").waitFor();
        await checkAccess(page);
        viewer.check();
    });

    test("a thousand runs that failed alike are one group, and are replayed as a job", async () => {
        const step = (jq: string) => [{ name: "step", transform: { jq } }];
        await pawl.define("orders", step('error("the shop is closed")'));
        for (let i = 0; i < many / 500; i++) {
            const runs = Array.from({ length: 500 }, () => ({ workflow: "orders" }));
            await pawl.request("POST", "/v1/runs/batch", { runs });
        }
        await failed("orders", many);
        // The shop is open again.
        await pawl.define("orders", step('"open"'));
        await eventually(async () => assert.equal(await rows().count(), 2));
        await page.getByText("1,000", { exact: true }).waitFor();
        await page.getByRole("img", { name: /^1,?000 in the last 24 hours/ }).waitFor();
        await shoot(page, "failures-light");
        await rows().nth(1).click();
        await page.waitForURL(/group=/);
        await page.getByLabel("The active version").check();
        await checkAccess(page);
        await shoot(page, "failures-group-light");
        await page.getByRole("button", { name: /Replay 1,?000 runs/ }).click();
        await page.waitForURL(/job=/);
        await page.getByRole("progressbar").waitFor();
        await page.getByText(/1,?000 of 1,?000 done/).waitFor();
        await shoot(page, "failures-replayed-light");
        await eventually(async () => {
            const { data } = await pawl.request<{ data: { status: string; version: number }[] }>(
                "GET",
                "/v1/runs?workflow=orders&status=completed&limit=1000",
            );
            assert.equal(data.length, many);
            assert.ok(data.every((run) => run.version === 2));
        });
        viewer.check();
    });
});
