import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

describe("runs", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        await pawl.define("greet", [{ name: "hello", code: "echo", input: { message: "hi" } }]);
        await pawl.define("breaks", [
            { name: "step", code: "fail", input: { until_attempt: 9 }, retry: { attempts: 1 } },
        ]);
        await pawl.define("waits", [{ name: "paid", wait: { signal: "paid", timeout: "3d" } }]);
        page = await viewer.open();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const rows = () => page.locator("[role=grid] [role=row][aria-rowindex]");
    const grid = () => page.getByRole("grid", { name: "Runs" });

    test("an empty list teaches the command that fills it, and has the button", async () => {
        await signIn(page, pawl, "/runs");
        await page.getByText("No run yet").waitFor();
        await page.getByText(/^pawl run (breaks|greet|waits) --wait$/).waitFor();
        await page.getByText(/^curl .* '\{"workflow":"(breaks|greet|waits)"\}'/).waitFor();
        await checkAccess(page);
        await shoot(page, "runs-empty-light");
        await page.getByRole("button", { name: "Start a run" }).last().click();
        await page.getByRole("dialog").getByRole("combobox", { name: "Workflow" }).click();
        await page.getByRole("option", { name: "greet" }).click();
        await checkAccess(page);
        await page.getByRole("dialog").getByRole("button", { name: "Start a run" }).click();
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        await page.goBack();
        await eventually(async () => assert.equal(await rows().count(), 2));
        viewer.check();
    });

    test("runs appear, with their states", async () => {
        const failed = await pawl.startRun("breaks", {}, { subject: hostile[0] });
        await pawl.until(failed, "failed");
        for (const text of hostile.slice(1)) {
            await pawl.startRun("greet", { text }, { subject: text.slice(0, 400) });
        }
        const data = { total: 250, city: "<b>Ayutthaya</b>" };
        await pawl.startRun("waits", data, { subject: "user:ann" });
        await page.reload();
        await grid().waitFor();
        await eventually(async () => assert.equal(await rows().count(), hostile.length + 3));
        await page.getByText(hostile[0]!, { exact: true }).waitFor();
        await checkAccess(page);
        await shoot(page, "runs-light");
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        viewer.check();
    });

    test("a time says all of it whenever the pointer rests on it", async () => {
        const hint = page.getByRole("tooltip");
        for (let turn = 0; turn < 2; turn++) {
            await rows().nth(1).locator("time").hover();
            await hint.getByText(/\d UTC$/).waitFor();
            await page.mouse.move(1, 1);
            await hint.waitFor({ state: "detached" });
        }
    });

    test("a new run is announced, and does not move the rows", async () => {
        const before = await rows().count();
        await pawl.startRun("greet");
        await page.getByRole("button", { name: "1 new" }).click();
        await eventually(async () => assert.equal(await rows().count(), before + 1));
    });

    test("filters are typed with completion, and stay in the address", async () => {
        const box = page.getByLabel("Filter runs").first();
        await box.fill("status:fa");
        await page.getByRole("option", { name: "status:failed" }).click();
        await page.waitForURL("**/runs?status=failed");
        await eventually(async () => assert.equal(await rows().count(), 2));
        await box.fill("workflow:greet");
        await box.press("Enter");
        await page.waitForURL(/workflow=greet/);
        await page.getByText("No run matches").waitFor();
        await box.fill("colour:red");
        await box.press("Enter");
        await page.getByText("There is no filter “colour”").waitFor();
        await box.fill("");
        await box.press("Backspace");
        await page.waitForURL((url) => !url.search.includes("status"));
        viewer.check();
    });

    test("runs are found by their error", async () => {
        const box = page.getByLabel("Filter runs").first();
        await page.getByRole("button", { name: "Remove the filter workflow" }).click();
        await box.fill("error:AS-ASKED");
        await box.press("Enter");
        await page.getByText("No run matches").waitFor();
        await box.press("Backspace");
        await box.fill('error:"failed AS asked"');
        await box.press("Enter");
        await page.waitForURL(/error=failed/);
        await eventually(async () => assert.equal(await rows().count(), 2));
        await page.getByText("1 run was looked through.").waitFor();
        await box.press("Backspace");
        await page.waitForURL((url) => !url.search.includes("error"));
        viewer.check();
    });

    test("runs are found by their data", async () => {
        const box = page.getByLabel("Filter runs").first();
        await box.fill("data.total");
        await box.press("Enter");
        await page.getByText("data.total is not a condition on data").waitFor();
        await box.fill('data.total>100 data.city="<b>Ayutthaya</b>"');
        await box.press("Enter");
        await page.waitForURL(/where=data/);
        await eventually(async () => assert.equal(await rows().count(), 2));
        await page.getByText('data.city="<b>Ayutthaya</b>"').waitFor();
        await page.getByRole("button", { name: "Remove the filter data.total>100" }).click();
        await page.waitForURL((url) => !url.search.includes("total"));
        await box.press("Backspace");
        await page.waitForURL((url) => !url.search.includes("where"));
        viewer.check();
    });

    test("what a search did not reach is looked through when it is asked for", async () => {
        // Older than all others: a page looks through 2,000 of them.
        const oldest = `'00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0')`;
        pawl.sql(`insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version,
                                        bucket, status, error)
                  select (${oldest})::uuid, now(), now(), 1, w.id, 1, 0, 2,
                         jsonb_build_object('message', case i when 1 then 'needle' else 'hay' end)
                    from pawl.workflow w, generate_series(1, 2500) as i where w.name = 'breaks'`);
        const box = page.getByLabel("Filter runs").first();
        await box.fill("error:needle");
        await box.press("Enter");
        await page.getByText("2,000 runs were looked through.").waitFor();
        await page.getByText("Nothing was found so far").waitFor();
        await checkAccess(page);
        await shoot(page, "runs-look-further-light");
        const further = page.getByRole("button", { name: "Look further back" });
        await further.click();
        await eventually(async () => assert.equal(await rows().count(), 2));
        // Each of them once, with the one that failed before.
        await page.getByText("2,501 runs were looked through.").waitFor();
        assert.equal(await further.count(), 0);
        pawl.sql("delete from pawl.run where run_id < '00000000-0000-7000-9000-000000000000'");
        await box.press("Backspace");
        await page.waitForURL((url) => !url.search.includes("error"));
        viewer.check();
    });

    test("the keyboard walks rows and opens one", async () => {
        await grid().focus();
        // The table is one stop of Tab; behind it come the links of the row that it is at, alone.
        const stops = page.locator('[role=row] :is(a, button):not([tabindex="-1"])');
        await page.locator("[role=row][data-focused]").waitFor();
        const inRow = await page.locator("[role=row][data-focused] :is(a, button)").count();
        assert.ok(inRow > 0);
        assert.equal(await stops.count(), inRow);
        await page.keyboard.press("Tab");
        await page.locator("[role=columnheader] input:focus").waitFor();
        await page.keyboard.press("Tab");
        await page.locator("[role=row][data-focused] :focus").waitFor();
        await checkAccess(page);
        await grid().focus();
        await page.keyboard.press("j");
        await page.keyboard.press("j");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
        await page.goBack();
        await grid().waitFor();
    });

    test("chosen rows are changed together", async () => {
        await page.getByRole("button", { name: "waiting" }).click();
        await page.waitForURL(/status=waiting/);
        await eventually(async () => assert.equal(await rows().count(), 2));
        await page.getByLabel("Select all rows shown").check();
        await page.getByRole("toolbar").getByRole("button", { name: "Pause" }).click();
        await page.getByText("1 run changed").waitFor();
        viewer.check();
    });

    test("all that match are changed as a job, after a look", async () => {
        await page.getByRole("button", { name: "Change many…" }).click();
        await page.getByRole("dialog").waitFor();
        await page.getByRole("combobox", { name: "Action" }).click();
        await page.getByRole("option", { name: "Say how a step ended" }).click();
        const look = page.getByRole("button", { name: "See what would be done" });
        assert.ok(await look.isDisabled(), "no step was named");
        await page.getByRole("textbox", { name: "Step" }).fill("send");
        await page.getByRole("combobox", { name: "It" }).click();
        await page.getByRole("option", { name: "was not done: try it again" }).click();
        await checkAccess(page);
        const asked = page.waitForRequest("**/v1/runs/bulk");
        await look.click();
        const { action, node, as } = (await asked).postDataJSON();
        assert.deepEqual([action, node, as], ["settle", "send", "retry"]);
        await page.getByRole("combobox", { name: "Action" }).click();
        await page.getByRole("option", { name: "Cancel" }).click();
        await page.getByRole("button", { name: "See what would be done" }).click();
        await page.getByText("1 run would be changed").waitFor();
        await checkAccess(page);
        await shoot(page, "runs-bulk-light");
        await page.getByRole("button", { name: "Do it to 1 run" }).click();
        await page.getByText("1 of 1 done").waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        // All of them: none may wait any more.
        await go(page, "/runs");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await rows().nth(1).waitFor();
        // What tells runs of a workflow apart is there.
        const second = page.locator("[role=row] a + span");
        assert.ok((await second.count()) >= 2);
        for (const text of await second.allTextContents()) assert.notEqual(text, "");
        await page.getByRole("button", { name: "มุมมอง" }).click();
        await page.getByRole("menuitem", { name: "ที่เปิดอยู่" }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "runs-thai-dark-360");
        viewer.check();
    });
});
