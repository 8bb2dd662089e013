import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

/** More than the first page of the list. */
const many = 120;

describe("selection in lists", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        await pawl.define("waits", [{ name: "paid", wait: { signal: "paid", timeout: "3d" } }]);
        await pawl.define("asks", [{ name: "ask", human: { title: "Go on with {{ what }}?" } }]);
        for (const name of ["red", "green", "blue"]) {
            await pawl.define(name, [{ name: "step", transform: { jq: `error("no ${name}")` } }]);
        }
        page = await viewer.open();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const rows = () => page.locator("[role=grid] [role=row][aria-rowindex]");
    const boxes = () => page.getByRole("checkbox", { name: "Select this row" });
    const bar = () => page.getByRole("toolbar");
    /** Rows are numbered from 0, below the head. */
    const chosen = async () =>
        await rows().evaluateAll((all) =>
            all.flatMap((row) =>
                row.getAttribute("aria-selected") === "true"
                    ? [Number(row.getAttribute("aria-rowindex")) - 2]
                    : [],
            ),
        );
    const chosenAre = async (...wanted: number[]) =>
        await eventually(async () => assert.deepEqual(await chosen(), wanted));
    const count = async (status: string) => {
        const path = `/v1/runs?workflow=waits&status=${status}&limit=1000`;
        return (await pawl.request<{ data: unknown[] }>("GET", path)).data.length;
    };

    test("Shift selects a span of rows, by the mouse and by the keyboard", async () => {
        const runs = Array.from({ length: many }, () => ({ workflow: "waits" }));
        await pawl.request("POST", "/v1/runs/batch", { runs });
        await eventually(async () => assert.equal(await count("waiting"), many));
        await signIn(page, pawl, "/runs?status=waiting");
        await boxes().nth(1).click();
        await boxes()
            .nth(4)
            .click({ modifiers: ["Shift"] });
        await chosenAre(1, 2, 3, 4);
        await bar().getByText("4 runs selected").waitFor();
        await boxes().nth(2).click();
        await boxes()
            .nth(3)
            .click({ modifiers: ["Shift"] });
        await chosenAre(1, 4);
        await page.getByRole("grid").focus();
        await page.keyboard.press("Escape");
        await chosenAre();
        await bar().waitFor({ state: "detached" });
        await page.keyboard.press("Home");
        await page.keyboard.press("x");
        await page.keyboard.press("Shift+ArrowDown");
        await page.keyboard.press("Shift+ArrowDown");
        await chosenAre(0, 1, 2);
        await page.keyboard.press("Shift+ArrowUp");
        await chosenAre(0, 1);
        await checkAccess(page);
        await shoot(page, "runs-selection-light");
        viewer.check();
    });

    test("selected runs are cancelled after a question, each action with its count", async () => {
        await bar().getByRole("button", { name: "Pause (2)" }).waitFor();
        assert.equal(
            await bar()
                .getByRole("button", { name: /^Retry/ })
                .count(),
            0,
        );
        await bar().getByRole("button", { name: "Cancel (2)" }).click();
        const asked = page.getByRole("dialog", { name: "Cancel 2 runs" });
        await asked.getByRole("textbox", { name: "Reason" }).fill("sold out");
        await checkAccess(page);
        await asked.getByRole("button", { name: "Cancel 2 runs" }).click();
        await page.getByText("2 runs changed").waitFor();
        await eventually(async () => assert.equal(await count("cancelled"), 2));
        viewer.check();
    });

    test("what ended meanwhile is said, and does not hold up the rest", async () => {
        await eventually(async () => assert.ok((await boxes().count()) > 3));
        await boxes().nth(0).click();
        await boxes().nth(1).click();
        const first = await rows().nth(1).getByRole("link").first().getAttribute("href");
        await pawl.request("POST", `/v1/runs/${first!.split("/").at(-1)}/cancel`, {});
        await eventually(async () => assert.equal(await count("cancelled"), 3));
        // The page may have learned it: then the action is for the other one alone.
        await bar()
            .getByRole("button", { name: /^Pause/ })
            .click();
        await page.getByText("1 run changed").waitFor();
        await page.getByRole("grid").focus();
        viewer.check();
    });

    test("all that match are selected, and changed as a job", async () => {
        await go(page, "/runs?status=waiting");
        await page.getByRole("grid").focus();
        await page.keyboard.press("Control+a");
        await bar().getByText("100 runs selected").waitFor();
        await bar().getByRole("button", { name: "Select all that match the filters" }).click();
        await bar()
            .getByText(/^All 117 that match are selected$/)
            .waitFor();
        await checkAccess(page);
        await shoot(page, "runs-selection-whole-light");
        await bar().getByRole("button", { name: "Cancel…" }).click();
        await page.getByRole("button", { name: "See what would be done" }).click();
        await page.getByText("117 runs would be changed").waitFor();
        await page.getByRole("button", { name: "Do it to 117 runs" }).click();
        await page.getByText("117 of 117 done").waitFor();
        await eventually(async () => assert.equal(await count("cancelled"), many));
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
        viewer.check();
    });

    test("selected errors are muted, count again, and are replayed together", async () => {
        for (const name of ["red", "green", "blue"]) {
            await pawl.until(await pawl.startRun(name), "failed");
        }
        await go(page, "/failures");
        await eventually(async () => assert.equal(await rows().count(), 4));
        await page.getByLabel("Select all rows shown").check();
        await bar().getByText("3 errors, 3 runs").waitFor();
        await checkAccess(page);
        await shoot(page, "failures-selection-light");
        await bar().getByRole("button", { name: "Mute (3)" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("textbox").fill("paint is out of stock");
        await dialog.getByRole("button", { name: "Mute (3)" }).click();
        await page.getByText("3 errors are muted").waitFor();
        await page.getByText("Muted 3").click();
        await page.getByRole("grid").waitFor();
        await page.getByLabel("Select all rows shown").check();
        await bar().getByRole("button", { name: "Unmute (3)" }).click();
        await page.getByText("3 errors count again").waitFor();
        await page.getByText("Failing", { exact: true }).click();
        await eventually(async () => assert.equal(await rows().count(), 4));
        await page.getByLabel("Select all rows shown").check();
        await bar().getByRole("button", { name: "Replay (3)" }).click();
        await dialog.getByLabel("The active version").check();
        await checkAccess(page);
        await dialog.getByRole("button", { name: "Replay 3 runs" }).click();
        await page.getByText("3 replays have begun").waitFor();
        await eventually(async () => assert.equal(await page.getByText("1 of 1 done").count(), 3));
        await checkAccess(page);
        await shoot(page, "failures-replays-light");
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        viewer.check();
    });

    test("selected tasks are claimed, handed over and rejected with a reason", async () => {
        for (const what of ["one", "two", "three"]) {
            await pawl.until(await pawl.startRun("asks", { what }), "waiting");
        }
        await go(page, "/inbox");
        await page.getByRole("grid", { name: "Inbox" }).waitFor();
        await eventually(async () => assert.equal(await rows().count(), 4));
        // Without the mouse: j goes to a task, x takes it.
        for (let i = 0; i < 3; i++) {
            await page.keyboard.press("j");
            await page.locator(`[role=row][aria-rowindex="${i + 2}"][data-current]`).waitFor();
            await page.keyboard.press("x");
        }
        await chosenAre(0, 1, 2);
        await bar().getByRole("button", { name: "Claim" }).click();
        await page.getByText("3 tasks done").waitFor();
        await eventually(async () => {
            const { data } = await pawl.request<{ data: { claimed_by: string | null }[] }>(
                "GET",
                "/v1/tasks?state=open",
            );
            assert.ok(data.every((task) => task.claimed_by !== null));
        });
        await page.getByLabel("Select all rows shown").check();
        await checkAccess(page);
        await shoot(page, "inbox-selection-light");
        await bar().getByRole("button", { name: "Reject" }).click();
        const dialog = page.getByRole("dialog", { name: "Reject: why?" });
        await dialog.getByRole("textbox").fill("not this week");
        await dialog.getByRole("button", { name: "Reject (3)" }).click();
        await eventually(async () => {
            const { data } = await pawl.request<{ data: { state: string; reason: string }[] }>(
                "GET",
                "/v1/tasks?state=decided",
            );
            assert.equal(data.filter((task) => task.reason === "not this week").length, 3);
        });
        viewer.check();
    });

    test("what others did while one is asked is said, not passed over", async () => {
        const asked = page.getByRole("dialog");
        for (const what of ["four", "five"]) {
            await pawl.until(await pawl.startRun("asks", { what }), "waiting");
        }
        await go(page, "/inbox");
        await page.getByRole("grid", { name: "Inbox" }).waitFor();
        await page.getByText("five").first().waitFor();
        await page.getByLabel("Select all rows shown").check();
        await bar().getByRole("button", { name: "Reject" }).click();
        await asked.getByRole("textbox").fill("too late");
        const { data } = await pawl.request<{ data: { id: string }[] }>(
            "GET",
            "/v1/tasks?state=open",
        );
        for (const { id } of data) await pawl.request("POST", `/v1/tasks/${id}/approve`, {});
        await eventually(async () => assert.equal(await boxes().count(), 0));
        await asked.getByRole("button", { name: "Reject" }).click();
        const refused = page.getByRole("alert");
        await refused.getByText(`${data.length} could not be changed`).waitFor();
        await refused.getByText("five").waitFor();
        await checkAccess(page);

        const id = await pawl.startRun("waits");
        await pawl.until(id, "waiting");
        await go(page, "/runs?status=waiting");
        await page.getByRole("grid").waitFor();
        await eventually(async () => assert.equal(await boxes().count(), 1));
        await boxes().first().click();
        await bar()
            .getByRole("button", { name: /^Cancel/ })
            .click();
        await pawl.request("POST", `/v1/runs/${id}/signals`, { name: "paid" });
        await rows().last().getByText("completed").waitFor();
        await asked.getByRole("button", { name: "Cancel 1 run" }).click();
        await refused.getByText("1 could not be changed").waitFor();
        await refused.getByText("It had ended before: completed").waitFor();
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        await go(page, "/runs?status=cancelled");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.getByLabel("เลือกทุกแถวที่แสดง").check();
        await bar()
            .getByRole("button", { name: /^ลองใหม่จากที่ล้มเหลว/ })
            .waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "runs-selection-thai-dark-360");
        viewer.check();
    });
});
