import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { shoot, signIn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";
import { countWork, measure, takeWork } from "./support/work.ts";

/*
 * What a frame of the builder costs with 500 steps. How many frames a second there are depends on
 * the machine: counted is the work that is done for each, which must not grow with the graph.
 * PAWL_SPEED=1 also prints milliseconds and frames.
 */
const pawl = new Pawl();
const viewer = new Viewer();
let page: Page;
const columns = 20;
const moves = 30;

before(async () => {
    await pawl.start();
    const ids = Array.from({ length: 500 }, (_, i) => `step_${i}`);
    const nodes = ids.map((id, i) =>
        i % 3 === 0 ? { id, message: { channel: "sms", text: `Hi ${i}` } } : { id, wait: "1h" },
    );
    const edges = ids.slice(1).map((to, i) => ({ from: ids[i], to }));
    const at = (i: number) => ({ x: (i % columns) * 260, y: Math.floor(i / columns) * 160 });
    const layout = { nodes: Object.fromEntries(ids.map((id, i) => [id, at(i)])) };
    await pawl.request("POST", "/v1/workflows", { name: "large", nodes, edges, layout });
    page = await viewer.open();
    await countWork(page);
    await signIn(page, pawl, "/workflows/large/edit");
    await page.locator("[data-step]").nth(499).waitFor();
    await page.locator("[role=tab][data-checking=false]").getByText("No problems").waitFor();
});

after(async () => {
    await viewer.close();
    await pawl.stop();
});

/** Presses, moves frame by frame, and lets go. */
async function pull(x: number, y: number, dx: number, dy: number): Promise<void> {
    await page.mouse.move(x, y);
    await page.mouse.down();
    // The first move selects: forms are drawn for it, once.
    await page.mouse.move(x + dx, y + dy);
    await frame();
    await takeWork(page);
    for (let i = 2; i < moves + 2; ++i) {
        await page.mouse.move(x + i * dx, y + i * dy);
        await frame();
    }
}

/** Until the browser has drawn, and React has done what was left for later. */
const frame = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

/** Pulls a step; only it and its two edges are drawn anew. */
async function drag(id: string, what: string): Promise<void> {
    const box = (await page.locator(`[data-step="${id}"]`).boundingBox())!;
    const work = await measure(page, what, moves, () =>
        pull(box.x + box.width / 2, box.y + box.height / 4, 4, 1),
    );
    await page.mouse.up();
    assert.ok(work.commits > 0, "nothing moved");
    assert.ok(work.steps <= moves + 5, `${work.steps} steps were drawn at ${moves} moves`);
    assert.ok(work.edges <= 2 * moves + 10, `${work.edges} edges were drawn at ${moves} moves`);
    // Each step and each edge that looks whether it has changed would be hundreds a move.
    assert.ok(work.components < 100 * moves, `${work.components} components ran`);
    assert.ok(work.searches < 20 * moves, `the page was searched ${work.searches} times`);
}

/** Pulls the canvas: no step and no edge is drawn anew. */
async function pan(what: string): Promise<void> {
    const work = await measure(page, what, moves, () => pull(450, 740, 2, -1));
    await page.mouse.up();
    assert.ok(work.steps + work.edges < 20, `${work.steps} steps, ${work.edges} edges were drawn`);
    assert.ok(work.components < 60 * moves, `${work.components} components ran`);
    assert.ok(work.searches < 20 * moves, `the page was searched ${work.searches} times`);
}

test("with all of 500 steps in sight they are drawn plain, and a frame costs little", async () => {
    assert.equal(await page.locator("[data-step][data-plain]").count(), 500);
    // The map shows steps, and what is beside the window lies under a veil that is no wall.
    const map = page.getByRole("img", { name: "Map of the graph" });
    const paint = await map.evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
        const solid = data.filter((_, i) => i % 4 === 3 && data[i] === 255).length;
        return { corner: data[4 * (canvas.width * 3 + 3) + 3]!, solid };
    });
    assert.ok(paint.corner > 0 && paint.corner < 255, `the corner is ${paint.corner} of 255`);
    assert.ok(paint.solid > 100, `${paint.solid} dots are of steps`);
    await shoot(page, "builder-500-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot(page, "builder-500-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await pan("pan, all in sight");
    await drag("step_45", "drag, all in sight");
});

test("from near only steps in sight are drawn, in full", async () => {
    await page.keyboard.press("0");
    await page.locator("[data-step]:not([data-plain])").first().waitFor();
    const drawn = await page.locator("[data-step]").count();
    assert.ok(drawn > 0 && drawn < 100, `${drawn} steps are drawn`);
    const id = await page.evaluate(() => {
        const inside = (one: Element) => {
            const box = one.getBoundingClientRect();
            return box.x > 500 && box.right < 900 && box.y > 200 && box.bottom < 600;
        };
        return [...document.querySelectorAll<HTMLElement>("[data-step]")].find(inside)?.dataset[
            "step"
        ];
    });
    assert.ok(id, "no step is in the middle");
    await drag(id, "drag, some in sight");
    viewer.check();
});

test("from far away edges lead from one step to the other, also to one that is pulled", async () => {
    await page.keyboard.press("1");
    await page.locator("[data-step][data-plain]").nth(499).waitFor();
    assert.equal(await page.locator(".react-flow__edge").count(), 0);
    // as many lines as edges; those of a pulled step follow it.
    const lines = async () => {
        const paths = page.locator("[data-far-edges] path");
        return await paths.evaluateAll((all) => all.map((one) => one.getAttribute("d") ?? ""));
    };
    const count = (text: string) => text.split("M").length - 1;
    const still = await lines();
    assert.deepEqual(still.map(count), [499, 0, 0, 0]);
    const box = (await page.locator('[data-step="step_45"]').boundingBox())!;
    await pull(box.x + box.width / 2, box.y + box.height / 4, 4, 1);
    const moved = await lines();
    assert.deepEqual(moved.map(count), [497, 2, 0, 0]);
    await page.mouse.up();
    await eventually(async () => assert.deepEqual((await lines()).map(count), [499, 0, 0, 0]));
    assert.notDeepEqual(await lines(), still);
    viewer.check();
});
