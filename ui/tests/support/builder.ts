import type { Page } from "playwright-core";
import { go } from "./browser.ts";

/** What tests do to the builder, by mouse and by keyboard. */
export class BuilderPage {
    readonly page: Page;

    constructor(page: Page) {
        this.page = page;
    }

    /** Goes to the builder of a workflow; another page may show the same steps until it is there. */
    async edit(workflow: string): Promise<void> {
        await go(this.page, `/workflows/${workflow}/edit`);
        await this.page.getByRole("heading", { level: 1, name: `Edit ${workflow}` }).waitFor();
        await this.page.locator("[data-step]").first().waitFor();
    }

    step(id: string) {
        return this.page.locator(`[data-step="${id}"]`);
    }

    /** The number of problems, once it was checked. */
    problems(text: string) {
        return this.page.locator("[role=tab][data-checking=false]").getByText(text);
    }

    form() {
        return this.page.locator("[data-form]");
    }

    /** Picks the step from the list that has the focus. */
    async pickStep(title: string): Promise<void> {
        const search = this.page.locator(".mantine-Popover-dropdown").getByRole("textbox");
        await search.fill(title);
        await search.press("Enter");
        await search.waitFor({ state: "detached" });
    }

    async addBehind(id: string, handle: string, title: string): Promise<void> {
        const plus = this.step(id).getByRole("button", { name: `Add a step behind ${handle}` });
        await plus.click();
        await this.pickStep(title);
    }

    async rename(to: string): Promise<void> {
        await this.page.getByLabel("Name", { exact: true }).fill(to);
        await this.page.keyboard.press("Enter");
        await this.step(to).waitFor();
    }

    /** Chooses in a list of the form. */
    async choose(label: string, option: string, which: "first" | "last" = "first"): Promise<void> {
        await this.form().getByRole("combobox", { name: label })[which]().click();
        await this.page.getByRole("option", { name: option, exact: true }).click();
    }

    edge(id: string) {
        return this.page.locator(`[data-id="${id}"]`);
    }

    async steps(): Promise<number> {
        return await this.page.locator("[data-step]").count();
    }

    /** Leaves the fields, so that keys are for the graph. */
    async leaveFields(): Promise<void> {
        await this.page.keyboard.press("Escape");
        await this.onCanvas();
    }

    async onCanvas(): Promise<void> {
        await this.page.locator("[data-canvas]:focus").waitFor();
    }

    async publish(): Promise<void> {
        await this.problems("No problems").waitFor();
        await this.page.getByRole("button", { name: "Publish" }).click();
        await this.page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    }
}
