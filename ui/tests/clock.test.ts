import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { signIn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

const hour = 3_600_000;

/** Sets the clock of the browser; timers go on as they are. */
async function setClock(page: Page, ahead: number): Promise<void> {
    await page.addInitScript((by) => {
        const Real = Date;
        class Shifted extends Real {
            constructor(...given: [] | [number]) {
                if (given.length === 0) super(Real.now() + by);
                else super(...given);
            }
            static override now() {
                return Real.now() + by;
            }
        }
        Object.assign(window, { Date: Shifted });
    }, ahead);
}

describe("a browser whose clock is wrong", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let run: string;
    before(async () => {
        await pawl.start();
        await pawl.define("asks", [{ name: "ask", human: { title: "Go on?", due: "2d" } }]);
        run = await pawl.startRun("asks");
        await pawl.until(run, "waiting");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    for (const [name, ahead] of [
        ["five hours ahead", 5 * hour],
        ["five hours behind", -5 * hour],
    ] as const) {
        test(`${name}: ages and countdowns are those of the server`, async () => {
            const page = await viewer.open();
            await setClock(page, ahead);
            await signIn(page, pawl, "/runs?after=1h");
            const shift = await page.evaluate(() => Date.now());
            assert.ok(Math.abs(shift - Date.now() - ahead) < 60_000, "the clock is not set");
            // Within the last hour of the server there is one; of the browser there is none.
            const row = page.getByRole("row").filter({ hasText: "asks" });
            await row.waitFor();
            const ages = await row.locator("time").allTextContents();
            assert.ok(
                ages.length > 0 && ages.every((age) => /^(\d+[sm] ago|just now)$/.test(age)),
                ages.join(", "),
            );
            await page.goto(`${pawl.url}/inbox`);
            await page.getByText(/^1d 23h left$/).waitFor();
            await page.goto(`${pawl.url}/runs/${run}`);
            // What it took up to now is not hours, and not nothing.
            await eventually(async () => {
                const took = await page.locator("[class*=took]").first().textContent();
                assert.match(took ?? "", /^\d+(\.\d+)?s$|^\d+m/);
            });
            viewer.check();
        });
    }

    test("what was asked for by the wrong clock is asked for again", async () => {
        const page = await viewer.open();
        await setClock(page, 5 * hour);
        // The list is the first to hear what the clock of the server says.
        await page.route(/\/v1\/(?!runs\?|stream)/, async (route) => {
            const response = await route.fetch();
            const { date: _, ...headers } = response.headers();
            await route.fulfill({ response, headers });
        });
        await signIn(page, pawl, "/runs?after=1h");
        await page.getByRole("row").filter({ hasText: "asks" }).waitFor();
        viewer.check();
    });
});
