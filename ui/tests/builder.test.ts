import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess, shoot, signIn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { allowSandbox, Sandbox } from "./support/sandbox.ts";
import { eventually, Pawl, root } from "./support/serve.ts";

interface Definition {
    triggers: object[];
    exit_on: object[];
    nodes: { id: string; type: string; config: Record<string, unknown> }[];
    edges: { from: string; to: string; handle?: string }[];
}

/** A cart without a purchase: a reminder by LINE, or by SMS; later an offer. */
const cart = {
    nodes: [
        ["begin", "trigger"],
        ["a_while", "wait"],
        ["remind", "message"],
        ["later", "wait"],
        ["offer", "message"],
        ["by_sms", "message"],
    ],
    edges: [
        "a_while default remind",
        "begin default a_while",
        "by_sms default later",
        "later default offer",
        "remind default later",
        "remind failed by_sms",
        "remind skipped by_sms",
    ],
};

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

    const read = async (name: string) =>
        (await pawl.request<{ definition: Definition }>("GET", `/v1/workflows/${name}`)).definition;
    const checkCart = async (name: string) => {
        const { nodes, edges, triggers, exit_on } = await read(name);
        assert.deepEqual(nodes.map((node) => [node.id, node.type]).sort(), cart.nodes.toSorted());
        assert.deepEqual(
            edges.map((edge) => `${edge.from} ${edge.handle ?? "default"} ${edge.to}`).sort(),
            cart.edges,
        );
        assert.deepEqual(triggers, [{ event: "cart.left" }]);
        assert.deepEqual(exit_on, [{ event: "order.paid" }]);
    };
    interface Funnel {
        totals: { entered: number; completed: number };
        nodes: { node: string; skipped: number; sent: number }[];
    }
    /** A person without LINE goes all the way: the provider gets two SMS, and they are counted. */
    const runCart = async (name: string, person: string, sms: string) => {
        const known = { attributes: { first_name: person }, addresses: { sms } };
        await pawl.request("PUT", `/v1/people/${person}`, known);
        await pawl.request("POST", "/v1/events", { name: "cart.left", key: person, data: {} });
        const funnel = await eventually(async () => {
            const found = await pawl.request<Funnel>("GET", `/v1/workflows/${name}/funnel`);
            assert.equal(found.totals.completed, 1);
            return found;
        });
        const counted = funnel.nodes
            .filter((one) => one.skipped + one.sent > 0)
            .map((one) => [one.node, one.skipped, one.sent]);
        assert.deepEqual(counted.sort(), [
            ["by_sms", 0, 1],
            ["offer", 0, 1],
            ["remind", 1, 0],
        ]);
        const got = await sandbox.messages("twilio", sms);
        assert.deepEqual(got.map((one) => one.text).sort(), [
            "5 % off: CART5",
            "Your cart is waiting",
        ]);
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
        await form.getByLabel("Name").fill("drawn_cart");
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
        assert.equal(await builder.step("by_sms").getAttribute("data-end"), "true");
        assert.equal(await builder.step("begin").getAttribute("data-end"), "false");
        assert.equal(await builder.step("remind").getAttribute("data-end"), "false");
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
        await eventually(async () => {
            assert.equal(await builder.step("offer").getAttribute("data-wrong"), "true");
        });
        assert.equal(await page.getByRole("button", { name: "Publish" }).isDisabled(), true);
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
        await checkCart("drawn_cart");
        await runCart("drawn_cart", "mouse", "+66811111111");
        viewer.check();
    });

    test("fifty gestures are undone back to the start, and done again", async () => {
        await page.goto(`${pawl.url}/workflows/drawn_cart/edit`);
        await builder.step("remind").waitFor();
        const palette = page.getByRole("complementary", { name: "Add a step" });
        const condition = palette.getByRole("button", { name: "Condition", exact: true });
        for (let i = 0; i < 50; ++i) await condition.click();
        assert.equal(await builder.steps(), 56);
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        for (let i = 0; i < 50; ++i) await page.keyboard.press("Control+z");
        await eventually(async () => assert.equal(await builder.steps(), 6));
        assert.equal(await page.getByRole("button", { name: "Undo" }).isDisabled(), true);
        for (let i = 0; i < 50; ++i) await page.keyboard.press("Control+y");
        await eventually(async () => assert.equal(await builder.steps(), 56));
        for (let i = 0; i < 50; ++i) await page.keyboard.press("Control+z");
        await eventually(async () => assert.equal(await builder.steps(), 6));
    });

    test("a step in the middle goes, and the graph heals", async () => {
        await page.keyboard.press("1"); // fits the graph into the window
        await builder.step("a_while").click();
        await page.getByRole("button", { name: "Delete what is selected" }).click();
        await eventually(async () => assert.equal(await builder.steps(), 5));
        await builder.edge("begin:default:remind").waitFor({ state: "attached" });
        await page.keyboard.press("Control+z");
        await builder.step("a_while").waitFor();
    });

    test("journeys from files look right, in dark and on a phone", async () => {
        for (const name of ["abandoned_cart", "welcome_series"]) {
            pawl.command("workflows", "apply", "-f", `${root}workflows/journeys/${name}.yaml`);
        }
        const dark = await viewer.open({ scheme: "dark" });
        await signIn(dark, pawl, "/workflows/abandoned_cart/edit");
        await dark.locator('[data-step="remind"]').click();
        await shoot(dark, "builder-dark");
        await checkAccess(dark);
        const narrow = await viewer.open({ width: 360, language: "th" });
        await signIn(narrow, pawl, "/workflows/welcome_series/edit");
        await narrow.locator('[data-step="welcome"]').waitFor();
        await shoot(narrow, "builder-thai-360");
        await checkAccess(narrow);
        viewer.check();
    });
});
