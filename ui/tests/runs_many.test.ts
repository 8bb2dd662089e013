import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { shoot, signIn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";
import { countWork, endCount, takeWork } from "./support/work.ts";

const many = 100_000;
/** Rows in sight, those drawn beside them, and some to spare. */
const drawnMost = 60;
/** What a run may take in memory: its data, and nothing of how it is drawn. */
const bytesOfRow = 3_000;

/**
 * A list of 100,000 runs, scrolled from the newest to the oldest. How long that takes depends on the
 * machine: counted is what it leaves behind. PAWL_SPEED=1 also prints seconds.
 */
describe("many runs", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let browser: CDPSession;
    before(async () => {
        await pawl.start();
        await pawl.define("ended", [{ name: "hello", code: "echo" }]);
        // They have ended long ago: no worker has anything to do with them.
        pawl.sql(`insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version,
                                        bucket, status, subject)
                  select ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, now(), now(),
                         1, w.id, 1, 0, 1, 'number-' || i
                    from pawl.workflow w, generate_series(1, ${many}) as i
                   where w.name = 'ended'`);
        page = await viewer.open();
        await countWork(page);
        browser = await page.context().newCDPSession(page);
        await browser.send("Performance.enable");
        await signIn(page, pawl, "/runs");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    /** What the page holds, after what it has let go of is gone. */
    const held = async () => {
        await browser.send("HeapProfiler.collectGarbage");
        const { metrics } = await browser.send("Performance.getMetrics");
        const of = (name: string) => metrics.find((one) => one.name === name)!.value;
        return {
            nodes: of("Nodes"),
            listeners: of("JSEventListeners"),
            layout: of("LayoutObjects"),
            heap: of("JSHeapUsedSize"),
        };
    };
    const rows = () => page.locator("[role=grid] [role=row][aria-rowindex]");
    const scroller = () => page.locator("div:has(> [role=grid])");

    /** Scrolls until so many rows are there, frame by frame; the most that were drawn at a time. */
    const scrollTo = async (count: number) =>
        await scroller().evaluate(async (element, wanted) => {
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            const height = 38;
            let most = 0;
            let read = 0;
            while (element.scrollHeight < wanted * height) {
                // Once for each page that has come.
                if (read !== element.scrollHeight) {
                    read = element.scrollHeight;
                    element.scrollTo(0, read);
                }
                await frame();
                most = Math.max(most, element.querySelectorAll("[role=row]").length);
            }
            return most;
        }, count);

    test("they scroll to the end, and only those in sight are drawn", async () => {
        await rows().nth(5).waitFor();
        const begun = performance.now();
        await takeWork(page);
        const soon = await scrollTo(5_000);
        const work = await takeWork(page);
        await endCount(page);
        const early = await held();
        const drawn = await scrollTo(many);
        await eventually(async () => {
            await scroller().evaluate((element) => element.scrollTo(0, element.scrollHeight));
            await page.getByText("End of the list, 100,000 rows").waitFor({ timeout: 100 });
        });
        const late = await held();
        if (process.env["PAWL_SPEED"]) {
            const seconds = (performance.now() - begun) / 1000;
            console.log(`scrolled in ${seconds.toFixed(1)} s`, { soon, drawn, early, late, work });
        }
        assert.ok(Math.max(soon, drawn) <= drawnMost, `${drawn} rows were drawn at a time`);
        // Those in sight for each page that comes, once: not again when it is asked for and there.
        assert.ok(work.rows < 1.5 * drawnMost * 5, `${work.rows} rows were drawn for 5 pages`);
        for (const what of ["nodes", "listeners", "layout"] as const) {
            const limit = early[what] * 1.2 + 100;
            assert.ok(late[what] < limit, `${what}: ${early[what]}, then ${late[what]}`);
        }
        const bytes = (late.heap - early.heap) / (many - 5_000);
        assert.ok(bytes < bytesOfRow, `a row takes ${bytes} bytes`);
        await page.getByText("number-1", { exact: true }).waitFor();
        await checkAccess(page);
        await shoot(page, "runs-100000-light");
        viewer.check();
    });

    test("any place of the list is there at once", async () => {
        for (const share of [0.5, 0.1, 0.9, 0]) {
            await scroller().evaluate((element, to) => {
                element.scrollTo(0, element.scrollHeight * to);
            }, share);
            await eventually(async () => {
                const first = Number(await rows().nth(1).getAttribute("aria-rowindex"));
                assert.ok(Math.abs(first - share * many) < 100, `${first} is the first`);
            });
            assert.ok((await rows().count()) <= drawnMost);
        }
        viewer.check();
    });
});
