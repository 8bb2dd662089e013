import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { shoot, signIn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

/** More than a job gets through while a person reads what stopping it means. */
const many = 30_000;

interface Job {
    status: string;
    total: number;
    done: number;
    failed: number;
}

describe("jobs and versions", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        await pawl.define("ended", [{ name: "hello", code: "echo" }]);
        pawl.sql(`insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version,
                                        bucket, status)
                  select ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, now(), now(),
                         1, w.id, 1, 0, 1
                    from pawl.workflow w, generate_series(1, ${many}) as i
                   where w.name = 'ended'`);
        page = await viewer.open();
        await signIn(page, pawl, "/operations?tab=jobs");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    test("a job is stopped under way, and keeps what it has done", async () => {
        const job = await pawl.request<{ id: string }>("POST", "/v1/runs/bulk", {
            action: "rerun",
            filter: { workflow: "ended" },
        });
        await page.getByRole("grid").getByText("run again · ended").click();
        const panel = page.getByRole("dialog").first();
        await panel.getByRole("button", { name: "Stop the job" }).click();
        const asked = page.getByRole("dialog", { name: "Stop the job" });
        await asked.getByText(/The part under way is finished, the rest is not done/).waitFor();
        await checkAccess(page);
        await asked.getByRole("button", { name: "Stop the job" }).click();
        await page.getByText("The job stops").waitFor();
        await panel.locator("[data-status=cancelled]").waitFor();
        const after = await eventually(async () => {
            const found = await pawl.request<Job>("GET", `/v1/jobs/${job.id}`);
            assert.equal(found.status, "cancelled");
            return found;
        });
        assert.ok(after.done + after.failed < many, "it was over before it was stopped");
        assert.equal(await panel.getByRole("button", { name: "Stop the job" }).count(), 0);
        await shoot(page, "operations-job-stopped-light");
        viewer.check();
    });
});
