import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import type axe from "axe-core";
import type { Page } from "playwright-core";

const options: axe.RunOptions = { resultTypes: ["violations"], preload: false };
const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

async function violationsOf(page: Page): Promise<axe.Result[]> {
    if (page.frames().length > 1) {
        const all = new AxeBuilder({ page }).setLegacyMode(true).options(options);
        return (await all.analyze()).violations;
    }
    // To read the rules takes long as well: a page keeps them until it is loaded again.
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
    return await page.evaluate(async (how) => {
        const { axe: rules } = window as unknown as { axe: typeof axe };
        return (await rules.run(document, how)).violations;
    }, options);
}

/** No violation of the accessibility rules on what is shown. */
export async function checkAccess(page: Page): Promise<void> {
    // A hint that hangs over the page belongs to no landmark, and is gone with the pointer.
    await page.mouse.move(1, 1);
    await page.locator("[role=tooltip]").first().waitFor({ state: "detached" });
    const said = (await violationsOf(page)).map(
        (one) => `${one.id}: ${one.help}\n  ${one.nodes.map((node) => node.html).join("\n  ")}`,
    );
    assert.deepEqual(said, []);
}
