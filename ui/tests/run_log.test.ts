import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

/** Enough that a log is shown from its beginning only. */
const signals = 5200;

describe("the log of a run", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        await pawl.define("hello", [{ name: "greet", code: "echo", input: { message: "hi" } }]);
        await pawl.define("till", [
            { name: "enter", lock: { key: "till" } },
            { name: "paid", wait: { signal: "paid", timeout: "3d" } },
            { name: "leave", unlock: { key: "till" } },
        ]);
        page = await viewer.open();
        await signIn(page, pawl, "/");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const bars = (kind: string) => page.locator(`[class*=track] [data-kind=${kind}]`);

    test("the whole log is saved, not only what is shown of it", async () => {
        const id = await pawl.startRun("till");
        await pawl.until(id, "waiting");
        pawl.sql(`select pawl.signal('${id}', 'knock', jsonb_build_object('nth', nth))
                    from generate_series(1, ${signals}) as nth`);
        const count = await eventually(async () => {
            const text = `select count(*) from pawl.event where run_id = '${id}'`;
            const events = Number(pawl.sql(text));
            assert.ok(events > signals, `${events} events so far`);
            return events;
        });
        await go(page, `/runs/${id}?tab=log`);
        await page.getByText("The log is long: its first 5000 events are shown.").waitFor();
        await checkAccess(page);
        await shoot(page, "run-log-cut-light");
        const [saved] = await Promise.all([
            page.waitForEvent("download"),
            page.getByRole("button", { name: "Download the whole log" }).click(),
        ]);
        const lines = readFileSync(await saved.path(), "utf8")
            .trim()
            .split("\n");
        assert.deepEqual(
            lines.map((line) => (JSON.parse(line) as { seq: number }).seq),
            Array.from({ length: count }, (_, index) => index),
        );
        await pawl.request("POST", `/v1/runs/${id}/cancel`, {});
        viewer.check();
    });

    test("a start at a later time is queued until then, not at work", async () => {
        const later = await pawl.startRun("hello", {}, { delay: "3h" });
        await go(page, `/runs/${later}`);
        await bars("queued").waitFor();
        assert.equal(await bars("running").count(), 0);
        const id = await pawl.startRun("hello", {}, { delay: "2s" });
        await go(page, `/runs/${id}`);
        await pawl.until(id, "completed");
        await bars("running").waitFor();
        // Else a queue, in which nothing works, is folded.
        await page.getByRole("switch", { name: "Fold idle time" }).click();
        const [queued, worked] = await Promise.all(
            ["queued", "running"].map(async (kind) => (await bars(kind).boundingBox())!.width),
        );
        assert.ok(queued! > worked!, `queued ${queued} px, at work ${worked} px`);
        await page.getByText("queued", { exact: true }).waitFor();
        await bars("queued").hover();
        await page
            .getByRole("tooltip")
            .getByText(/^queued · 2s/)
            .waitFor();
        await checkAccess(page);
        await shoot(page, "run-delayed-light");
        viewer.check();
    });

    test("who waits for a lock is queued", async () => {
        const first = await pawl.startRun("till");
        await pawl.until(first, "waiting");
        await eventually(async () => {
            const { data } = await pawl.request<{ data: { step: string; status: string }[] }>(
                "GET",
                `/v1/runs/${first}/steps`,
            );
            assert.equal(data.find((one) => one.step === "paid")?.status, "waiting");
        });
        const second = await pawl.startRun("till");
        await pawl.until(second, "waiting");
        await go(page, `/runs/${second}`);
        await bars("queued").waitFor();
        await pawl.request("POST", `/v1/runs/${first}/signals`, { name: "paid" });
        await bars("waiting").waitFor();
        await checkAccess(page);
        await shoot(page, "run-lock-light");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await bars("queued").waitFor();
        await page.getByText("รอคิว", { exact: true }).waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "run-lock-thai-dark-360");
        viewer.check();
    });
});
