import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

interface List<T> {
    data: T[];
}

/** Lists that are empty at first: each says what it is for, and has what fills it. */
describe("empty operations", () => {
    const pawl = new Pawl();
    const idle = new Pawl(["--no-worker"]);
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await Promise.all([pawl.start(), idle.start()]);
        page = await viewer.open();
        await signIn(page, pawl, "/operations?tab=queues");
    });
    after(async () => {
        await viewer.close();
        await Promise.all([pawl.stop(), idle.stop()]);
    });

    /** The command and the request beside the button. */
    const lines = async () => await page.locator("pre").allInnerTexts();

    test("a queue is made by the workflow that it starts", async () => {
        await page.getByText("No queue of your own yet").waitFor();
        const [command, request] = await lines();
        assert.match(command!, /^echo '\{.*' \| pawl workflows apply -f - && psql .*pgmq\.send/);
        assert.match(request!, /^curl .* -X POST .*"demo_queue".*\/v1\/workflows'$/);
        await checkAccess(page);
        await shoot(page, "operations-queues-empty-light");
        await turn(page, { width: 360, scheme: "dark" });
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "operations-queues-empty-dark-360");
        await turn(page, {});
        await page.getByRole("button", { name: /^Publish a workflow/ }).click();
        await page.getByRole("grid").getByText("demo_orders").waitFor();
        await page.getByText("No queue of your own yet").waitFor({ state: "detached" });
        const [, sent] = /-c "(select pgmq.*)"$/.exec(command!)!;
        pawl.sql(sent!.replaceAll('\\"', '"'));
        await eventually(async () => {
            const runs = await pawl.request<List<unknown>>("GET", "/v1/runs?workflow=demo_queue");
            assert.equal(runs.data.length, 1);
        });
        viewer.check();
    });

    test("a server that no one has is called, and left alone", async () => {
        await go(page, "/operations?tab=targets");
        await page.getByText("Every target answers").waitFor();
        const [command, request] = await lines();
        assert.match(command!, /pawl workflows apply -f - && pawl run demo_calling --wait$/);
        assert.match(request!, /\/v1\/workflows' && curl .*"demo_calling".*\/v1\/runs'$/);
        await checkAccess(page);
        await shoot(page, "operations-targets-empty-light");
        await page.getByRole("button", { name: "Call a server that is not there" }).click();
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
        await go(page, "/operations?tab=targets");
        await page.getByRole("grid").getByText("https://shop.invalid").waitFor();
        await page.getByRole("grid").getByText("left alone", { exact: true }).waitFor();
        viewer.check();
    });

    test("where no worker is, it says how to start one and what is wrong", async () => {
        await signIn(page, idle, "/operations?tab=workers");
        await page.getByText("No worker is at work").waitFor();
        const [command, request] = await lines();
        assert.equal(command, "pawl worker");
        assert.match(request!, /^curl .*\/v1\/workers'$/);
        await checkAccess(page);
        await shoot(page, "operations-workers-empty-light");
        await page.getByRole("link", { name: "What is wrong here" }).click();
        await page.getByRole("list", { name: "Findings" }).getByText("workers").first().waitFor();
        viewer.check();
    });
});
