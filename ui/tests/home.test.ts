import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { Dev } from "./support/dev.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

describe("home", () => {
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

    const tile = (name: string) => page.getByRole("link", { name: new RegExp(`^${name}`) });
    /** The number of a tile, and what is said below it. */
    const said = async (name: string) =>
        (await tile(name).locator("> span").allTextContents()).slice(1);

    test("the first visitor runs a demo with one press", async () => {
        await signIn(page, pawl, "/");
        await page.getByText("Welcome to Pawl").waitFor();
        // Only pawl dev has the sandbox that the third one needs.
        const journey = page.getByRole("button", { name: "Run it: Send a message" });
        await page.getByText("Needs the sandbox of pawl dev.").waitFor();
        assert.ok(await journey.isDisabled());
        await checkAccess(page);
        await shoot(page, "home-first-light");
        await page.getByRole("button", { name: "Run it: Say hello" }).click();
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
        await page.locator("[data-status=completed]").first().waitFor();
        viewer.check();
    });

    test("numbers lead to the lists behind them", async () => {
        await pawl.define("breaks", [
            { name: "step", code: "fail", input: { until_attempt: 9 }, retry: { attempts: 1 } },
        ]);
        await pawl.until(await pawl.startRun("breaks", {}, { subject: hostile[0] }), "failed");
        await pawl.define("asks", [
            { name: "ask", human: { title: hostile[1], assignee: "ann", due: "1h" } },
        ]);
        await pawl.startRun("asks");
        await page.getByRole("link", { name: "Home" }).click();
        await eventually(async () => {
            assert.deepEqual(await said("Failing groups"), ["1", "1 run waits for a replay"]);
            assert.deepEqual(await said("Tasks of people"), ["1", "1 due within a day"]);
            assert.equal((await said("Workers"))[0], "1");
        });
        // The workers count every 15 seconds.
        await eventually(async () => {
            await page.getByRole("img", { name: /[23] started, 1 completed, 1 failed/ }).waitFor();
        });
        await page.getByText("Oldest snapshot").waitFor();
        // As the page Operations calls it.
        await page.locator("[data-status=working]").first().waitFor();
        await page.getByText("Partitions ahead").waitFor();
        await page.getByText("WAL kept for replicas").waitFor();
        await checkAccess(page);
        await shoot(page, "home-light");
        await tile("Failing groups").click();
        await page.waitForURL("**/failures");
        await page.goBack();
        await tile("Tasks of people").click();
        await page.waitForURL("**/inbox");
        await page.goBack();
        await page.getByRole("link", { name: "1 Failed" }).click();
        await page.waitForURL(/\/runs\?.*status=failed/);
        await page.getByText(hostile[0]!, { exact: true }).waitFor();
        await page.goBack();
        await page.getByText("7d", { exact: true }).click();
        await page.waitForURL("**/?range=7d");
        viewer.check();
    });

    test("new numbers come by themselves, unless paused", async () => {
        await pawl.startRun("asks");
        await eventually(async () => assert.equal((await said("Tasks of people"))[0], "2"));
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        await go(page, "/");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.getByRole("img", { name: /เริ่ม/ }).waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "home-thai-dark-360");
        await turn(page, { scheme: "dark" });
        await page.getByRole("img", { name: /started/ }).waitFor();
        // The colours are those of the phone.
        await shoot(page, "home-dark");
        viewer.check();
    });
});

describe("home of pawl dev", () => {
    const dev = new Dev();
    const viewer = new Viewer();
    after(async () => {
        await viewer.close();
        await dev.stop();
    });

    test("the demos ask a person and write to one", async () => {
        await dev.start();
        const page = await viewer.open();
        await signIn(page, dev, "/");
        await page.getByRole("button", { name: "Run it: Send a message" }).click();
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
        await page.locator("[data-status=completed]").first().waitFor();
        await go(page, "/messages/sandbox");
        const mail = page.frameLocator("iframe[title='The mail']");
        await mail.getByRole("heading", { name: "Hi Ann" }).waitFor();
        await go(page, "/people/demo-ann");
        await page.getByText("demo_journey", { exact: true }).waitFor();
        viewer.check();
    });
});
