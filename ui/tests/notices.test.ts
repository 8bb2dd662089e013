import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { signIn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

interface Shown {
    title: string;
    body: string;
    notice: Notification;
}

/** Notes what the browser is asked to show, and shows it. */
async function noteNotices(page: Page): Promise<void> {
    await page.addInitScript(() => {
        const shown: Shown[] = [];
        class Noted extends Notification {
            // A browser without windows says that it is denied, whatever was granted.
            static override readonly permission = "granted";
            constructor(title: string, options?: NotificationOptions) {
                super(title, options);
                shown.push({ title, body: options?.body ?? "", notice: this });
            }
        }
        Object.assign(window, { Notification: Noted, shown });
    });
}

const shownIn = async (page: Page) =>
    await page.evaluate(() =>
        (window as unknown as { shown: Shown[] }).shown.map(({ title, body }) => [title, body]),
    );

describe("notices of the inbox", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        await pawl.define("asks", [{ name: "ask", human: { title: "Go on with {{ what }}?" } }]);
        page = await viewer.open();
        await page.context().grantPermissions(["notifications"]);
        await noteNotices(page);
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const ask = async (what: string) =>
        await pawl.until(await pawl.startRun("asks", { what }), "waiting");

    test("nothing is shown that was not asked for", async () => {
        await signIn(page, pawl, "/inbox");
        await page.getByRole("button", { name: "Notify me" }).waitFor();
        await ask("one");
        await page.getByText("Go on with one?").first().waitFor();
        assert.deepEqual(await shownIn(page), []);
        viewer.check();
    });

    test("a task that comes while another window is used is shown, and leads to it", async () => {
        await page.getByRole("button", { name: "Notify me" }).click();
        const notifying = page.getByRole("button", { name: "Notifying" });
        await notifying.waitFor();
        assert.equal(await notifying.getAttribute("aria-pressed"), "true");
        // Who looks at the page sees the task there.
        await ask("two");
        await page.getByText("Go on with two?").first().waitFor();
        assert.deepEqual(await shownIn(page), []);
        await page.evaluate(() => Object.assign(document, { hasFocus: () => false }));
        await ask("three");
        await eventually(async () =>
            assert.deepEqual(await shownIn(page), [["Pawl", "Go on with three?"]]),
        );
        await page.evaluate(() =>
            (window as unknown as { shown: Shown[] }).shown[0]!.notice.onclick!(
                new Event("click") as never,
            ),
        );
        await page.waitForURL(/\/inbox\?task=/);
        await page.getByRole("heading", { name: "Go on with three?" }).waitFor();
        viewer.check();
    });

    test("the wish is kept, until it is taken back", async () => {
        await page.reload();
        await page.getByRole("button", { name: "Notifying" }).click();
        await page.getByRole("button", { name: "Notify me" }).waitFor();
        await page.evaluate(() => Object.assign(document, { hasFocus: () => false }));
        await ask("four");
        await page.getByText("Go on with four?").first().waitFor();
        assert.deepEqual(await shownIn(page), []);
        viewer.check();
    });
});
