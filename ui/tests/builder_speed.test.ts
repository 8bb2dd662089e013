import { test } from "node:test";
import { signIn, Viewer } from "./support/browser.ts";
import { Pawl } from "./support/serve.ts";

/**
 * How many frames a second the canvas draws with 500 steps while it is panned and while a step is
 * dragged. Only measures, and only if it is asked for: PAWL_SPEED=1.
 */
test("500 steps are panned and dragged", { skip: !process.env["PAWL_SPEED"] }, async () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    try {
        await pawl.start();
        const ids = Array.from({ length: 500 }, (_, i) => `step_${i}`);
        const nodes = ids.map((id, i) =>
            i % 3 === 0 ? { id, message: { channel: "sms", text: `Hi ${i}` } } : { id, wait: "1h" },
        );
        const edges = ids.slice(1).map((to, i) => ({ from: ids[Math.floor(i / 2)], to }));
        await pawl.request("POST", "/v1/workflows", { name: "large", nodes, edges });
        const page = await viewer.open();
        await signIn(page, pawl, "/workflows/large/edit");
        await page.locator('[data-step="step_0"]').waitFor();
        const measure = async (what: string, act: () => Promise<void>) => {
            await page.evaluate(() => {
                const frames: number[] = [];
                Object.assign(window, { frames });
                const note = (at: number) => {
                    frames.push(at);
                    if (frames.length < 5000) requestAnimationFrame(note);
                };
                requestAnimationFrame(note);
            });
            await act();
            const frames = await page.evaluate(
                () => (window as unknown as { frames: number[] }).frames,
            );
            const gaps = frames.slice(1).map((at, i) => at - frames[i]!);
            const sorted = gaps.toSorted((a, b) => a - b);
            const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
            const rate = (1000 * gaps.length) / (frames.at(-1)! - frames[0]!);
            console.log(
                `${what}: ${rate.toFixed(0)} frames/s, gap p50 ${at(0.5).toFixed(1)} ms, ` +
                    `p95 ${at(0.95).toFixed(1)} ms, max ${at(1).toFixed(1)} ms`,
            );
        };
        await measure("idle", () => page.waitForTimeout(1000));
        await page.keyboard.press("0");
        await measure("pan", async () => {
            await page.mouse.move(700, 450);
            await page.mouse.down();
            for (let i = 0; i < 90; ++i) await page.mouse.move(700 - 4 * i, 450 - (i % 20));
            await page.mouse.up();
        });
        await page.keyboard.press("1");
        const step = page.locator('[data-step="step_1"]');
        await measure("drag", async () => {
            await step.hover();
            await page.mouse.down();
            const box = (await step.boundingBox())!;
            for (let i = 0; i < 90; ++i) await page.mouse.move(box.x + 3 * i, box.y + i);
            await page.mouse.up();
        });
        await measure("edit", async () => {
            await step.click();
            await page.getByLabel("Duration").fill("2");
            for (const digit of "3456789") await page.getByLabel("Duration").fill(digit);
        });
    } finally {
        await viewer.close();
        await pawl.stop();
    }
});
