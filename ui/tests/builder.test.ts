import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess, shoot, signIn, Viewer } from "./support/browser.ts";
import { eventually, Pawl, root } from "./support/serve.ts";

interface Definition {
    nodes: { id: string; type: string; config: Record<string, unknown> }[];
    edges: { from: string; to: string; handle?: string }[];
}

/** A journey from an empty canvas: by mouse, then by keyboard alone. */
describe("builder", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        page = await viewer.open();
        await signIn(page, pawl, "/workflows");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const step = (id: string) => page.locator(`[data-step="${id}"]`);
    const problems = () => page.locator("section[data-checking=false]");
    const addBehind = async (id: string, handle: string, title: string) => {
        await step(id)
            .getByRole("button", { name: `Add a step behind ${handle}` })
            .click();
        const search = page.locator(".mantine-Popover-dropdown").getByRole("textbox");
        await search.fill(title);
        await search.press("Enter");
        await search.waitFor({ state: "detached" });
    };
    const rename = async (to: string) => {
        await page.getByLabel("Name", { exact: true }).fill(to);
        await page.keyboard.press("Enter");
        await step(to).waitFor();
    };

    test("an empty list teaches how to fill it", async () => {
        await page.getByText("No workflow yet").waitFor();
        await checkAccess(page);
        await shoot(page, "workflows-empty-light");
        await page.getByRole("button", { name: "New workflow" }).first().click();
        await step("begin").waitFor();
    });

    test("a journey is drawn by mouse", async () => {
        await page.getByLabel("Name").fill("drawn_cart");
        await addBehind("begin", "default", "Wait");
        await rename("an_hour");
        await page.getByLabel("Duration").fill("1h");
        await addBehind("an_hour", "default", "Message");
        await rename("remind");
        await page
            .getByLabel("Text", { exact: true })
            .last()
            .fill("Your cart is waiting, {{ user.first_name }}");
        await addBehind("remind", "skipped", "End");
        await shoot(page, "builder-light");
        await problems().getByText("No problems").waitFor();
        await checkAccess(page);
    });

    test("what is wrong is said beside the step, and a click finds it", async () => {
        await page.getByLabel("Text", { exact: true }).first().waitFor();
        await step("remind").click();
        await page.getByLabel("Text", { exact: true }).last().fill("");
        await eventually(async () => {
            assert.equal(await step("remind").getAttribute("data-wrong"), "true");
        });
        assert.equal(await page.getByRole("button", { name: "Publish" }).isDisabled(), true);
        await page.keyboard.press("Escape");
        await page.getByLabel("Text", { exact: true }).last().fill("Your cart is waiting");
        await problems().getByText("No problems").waitFor();
    });

    test("it is published, and the same as from a file", async () => {
        await page.getByRole("button", { name: "Publish" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
        await page.waitForURL("**/workflows/drawn_cart");
        await page.getByRole("heading", { level: 1, name: "drawn_cart" }).waitFor();
        await step("remind").waitFor();
        await shoot(page, "workflow-light");
        await checkAccess(page);
        const answer = await pawl.request<{ definition: Definition }>(
            "GET",
            "/v1/workflows/drawn_cart",
        );
        const { nodes, edges } = answer.definition;
        assert.deepEqual(
            nodes.map((node) => [node.id, node.type]),
            [
                ["begin", "trigger"],
                ["an_hour", "wait"],
                ["remind", "message"],
                ["end", "end"],
            ],
        );
        assert.deepEqual(
            edges.map((edge) => `${edge.from} ${edge.handle} ${edge.to}`),
            ["begin default an_hour", "an_hour default remind", "remind skipped end"],
        );
        viewer.check();
    });

    test("fifty gestures are undone back to the start, and done again", async () => {
        await page.getByRole("button", { name: "Edit" }).click();
        await step("remind").waitFor();
        const palette = page.getByRole("complementary", { name: "Add a step" });
        const condition = palette.getByRole("button", { name: "Condition", exact: true });
        for (let i = 0; i < 50; ++i) {
            await condition.click();
        }
        assert.equal(await page.locator("[data-step]").count(), 54);
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        for (let i = 0; i < 50; ++i) await page.keyboard.press("Control+z");
        await eventually(async () => assert.equal(await page.locator("[data-step]").count(), 4));
        assert.equal(await page.getByRole("button", { name: "Undo" }).isDisabled(), true);
        for (let i = 0; i < 50; ++i) await page.keyboard.press("Control+y");
        await eventually(async () => assert.equal(await page.locator("[data-step]").count(), 54));
        for (let i = 0; i < 50; ++i) await page.keyboard.press("Control+z");
        await eventually(async () => assert.equal(await page.locator("[data-step]").count(), 4));
    });

    test("a step in the middle goes, and the graph heals", async () => {
        await page.keyboard.press("1"); // fits the graph into the window
        await step("an_hour").click();
        await page.getByRole("button", { name: "Delete what is selected" }).click();
        await eventually(async () => assert.equal(await page.locator("[data-step]").count(), 3));
        await page.locator('[data-id="begin:default:remind"]').waitFor({ state: "attached" });
        await page.keyboard.press("Control+z");
        await step("an_hour").waitFor();
    });

    test("the text beside the graph changes with it", async () => {
        await page.getByRole("switch", { name: "Text" }).click();
        const editor = page.getByRole("textbox", { name: "Text" });
        await editor.waitFor();
        assert.match((await editor.textContent()) ?? "", /an_hour/);
        await shoot(page, "builder-text-light");
    });

    test("journeys from files look right, in dark and on a phone", async () => {
        for (const name of ["abandoned_cart", "welcome_series"]) {
            pawl.command("workflows", "apply", "-f", `${root}workflows/journeys/${name}.yaml`);
        }
        const dark = await viewer.open({ scheme: "dark" });
        await signIn(dark, pawl, "/workflows/abandoned_cart/edit");
        await dark.locator('[data-step="remind"]').waitFor();
        await shoot(dark, "builder-dark");
        await checkAccess(dark);
        const narrow = await viewer.open({ width: 360, language: "th" });
        await signIn(narrow, pawl, "/workflows");
        await narrow.getByText("welcome_series").waitFor();
        await shoot(narrow, "workflows-thai-360");
        await checkAccess(narrow);
        viewer.check();
    });
});
