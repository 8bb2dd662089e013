import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { checkCart, runCart } from "./support/cart.ts";
import { allowSandbox, Sandbox } from "./support/sandbox.ts";
import { eventually, Pawl, root } from "./support/serve.ts";
import { Touch } from "./support/touch.ts";

/** A journey from an empty canvas: by mouse, then by keyboard alone. */
describe("builder", () => {
    const pawl = new Pawl();
    const sandbox = new Sandbox();
    const viewer = new Viewer();
    let page: Page;
    let builder: BuilderPage;
    before(async () => {
        allowSandbox();
        await sandbox.start();
        await pawl.start();
        await sandbox.join(pawl, "line", "twilio");
        page = await viewer.open();
        // Many small gestures, each of which waits its turn on a busy machine.
        page.setDefaultTimeout(90_000);
        builder = new BuilderPage(page);
        await signIn(page, pawl, "/workflows");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
        sandbox.stop();
    });

    /** How often each edge was taken is written on it, without loading the page again. */
    const seeCounts = async () => {
        const count = (edge: string) => page.locator(`[data-count="${edge}"]`);
        await count("remind:skipped:by_sms").getByText("1", { exact: true }).waitFor();
        await count("later:default:offer").getByText("1", { exact: true }).waitFor();
        await count("remind:failed:by_sms").getByText("0", { exact: true }).waitFor();
    };

    test("an empty list teaches how to fill it", async () => {
        await page.getByText("No workflow yet").waitFor();
        await checkAccess(page);
        await shoot(page, "workflows-empty-light");
        await page.getByRole("button", { name: "New workflow" }).first().click();
        await builder.step("begin").waitFor();
    });

    test("a journey is drawn by mouse", async () => {
        const form = builder.form();
        await form.locator("[data-field=name]").fill("drawn_cart");
        const add = (label: string) =>
            form.locator(".mantine-InputWrapper-root", { hasText: label }).getByText("Add").first();
        await add("What starts it").click();
        await form.getByLabel("Event", { exact: true }).fill("cart.left");
        await add("What takes people out of it").click();
        await form.getByLabel("Event", { exact: true }).last().fill("order.paid");
        await builder.addBehind("begin", "default", "Wait");
        await builder.rename("a_while");
        await builder.choose("Unit", "seconds");
        await builder.addBehind("a_while", "default", "Message");
        await builder.rename("remind");
        await builder.choose("Channel", "LINE");
        await form.getByLabel("Message text").fill("Your cart is waiting, {{ user.first_name }}");
        await form.getByText("Preview: Your cart is waiting, Ann").waitFor();
        await builder.addBehind("remind", "default", "Wait");
        await builder.rename("later");
        await builder.choose("Unit", "seconds");
        await builder.addBehind("later", "default", "Message");
        await builder.rename("offer");
        await form.getByLabel("Message text").fill("5 % off: CART5");
        await builder.addBehind("remind", "skipped", "Message");
        await builder.rename("by_sms");
        await form.getByLabel("Message text").fill("Your cart is waiting");
        await page.getByRole("button", { name: "Tidy up" }).click();
        await shoot(page, "builder-light");
    });

    test("edges are drawn from way out to step, and only where they may end", async () => {
        const out = (id: string, handle: string) =>
            builder.step(id).locator(`[data-handleid="${handle}"].source`);
        const into = (id: string) => builder.step(id).locator(".target");
        const drag = async (from: ReturnType<typeof out>, to: ReturnType<typeof into>) => {
            await from.hover();
            await page.mouse.down();
            const box = await to.boundingBox();
            assert.ok(box);
            const { x, y, width, height } = box;
            await page.mouse.move(x + width / 2, y + height / 2, { steps: 8 });
        };
        await drag(out("remind", "failed"), into("by_sms"));
        await page.locator('[data-step="by_sms"][data-end=true]').waitFor();
        await page.locator('[data-step="begin"][data-end=false]').waitFor();
        await page.locator('[data-step="remind"][data-end=false]').waitFor();
        await shoot(page, "builder-connecting");
        await page.mouse.up();
        await builder.edge("remind:failed:by_sms").waitFor({ state: "attached" });
        await drag(out("by_sms", "default"), into("later"));
        await page.mouse.up();
        await builder.edge("by_sms:default:later").waitFor({ state: "attached" });
        await builder.problems("No problems").waitFor();
        await checkAccess(page);
    });

    test("what is wrong is said beside the step, and a click finds it", async () => {
        await builder.step("offer").click();
        const text = builder.form().getByLabel("Message text");
        await text.fill("");
        await page.locator('[data-step="offer"][data-wrong=true]').waitFor();
        await page.getByRole("button", { name: "Publish", disabled: true }).waitFor();
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        await page.getByRole("button", { name: /^offer: / }).click();
        await text.fill("5 % off: CART5");
        await builder.problems("No problems").waitFor();
    });

    test("it is published, the same as from a file, and does what it says", async () => {
        await builder.publish();
        await page.waitForURL("**/workflows/drawn_cart");
        await page.getByRole("heading", { level: 1, name: "drawn_cart" }).waitFor();
        await builder.step("remind").waitFor();
        await shoot(page, "workflow-light");
        await checkAccess(page);
        await checkCart(pawl, "drawn_cart", "cart.left");
        await runCart({ pawl, sandbox }, "drawn_cart", "cart.left", "+66811111111");
        await seeCounts();
        viewer.check();
    });

    test("the same journey by keyboard alone", async () => {
        await go(page, "/new-workflow");
        await page.getByRole("heading", { level: 1, name: "New workflow" }).waitFor();
        await builder.step("begin").waitFor();
        const { keyboard } = page;
        const type = (text: string) => keyboard.insertText(text);
        const tab = async (times: number) => {
            for (let i = 0; i < times; ++i) await keyboard.press("Tab");
        };
        /** Goes on by Tab to the field with this label. */
        const field = async (label: string) => {
            const passed: string[] = [];
            for (;;) {
                await keyboard.press("Tab");
                const named = await page.evaluate(() => {
                    const at = document.activeElement as HTMLInputElement | null;
                    return at?.labels?.[0]?.textContent ?? at?.getAttribute("aria-label") ?? "";
                });
                if (named.replace(" *", "") === label) return;
                passed.push(named);
                assert.ok(passed.length < 40, `no field ${label} among ${passed.join(", ")}`);
            }
        };
        // The workflow: its name, what starts it, what ends it.
        await keyboard.press("F2");
        await type("typed_cart");
        await field("Description");
        await tab(1);
        await keyboard.press("Enter"); // adds one, and goes into it
        await page.locator("[role=group] input:focus").waitFor();
        await field("Event");
        await type("cart.typed");
        await field("May the same person be in it twice?");
        await tab(1);
        await keyboard.press("Enter");
        await page.locator("[role=group] input:focus").waitFor();
        await type("order.paid");
        await builder.leaveFields();
        const add = async (title: string, name: string) => {
            await keyboard.press("a");
            const search = page.locator(".mantine-Popover-dropdown input[placeholder]:focus");
            await search.waitFor();
            await type(title);
            await keyboard.press("Enter");
            await search.waitFor({ state: "detached" });
            await keyboard.press("F2");
            await keyboard.press("Control+a");
            await type(name);
            await keyboard.press("Enter");
            await builder.step(name).waitFor();
            await builder.onCanvas();
        };
        /** Chooses in the list whose field has the focus. */
        const pick = async (option: string) => {
            const wanted = page.getByRole("option", { name: option, exact: true });
            const marked = page.locator("[role=option][data-combobox-selected]:visible");
            await eventually(async () => {
                if (!(await wanted.isVisible())) await keyboard.press("Enter");
                await wanted.waitFor();
                for (let i = 0; i < 9; ++i) {
                    await keyboard.press("ArrowUp");
                    if ((await marked.allTextContents()).join() === option) break;
                }
                await keyboard.press("Enter");
                assert.equal(await page.locator("input:focus").inputValue(), option);
            });
        };
        const seconds = async () => {
            await keyboard.press("Enter"); // into the settings
            await field("Unit");
            await pick("seconds");
            await builder.leaveFields();
        };
        const write = async (text: string) => {
            await keyboard.press("Enter");
            await field("Message text");
            await type(text);
            await builder.leaveFields();
        };
        await keyboard.press("ArrowDown"); // selects the first step
        await add("Wait", "a_while");
        await seconds();
        await add("Message", "remind");
        await keyboard.press("Enter");
        await page.locator("[data-form] input:focus").waitFor();
        await pick("LINE");
        await builder.leaveFields();
        await write("Your cart is waiting");
        await add("Wait", "later");
        await seconds();
        await add("Message", "offer");
        await write("5 % off: CART5");
        // Back to the reminder: a second way out of it, and a third to the same step.
        await keyboard.press("ArrowUp");
        await keyboard.press("ArrowUp");
        await keyboard.press("a");
        await page.locator(".mantine-Popover-dropdown input[placeholder]:focus").waitFor();
        await keyboard.press("Shift+Tab");
        await keyboard.press("ArrowRight");
        await keyboard.press("Tab");
        await type("Message");
        await keyboard.press("Enter");
        await builder.step("message").waitFor();
        await keyboard.press("F2");
        await keyboard.press("Control+a");
        await type("by_sms");
        await keyboard.press("Enter");
        await builder.step("by_sms").waitFor();
        await builder.onCanvas();
        await write("Your cart is waiting");
        const connect = async (way: number, to: string) => {
            await keyboard.press("c");
            const search = page.locator("[role=dialog] input[data-autofocus]:focus");
            await search.waitFor();
            if (way > 0) await keyboard.press("Shift+Tab");
            for (let i = 0; i < way; ++i) await keyboard.press("ArrowRight");
            if (way > 0) await keyboard.press("Tab");
            await type(to);
            await keyboard.press("Enter");
            await page.getByRole("dialog").waitFor({ state: "detached" });
            await builder.onCanvas();
        };
        await connect(0, "later");
        await keyboard.press("ArrowUp");
        await connect(2, "by_sms");
        await builder.problems("No problems").waitFor();
        await shoot(page, "builder-keyboard");
        await keyboard.press("Control+Enter");
        await page.locator("[role=dialog] button[data-autofocus]:focus").waitFor();
        await keyboard.press("Enter");
        await page.waitForURL("**/workflows/typed_cart");
        await checkCart(pawl, "typed_cart", "cart.typed");
        await runCart({ pawl, sandbox }, "typed_cart", "cart.typed", "+66822222222");
        await seeCounts();
        viewer.check();
    });

    test("Tab asks what comes behind the chosen step, and leads on where none is", async () => {
        await builder.edit("drawn_cart");
        const before = await builder.steps();
        await page.keyboard.press("1"); // fits the graph into the window
        await builder.step("a_while").click();
        await page.keyboard.press("Tab");
        await builder.pickStep("Transform");
        await eventually(async () => assert.equal(await builder.steps(), before + 1));
        await builder.edge("a_while:default:transform").waitFor({ state: "attached" });
        // Nothing is chosen: Tab goes on to what can have the focus next.
        await page.keyboard.press("Escape");
        await builder.onCanvas();
        await page.keyboard.press("Tab");
        await page.locator("[data-canvas]:focus").waitFor({ state: "detached" });
        const asked = page.locator(".mantine-Popover-dropdown input").filter({ visible: true });
        assert.equal(await asked.count(), 0);
        await page.keyboard.press("Control+z");
        await eventually(async () => assert.equal(await builder.steps(), before));
        viewer.check();
    });

    test("fifty gestures are undone back to the start, and done again", async () => {
        await builder.edit("drawn_cart");
        /** Every step and where it stands. */
        const drawn = () =>
            page
                .locator(".react-flow__node")
                .evaluateAll((all) =>
                    all.map((one) => `${one.dataset["id"]} ${one.style.transform}`).sort(),
                );
        const press = async (key: string, times: number) => {
            for (let i = 0; i < times; ++i) await page.keyboard.press(key);
        };
        const ended = (name: string) =>
            page.getByRole("button", { name, disabled: true }).waitFor();
        await page.keyboard.press("1"); // fits the graph into the window
        await builder.step("a_while").click();
        const before = await drawn();
        for (let i = 0; i < 10; ++i) {
            await page.keyboard.press("Control+d");
            await press("Alt+ArrowRight", 2);
            await press("Alt+ArrowDown", 2);
        }
        await eventually(async () => assert.equal(await builder.steps(), 16));
        await page.getByRole("img", { name: "Map of the graph" }).waitFor();
        await press("Control+z", 50);
        await ended("Undo");
        await eventually(async () => assert.deepEqual(await drawn(), before));
        await press("Control+y", 50);
        await ended("Redo");
        await eventually(async () => assert.equal(await builder.steps(), 16));
        await press("Control+z", 50);
        await eventually(async () => assert.deepEqual(await drawn(), before));
    });

    test("a step in the middle goes, and the graph heals", async () => {
        await page.keyboard.press("1"); // fits the graph into the window
        await builder.step("a_while").click();
        await page.getByRole("button", { name: /^Delete/ }).click();
        await eventually(async () => assert.equal(await builder.steps(), 5));
        await builder.edge("begin:default:remind").waitFor({ state: "attached" });
        await page.keyboard.press("Control+z");
        await builder.step("a_while").waitFor();
    });

    test("journeys from files look right, in dark and on a phone", async () => {
        pawl.sql(`create table purchase_ledger (id bigint, user_id text);
            select pawl.allow_condition_table('public.purchase_ledger', 'user_id')`);
        for (const name of ["abandoned_cart", "welcome_series"]) {
            pawl.command("workflows", "apply", "-f", `${root}workflows/journeys/${name}.yaml`);
        }
        await turn(page, { scheme: "dark" });
        await builder.edit("abandoned_cart");
        await builder.step("remind").click();
        await shoot(page, "builder-dark");
        await checkAccess(page);
        await builder.edit("welcome_series");
        // Pages that are loaded from now on have a touch screen.
        const touch = await Touch.on(page);
        await turn(page, { width: 360, language: "th" });
        await builder.step("welcome").waitFor();
        await shoot(page, "builder-thai-360");
        await checkAccess(page);
        // The canvas follows a finger; a tap adds and deletes.
        const seen = () => page.locator(".react-flow__viewport").getAttribute("style");
        const before = await seen();
        await touch.drag({ x: 300, y: 200 }, { x: 280, y: 160 });
        await eventually(async () => assert.notEqual(await seen(), before));
        await touch.tap(builder.step("tips").getByRole("button").first());
        await touch.tap(page.locator(".mantine-Popover-dropdown button").nth(1));
        await builder.step("wait").waitFor();
        await builder.edge("tips:default:wait").waitFor({ state: "attached" });
        await touch.tap(page.getByTitle("ลบสิ่งที่เลือก"));
        await builder.step("wait").waitFor({ state: "detached" });
        // What was seen last is seen again.
        const last = await seen();
        await page.reload();
        await builder.step("welcome").waitFor();
        await eventually(async () => assert.equal(await seen(), last));
        viewer.check();
    });
});
