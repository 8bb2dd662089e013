import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { Receiver } from "./support/receiver.ts";
import { eventually, Pawl } from "./support/serve.ts";
import { tabsOf } from "./support/tabs.ts";

interface List<T> {
    data: T[];
}

const secretKey = Buffer.alloc(32, 5).toString("base64");
const cron = (text: string, timezone: string) => ({
    triggers: [{ cron: text, timezone }],
});

describe("operations", () => {
    const pawl = new Pawl(["--allow-outbound", "127.0.0.1"], { PAWL_SECRET_KEY: secretKey });
    const viewer = new Viewer();
    const receiver = new Receiver();
    let page: Page;
    before(async () => {
        await receiver.start();
        await pawl.start();
        page = await viewer.open();
        await signIn(page, pawl, "/operations");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
        receiver.close();
    });

    const { open, panel, act, closePanel } = tabsOf("/operations", () => page);

    test("the overview says what pawl doctor says, with what to do", async () => {
        const list = page.getByRole("list", { name: "Findings" });
        await list.waitFor();
        const said = (await list.textContent()) ?? "";
        const found = await pawl.request<List<{ check: string; detail: string }>>(
            "GET",
            "/v1/doctor",
        );
        for (const check of ["migrations", "workers", "settings", "queues"]) {
            assert.ok(
                found.data.some((one) => one.check === check),
                check,
            );
            assert.ok(said.includes(check), check);
        }
        await checkAccess(page);
        await shoot(page, "operations-overview");
        viewer.check();
    });

    test("a queue is looked into and purged once its name is typed", async () => {
        pawl.sql("select pgmq.create('letters_to_no_one')");
        const hostile = `<img src=x onerror="window.hacked=1">`;
        pawl.sql(
            `select pgmq.send('letters_to_no_one', jsonb_build_object('n', n, 'text', '${hostile}'))
               from generate_series(1, 30) n`,
        );
        await open("queues");
        await page.getByRole("grid").getByText("letters_to_no_one").click();
        await panel().getByText("not read by Pawl").waitFor();
        // Shown as JSON, with the quotes of the text escaped.
        await panel().getByText("<img src=x onerror=").first().waitFor();
        await checkAccess(page);
        await shoot(page, "operations-queue");
        await act("Purge", "letters_to_no_one");
        await panel().getByText("The queue is empty.").waitFor();
        assert.equal(pawl.sql("select count(*) from pgmq.q_letters_to_no_one"), "0");
        assert.equal(await page.evaluate("window.hacked"), undefined);
        await closePanel();
        await shoot(page, "operations-queues");
        viewer.check();
    });

    test("a schedule in words: five times in its zone, fire, pause, resume, backfill", async () => {
        const steps = [{ id: "a", type: "wait", duration: "1s" }];
        await pawl.define("report", steps, cron("0 9 * * 1-5", "America/New_York"));
        await open("schedules");
        await page.getByRole("grid").getByText("report").click();
        const times = page.getByRole("list", { name: "Next five times" }).getByRole("listitem");
        await eventually(async () => assert.equal(await times.count(), 5));
        for (const text of await times.allInnerTexts()) assert.match(text, /09:00/);
        await panel()
            .getByText(/At 09:00, Monday through Friday/)
            .waitFor();
        await checkAccess(page);
        await shoot(page, "operations-schedule");
        await go(page, "/workflows");
        const inWords = { hasText: "At 09:00, Monday through Friday" };
        await page.getByTitle("0 9 * * 1-5").filter(inWords).waitFor();
        await go(page, "/workflows/report?tab=triggers");
        await page.getByTitle("0 9 * * 1-5").filter(inWords).waitFor();
        await go(page, "/operations?tab=schedules");
        await page.getByRole("grid").getByText("report").click();
        await act("Fire now");
        await eventually(async () => {
            const runs = await pawl.request<List<unknown>>("GET", "/v1/runs?workflow=report");
            assert.equal(runs.data.length, 1);
        });
        await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
        await page.getByLabel("Reason").fill("the provider is <b>down</b>");
        await page
            .getByRole("dialog", { name: "Pause" })
            .getByRole("button", { name: "Pause" })
            .click();
        await panel().getByText("the provider is <b>down</b>").waitFor();
        const paused = await pawl.request<List<{ status: string }>>("GET", "/v1/schedules");
        assert.equal(paused.data[0]!.status, "paused");
        await act("Resume");
        await panel().getByRole("button", { name: "Pause" }).waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Backfill" }).click();
        const dialog = page.getByRole("dialog", { name: "Backfill" });
        await dialog.getByLabel("From").fill("2026-03-02T00:00");
        await dialog.getByLabel("To").fill("2026-03-07T00:00");
        await dialog.getByRole("button", { name: "Backfill" }).click();
        await dialog.waitFor({ state: "detached" });
        await eventually(async () => {
            const runs = await pawl.request<List<unknown>>("GET", "/v1/runs?workflow=report");
            assert.ok(runs.data.length >= 4, `${runs.data.length}`);
        });
        await closePanel();
        viewer.check();
    });

    test("a limit shows its use and is changed", async () => {
        const steps = [{ id: "a", type: "wait", duration: "1h" }];
        await pawl.define("slow", steps, { flow: { concurrency: { limit: 2 } } });
        for (let i = 0; i < 4; i++) await pawl.startRun("slow");
        await open("limits");
        await page.getByRole("grid").getByText("slow · concurrency").click();
        await panel().getByText("2 / 2").waitFor();
        await checkAccess(page);
        await page.getByRole("dialog").getByRole("button", { name: "Set the limit" }).click();
        await page.getByLabel("slow · concurrency").last().fill("3");
        await page.getByRole("button", { name: "Save" }).click();
        await panel().getByText("3 / 3").waitFor();
        const limits = await pawl.request<List<{ set: number | null }>>("GET", "/v1/limits");
        assert.equal(limits.data[0]!.set, 3);
        await shoot(page, "operations-limit");
        await act("Back to the definition");
        await eventually(async () => {
            const now = await pawl.request<List<{ set: number | null }>>("GET", "/v1/limits");
            assert.equal(now.data[0]!.set, null);
        });
        await closePanel();
        viewer.check();
    });

    test("a target that fails is left alone, and called again when asked", async () => {
        receiver.status = 503;
        const steps = [{ id: "a", type: "http", url: `${receiver.url}/x`, method: "POST" }];
        await pawl.define("caller", steps);
        for (let i = 0; i < 8; i++) await pawl.startRun("caller");
        await open("targets");
        const heads = page.getByRole("columnheader");
        await heads.getByText("Times left alone").waitFor();
        for (const head of await heads.all()) {
            const cut = await head.evaluate((one) => one.scrollWidth > one.clientWidth);
            assert.ok(!cut, `${await head.textContent()} is cut`);
        }
        await page.getByRole("grid").getByText(receiver.url).click();
        await panel().getByText("left alone", { exact: true }).waitFor();
        await checkAccess(page);
        await shoot(page, "operations-target");
        await go(page, "/");
        await page.getByRole("link", { name: /^Targets left alone\s*1/ }).waitFor();
        await page.getByRole("link", { name: receiver.url }).click();
        await panel().getByText("left alone", { exact: true }).waitFor();
        receiver.status = 200;
        await act("Call it again");
        await eventually(async () => {
            const [target] = (
                await pawl.request<List<{ state: string; closing: boolean }>>("GET", "/v1/targets")
            ).data;
            assert.equal(target!.state, "closed");
        });
        await panel().getByText("called as ever").waitFor();
        await closePanel();
        viewer.check();
    });

    test("a webhook is made, tested, delivered again and deleted; its secret is shown once", async () => {
        await open("webhooks");
        await page.getByText("No program outside hears of runs yet").waitFor();
        await checkAccess(page);
        await shoot(page, "operations-webhooks-empty");
        await page.getByRole("button", { name: "New webhook" }).first().click();
        const form = page.getByRole("dialog", { name: "New webhook" });
        await form.getByLabel("Name").fill(`<b>the "books"</b>`);
        await form.getByLabel("Address").fill(`${receiver.url}/hook`);
        await checkAccess(page);
        await form.getByRole("button", { name: "Create" }).click();
        const shown = page.getByRole("dialog", { name: "Secret of the webhook" });
        const secret = ((await shown.locator("pre").textContent()) ?? "").trim();
        assert.match(secret, /^whsec_/);
        await checkAccess(page);
        await shown.getByRole("button", { name: "I have it" }).click();
        await shown.waitFor({ state: "detached" });
        await page.getByRole("grid").getByText(`<b>the "books"</b>`).click();
        await act("Send a test");
        // Runs of other tests end meanwhile, and are delivered, too.
        const tests = () => receiver.bodies.filter((body) => body.includes("webhook.test"));
        await eventually(async () => assert.equal(tests().length, 1));
        // Opened at once: it shows what was answered as soon as that is known.
        await panel()
            .getByRole("button", { name: /webhook\.test/ })
            .click();
        await panel()
            .getByRole("button", { name: /delivered.*webhook\.test/ })
            .waitFor();
        await panel().getByText("answered 200 <b>boldly</b>").first().waitFor();
        await panel().getByText("A test of Pawl.").waitFor();
        await checkAccess(page);
        await shoot(page, "operations-webhook");
        await act("Send again");
        await eventually(async () => assert.equal(tests().length, 2));
        assert.equal(tests()[0], tests()[1]);
        assert.ok(!(await page.content()).includes(secret));
        await act("Delete", `<b>the "books"</b>`);
        await page.getByText("No program outside hears of runs yet").waitFor();
        assert.equal(pawl.sql("select count(*) from pawl.outbox_target"), "0");
        viewer.check();
    });

    test("a job shows its progress, and Ctrl+K lands on it", async () => {
        const job = await pawl.request<{ id: string }>("POST", "/v1/runs/bulk", {
            action: "cancel",
            filter: { workflow: "slow" },
        });
        await go(page, `/operations?job=${job.id}`);
        await panel().getByRole("status").getByText("4 of 4").waitFor();
        await panel().getByText("done").first().waitFor();
        await checkAccess(page);
        await shoot(page, "operations-job");
        await closePanel();
        await page.getByRole("grid").getByText("cancel · slow").waitFor();
        viewer.check();
    });

    test("a worker is drained and works again", async () => {
        await open("workers");
        const row = page.getByRole("grid").getByText("working").first();
        await row.click();
        await checkAccess(page);
        await shoot(page, "operations-worker");
        await act("Drain");
        await panel().getByText("drained").waitFor();
        // It hears of that within two seconds, and takes runs until then.
        await pawl.said("takes no more runs");
        const steps = [{ id: "a", type: "wait", duration: "0s" }];
        await pawl.define("quick", steps);
        const id = await pawl.startRun("quick");
        await page.reload();
        await panel().getByText("drained").waitFor();
        assert.equal(
            (await pawl.request<{ status: string }>("GET", `/v1/runs/${id}`)).status,
            "queued",
        );
        await act("Take runs again");
        await pawl.until(id, "completed");
        await panel().getByText("working").waitFor();
        await closePanel();
        viewer.check();
    });

    test("a viewer sees no buttons and is refused", async () => {
        const key = pawl.createRoleKey("viewer");
        const other = await viewer.open();
        await signIn(other, pawl, "/operations", key);
        await other.getByRole("navigation", { name: "Operations" }).waitFor();
        const tabs = await other.getByRole("navigation", { name: "Operations" }).allInnerTexts();
        assert.equal(tabs.join().replaceAll("\n", ""), "SchedulesLimitsTargetsJobs");
        await other.getByRole("grid").getByText("report").click();
        await other.getByRole("dialog").getByText("Next five times").waitFor();
        const buttons = await other.getByRole("dialog").getByRole("button").allInnerTexts();
        assert.deepEqual(buttons.filter(Boolean), ["Copy as"]);
        for (const [method, path] of [
            ["GET", "/v1/doctor"],
            ["GET", "/v1/workers"],
            ["GET", "/v1/queues"],
            ["POST", "/v1/queues/workflow_queue/purge"],
            ["POST", "/v1/schedules/1/pause"],
            ["POST", "/v1/targets/close"],
        ]) {
            const response = await fetch(pawl.api + path!, {
                method: method!,
                headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
                ...(method === "POST" ? { body: "{}" } : {}),
            });
            assert.equal(response.status, 403, `${method} ${path}`);
        }
        await go(other, "/operations?tab=workers");
        await other.getByText("Your role does not include this").waitFor();
        viewer.check();
    });

    test("every tab on a narrow screen, in Thai, in the dark", async () => {
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        // It is seen, also where not all tabs have room.
        const seen = () =>
            eventually(async () => {
                const box = await page.locator("nav a[aria-current=page][href*=tab]").boundingBox();
                assert.ok(box && box.x >= 0 && box.x + box.width <= 360, `it is at ${box?.x}`);
            });
        await go(page, "/operations?tab=workers");
        await seen();
        for (const tab of [
            "overview",
            "queues",
            "schedules",
            "limits",
            "targets",
            "webhooks",
            "jobs",
            "workers",
        ]) {
            await go(page, `/operations?tab=${tab}`);
            await page.locator(`nav a[aria-current=page][href*="tab=${tab}"]`).waitFor();
            await page.locator("[role=grid], h2, ul").first().waitFor();
            await seen();
            // Before the check, which scrolls what it looks at.
            await shoot(page, `operations-${tab}-thai-dark-360`);
            if (tab === "overview") {
                const list = page.getByRole("list", { name: "สิ่งที่พบ" });
                await list.getByText("fsync ปิดอยู่ เครื่องล่มแล้วฐานข้อมูลเสียหาย").waitFor();
                const found = await pawl.request<List<{ code: string; values: { count: string } }>>(
                    "GET",
                    "/v1/doctor",
                );
                const files = found.data.find((one) => one.code === "migrated");
                await list.getByText(`ใช้ครบทั้ง ${files?.values.count} แล้ว`).waitFor();
            }
            await checkAccess(page);
            await checkWidth(page);
        }
        viewer.check();
    });
});
