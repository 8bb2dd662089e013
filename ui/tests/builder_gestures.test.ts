import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { shoot, signIn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { eventually, Pawl } from "./support/serve.ts";

const flow = {
    name: "offers",
    triggers: [{ event: "cart.left" }],
    nodes: [
        { id: "begin", type: "trigger" },
        { id: "rest", wait: "1h" },
        { id: "tell", message: { channel: "sms", text: "Come back" } },
    ],
    edges: [
        { from: "begin", to: "rest" },
        { from: "rest", to: "tell" },
    ],
};

/** Steps on edges, the trigger, channels of a message, notes and names. */
describe("builder: gestures", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let builder: BuilderPage;
    before(async () => {
        await pawl.start();
        await pawl.request("POST", "/v1/workflows", flow);
        page = await viewer.open();
        builder = new BuilderPage(page);
        await signIn(page, pawl, "/workflows/offers/edit");
        await builder.step("tell").waitFor();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const list = () => page.locator(".mantine-Popover-dropdown").filter({ visible: true });
    const offered = async (search: string) => {
        await list().getByRole("textbox").fill(search);
        return await list().getByRole("button").allTextContents();
    };
    const close = async () => {
        await page.keyboard.press("Escape");
        await list().waitFor({ state: "detached" });
    };
    const draftText = async () =>
        (await pawl.request<{ text: string }>("GET", "/v1/workflows/offers/draft")).text;

    test("an edge offers no step that cuts off what follows", async () => {
        await page.keyboard.press("1"); // fits the graph into the window
        await page.getByRole("button", { name: "Add a step here" }).first().click();
        assert.ok((await offered("wait")).includes("Wait"));
        const between = await offered("end");
        assert.ok(!between.includes("End") && !between.includes("End the run"), between.join());
        await close();
        // Nor does the key, where the way out leads on already.
        await builder.step("rest").click();
        await page.keyboard.press("a");
        const behind = await offered("end");
        assert.ok(!behind.includes("End") && !behind.includes("End the run"), behind.join());
        await close();
        // What leads nowhere yet may end.
        const plus = builder.step("tell").getByRole("button", { name: /^Add a step behind/ });
        await plus.first().click();
        assert.ok((await offered("end")).includes("End"));
        await close();
    });

    test("the trigger shows what starts the workflow", async () => {
        await builder.step("begin").click();
        const form = builder.form();
        await form.getByText("What starts it").first().waitFor();
        const event = form.getByLabel("Event", { exact: true });
        assert.equal(await event.inputValue(), "cart.left");
        await event.fill("cart.lost");
        await eventually(async () => assert.match(await draftText(), /event: cart\.lost/));
        await checkAccess(page);
        await shoot(page, "builder-trigger-light");
    });

    test("another channel keeps the text", async () => {
        await builder.step("tell").click();
        const text = () => builder.form().getByLabel("Message text");
        for (const channel of ["LINE", "Push", "Email", "SMS"]) {
            await builder.choose("Channel", channel);
            await eventually(async () => assert.equal(await text().inputValue(), "Come back"));
        }
    });

    test("a new note is written at once, and what is typed in it is text", async () => {
        const note = page.locator("[data-note] textarea");
        const before = await builder.steps();
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        await page.keyboard.press("n");
        await page.locator("[data-note] textarea:focus").waitFor();
        await page.keyboard.type("and a note");
        assert.equal(await note.inputValue(), "and a note");
        assert.equal(await note.count(), 1);
        assert.equal(await list().count(), 0);
        assert.equal(await builder.steps(), before);
        await page.keyboard.press("Escape");
        await builder.onCanvas();
        await eventually(async () => assert.match(await draftText(), /and a note/));
        // By mouse, too.
        await page.getByRole("button", { name: "Add a note" }).click();
        await page.locator("[data-note] textarea:focus").waitFor();
        await page.keyboard.type("two");
        assert.equal(await note.last().inputValue(), "two");
        await page.keyboard.press("Escape");
        await builder.onCanvas();
    });

    test("F2 writes a name anew", async () => {
        await builder.step("rest").click();
        await page.keyboard.press("F2");
        await page.locator('[data-field="name"]:focus').waitFor();
        await page.keyboard.type("pause");
        await page.keyboard.press("Enter");
        await builder.step("pause").waitFor();
        viewer.check();
    });
});
