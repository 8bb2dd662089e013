import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
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
        const own = page.getByRole("group", { name: "Newest runs with this error" });
        await eventually(async () => assert.equal(await own.getByRole("link").count(), 10));
        await own.getByText(`and ${many - 10} more`).waitFor();
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

    test("a group is replayed with what was missing in its input", async () => {
        await pawl.define("pay", [
            {
                name: "check",
                transform: { jq: 'if .input.currency then "ok" else error("no currency") end' },
            },
        ]);
        for (const text of hostile.slice(0, 3)) {
            await pawl.until(await pawl.startRun("pay", { text }), "failed");
        }
        await go(page, "/failures");
        await page.getByText("no currency").first().click();
        await page.getByRole("switch", { name: "Change the input" }).click();
        const added = page.getByRole("group", { name: "What is added" });
        await added.getByText("JSON", { exact: true }).click();
        const editor = added.getByRole("textbox", { name: "What is added" });
        await editor.click();
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText('["no object"]');
        await page.getByText("must be a JSON object").waitFor();
        assert.ok(await page.getByRole("button", { name: "Replay 3 runs" }).isDisabled());
        await editor.click();
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText("{}");
        await added.getByText("Fields", { exact: true }).click();
        await added.getByRole("button", { name: "Add" }).click();
        await added.getByRole("textbox", { name: "Name of the value" }).fill("currency");
        await added.getByRole("textbox", { name: "Value", exact: true }).fill("THB");
        await checkAccess(page);
        await shoot(page, "failures-fix-light");
        await page.getByRole("button", { name: "Replay 3 runs" }).click();
        await page.getByText("3 of 3 done").waitFor();
        await eventually(async () => {
            const { data } = await pawl.request<{ data: { input: object }[] }>(
                "GET",
                "/v1/runs?workflow=pay&status=completed",
            );
            assert.equal(data.length, 3);
        });
        viewer.check();
    });

    test("an error is muted with a reason, and counts again", async () => {
        await pawl.define("odd", [
            { name: "step", transform: { jq: `error(${JSON.stringify(hostile[0])})` } },
        ]);
        await pawl.until(await pawl.startRun("odd"), "failed");
        await go(page, "/failures");
        await page.getByText(hostile[0]!).first().click();
        await page.getByLabel("Why does this error need no attention?").fill(hostile[1]!);
        await page.getByRole("button", { name: "Mute", exact: true }).click();
        const { subject } = await pawl.request<{ subject: string }>("GET", "/v1/session");
        await page.getByText(`Muted by ui admin (${subject})`).waitFor();
        await page.getByText(hostile[1]!, { exact: true }).waitFor();
        await checkAccess(page);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.getByText("No run has failed").waitFor();
        await page.getByText("Muted 1").click();
        await page.waitForURL(/view=muted/);
        await eventually(async () => assert.equal(await rows().count(), 2));
        const overview = await pawl.request<{ failures: { groups: number } }>(
            "GET",
            "/v1/overview",
        );
        assert.equal(overview.failures.groups, 0);
        await rows().nth(1).click();
        // Who may only look learns why, too.
        await page.waitForURL(/group=/);
        const looks = await viewer.open();
        await signIn(
            looks,
            pawl,
            new URL(page.url()).pathname + new URL(page.url()).search,
            pawl.createRoleKey("viewer"),
        );
        await looks.getByText(`Muted by ui admin (${subject})`).waitFor();
        assert.equal(await looks.getByRole("button", { name: "Unmute" }).count(), 0);
        await page.getByRole("button", { name: "Unmute" }).click();
        await page.getByText("The error counts again").waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        await go(page, "/failures");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await rows().nth(1).waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "failures-thai-dark-360");
        await rows().nth(1).click();
        await page.getByRole("button", { name: "เล่นซ้ำ 1 รัน" }).waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "failures-group-thai-dark-360");
        viewer.check();
    });
});
