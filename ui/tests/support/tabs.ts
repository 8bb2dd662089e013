import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { go } from "./browser.ts";

/** The tabs of a page, and the panel beside the list of a tab. */
export function tabsOf(path: string, page: () => Page) {
    return {
        open: async (tab: string) => {
            await go(page(), `${path}?tab=${tab}`);
            await page().locator(`nav a[aria-current=page][href*="tab=${tab}"]`).waitFor();
        },
        panel: () => page().getByRole("dialog").first(),
        /** Presses a button of the panel and confirms what it asks. */
        act: async (name: string, typed?: string) => {
            const button = page().getByRole("dialog").getByRole("button", { name, exact: true });
            await button.first().click();
            const dialog = page().getByRole("dialog", { name, exact: true });
            await dialog.waitFor();
            const confirm = dialog.getByRole("button", { name, exact: true });
            if (typed !== undefined) {
                assert.ok(await confirm.isDisabled());
                await dialog.getByLabel(/^Type /).fill(typed);
            }
            await confirm.click();
            await dialog.waitFor({ state: "detached" });
        },
        closePanel: async () => {
            await page().keyboard.press("Escape");
            await page().getByRole("dialog").waitFor({ state: "detached" });
        },
    };
}
