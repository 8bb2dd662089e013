import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { shoot, signIn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

/** Shown as JSON, which would write quotes in another way. */
const name = hostile[0]!.replaceAll('"', "");

const journey = {
    name: "loyal",
    triggers: [{ event: "order.paid" }],
    nodes: [
        { id: "paid", type: "trigger" },
        { id: "a_week", wait: "7d" },
        { id: "big", condition: { path: "trigger.total", operator: ">", value: 100 } },
        { id: "ask", human: { title: "A gift?" } },
        { id: "thanks", message: { channel: "sms", text: "Thank you, {{ user.first_name }}" } },
    ],
    edges: [
        { from: "paid", to: "a_week" },
        { from: "a_week", to: "big" },
        { from: "big", to: "ask", handle: "true" },
        { from: "big", to: "thanks", handle: "false" },
        { from: "ask", to: "thanks", handle: "approved" },
    ],
};

/** Before it is published: a test run, a simulation, and what it means for people inside. */
describe("builder and people", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let builder: BuilderPage;
    before(async () => {
        await pawl.start();
        await pawl.request("POST", "/v1/workflows", journey);
        for (let i = 0; i < 3; ++i) {
            const person = {
                attributes: { first_name: name },
                addresses: { sms: "+66811111111" },
            };
            await pawl.request("PUT", `/v1/people/p${i}`, person);
            await pawl.request("POST", "/v1/events", {
                name: "order.paid",
                key: `p${i}`,
                data: { total: 50 + 40 * i },
            });
        }
        page = await viewer.open();
        builder = new BuilderPage(page);
        await signIn(page, pawl, "/workflows/loyal/edit?panel=test");
        await builder.step("thanks").waitFor();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const panel = (name: string) => page.getByRole("region", { name });
    const now = () => page.locator("[aria-current=step]");

    test("a test run is gone through step by step, and nothing is sent", async () => {
        const test = panel("Test run");
        // What its steps say of the event is asked for, and of a person what they are called.
        await test.getByRole("combobox", { name: "Total" }).fill("500");
        assert.equal(await test.getByRole("textbox", { name: "First name" }).inputValue(), "Ann");
        const input = test.getByRole("group", { name: "Data that starts it" });
        await input.getByText("JSON", { exact: true }).click();
        await input.getByRole("textbox").getByText("500").waitFor();
        await input.getByText("Fields", { exact: true }).click();
        await test.getByRole("button", { name: "Run the test" }).click();
        await now().getByText("paid").waitFor();
        await eventually(async () =>
            assert.equal(await builder.step("paid").getAttribute("data-mark"), "now"),
        );
        await page.keyboard.press("]");
        await now().getByText("a_week").waitFor();
        await eventually(async () =>
            assert.equal(await builder.step("paid").getAttribute("data-mark"), "done"),
        );
        await eventually(async () => assert.equal(await page.locator("path[data-lit]").count(), 1));
        await page.keyboard.press("]");
        await page.keyboard.press("]");
        // It waits for a person: what they say is chosen here.
        await now().getByText("ask").waitFor();
        await eventually(async () =>
            assert.equal(await builder.step("ask").getAttribute("data-mark"), "waiting"),
        );
        await test.getByRole("button", { name: "approved" }).click();
        await test.getByText("completed after 7d").waitFor();
        await page.keyboard.press("]");
        await now().getByText("thanks").waitFor();
        await test.getByText("Thank you, Ann").waitFor();
        await test.getByText("sent").first().waitFor();
        await eventually(async () => assert.equal(await page.locator("path[data-lit]").count(), 4));
        await shoot(page, "builder-test-light");
        await checkAccess(page);
        const { data } = await pawl.request<{ data: unknown[] }>("GET", "/v1/messages");
        assert.deepEqual(data, []);
    });

    test("a real person is taken, whatever their name is", async () => {
        const test = panel("Test run");
        await test.getByText("A real person").click();
        await test.getByRole("combobox", { name: "Person" }).fill("p1");
        // The list lies over the button until one of it is chosen.
        await page.getByRole("option", { name: /^p1\b/ }).click();
        await test.getByRole("button", { name: "Run the test" }).click();
        // The run before is gone when this one stands at its first step.
        await now().getByText("paid").waitFor();
        for (let i = 0; i < 4; ++i) await page.keyboard.press("]");
        await test.getByText(`Thank you, ${name}`).waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
    });

    test("everybody can be found for it, by key, name or address", async () => {
        for (let i = 0; i < 60; ++i) {
            await pawl.request("PUT", `/v1/people/crowd-${String(i).padStart(2, "0")}`, {
                attributes: { first_name: i === 57 ? "Zoë" : `Somsak ${i}` },
                addresses: { sms: `+668200000${String(i).padStart(2, "0")}` },
            });
        }
        const person = panel("Test run").getByRole("combobox", { name: "Person" });
        for (const text of ["crowd-57", "Zoë", "+66820000057"]) {
            await person.fill(text);
            const option = page.getByRole("option", { name: /crowd-57/ });
            await option.getByText("Zoë").waitFor();
            await option.click();
            assert.equal(await person.inputValue(), "crowd-57");
        }
        await person.fill("p1");
        await page.getByRole("option", { name: /^p1\b/ }).click();
        viewer.check();
    });

    test("a step answers what others read of it, in fields", async () => {
        await pawl.request("POST", "/v1/workflows", {
            name: "looks_up",
            nodes: [
                { id: "look", http: { url: "https://shop.example/order" } },
                { id: "paid", wait: { event: "order.paid" } },
                {
                    id: "note",
                    transform: {
                        jq: ".",
                        input: {
                            who: "{{ steps.look.result.customer.name }}",
                            paid: "{{ steps.paid.result.data.amount }}",
                        },
                    },
                },
            ],
            edges: [
                { from: "look", to: "paid" },
                { from: "paid", to: "note" },
            ],
        });
        await signIn(page, pawl, "/workflows/looks_up/edit?panel=test");
        const test = panel("Test run");
        const passed = (node: string) =>
            test.getByRole("list", { name: "STEPS" }).getByText(node, { exact: true });
        await test.getByRole("button", { name: "Run the test" }).click();
        await now().getByText("look").waitFor();
        const answers = test.getByRole("group", { name: "It answers" });
        await answers.getByLabel("Name").fill("Somchai");
        await test.getByRole("button", { name: "Use this" }).click();
        await passed("paid").waitFor();
        await page.keyboard.press("]");
        await now().getByText("paid").waitFor();
        await test
            .getByRole("group", { name: "What comes with it" })
            .getByLabel("Amount")
            .fill("0.10");
        await shoot(page, "builder-test-answer-light");
        await checkAccess(page);
        await test.getByRole("button", { name: "order.paid" }).click();
        await passed("note").waitFor();
        await page.keyboard.press("]");
        await now().getByText("note").waitFor();
        const note = test.locator("[data-rehearsed=note]");
        await note.getByText('"Somchai"').first().waitFor();
        await note.getByText("0.1", { exact: true }).first().waitFor();
        viewer.check();
    });

    test("the last days are simulated, with counts on every edge", async () => {
        await signIn(page, pawl, "/workflows/loyal/edit?panel=test");
        await builder.step("thanks").waitFor();
        await page.getByRole("tab", { name: "Simulate" }).click();
        await panel("Simulate").getByRole("button", { name: "Simulate" }).click();
        await panel("Simulate")
            .getByText(/3 people would have entered/)
            .waitFor();
        const counts = await page.locator("[data-count]").allTextContents();
        assert.deepEqual(counts, ["3", "0", "0", "0", "0"]);
        await shoot(page, "builder-simulate-light");
        await checkAccess(page);
    });

    test("publishing asks what becomes of people on a step that goes, and does it", async () => {
        interface Versions {
            data: { version: number; open_runs: number }[];
        }
        await builder.step("a_week").click();
        await page.keyboard.press("Delete");
        await builder.edge("paid:default:big").waitFor({ state: "attached" });
        await builder.problems("No problems").waitFor();
        await page.getByRole("button", { name: "Publish" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("3 people stand on steps that you delete").waitFor();
        await dialog.getByText("They go on in the new version").click();
        await dialog.getByText("3 people stand on a_week").waitFor();
        await dialog.getByRole("combobox", { name: "What becomes of people on a_week" }).click();
        await page.getByRole("option", { name: "They leave the workflow" }).click();
        await shoot(page, "builder-publish-light");
        await checkAccess(page);
        await dialog.getByRole("button", { name: "Publish" }).click();
        await dialog.getByText("0 moved, 3 left the workflow").waitFor();
        await shoot(page, "builder-progress-light");
        await dialog.getByRole("button", { name: "Close" }).last().click();
        await page.waitForURL("**/workflows/loyal");
        await eventually(async () => {
            const { data } = await pawl.request<Versions>("GET", "/v1/workflows/loyal/versions");
            assert.deepEqual(
                data.map((one) => one.open_runs),
                [0, 0],
            );
        });
        viewer.check();
    });

    test("who returns at once finds the builder without the dialog, and goes on", async () => {
        await signIn(page, pawl, "/workflows/loyal/edit");
        await builder.step("thanks").click();
        await builder.form().getByLabel("Message text").fill("Thanks");
        // The next page does not come before they return.
        await page.route("**/assets/WorkflowPage-*.js", () => undefined);
        await builder.publish();
        await page.waitForURL("**/workflows/loyal");
        await page.goBack();
        await page.waitForURL("**/workflows/loyal/edit");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await builder.step("thanks").click();
        await builder.form().getByLabel("Message text").fill("Thanks again");
        await eventually(async () => {
            const { text } = await pawl.request<{ text: string }>(
                "GET",
                "/v1/workflows/loyal/draft",
            );
            assert.match(text, /Thanks again/);
        });
        viewer.check();
    });

    test("an action is one that is registered, with a field for each of its params", async () => {
        pawl.sql(`create table given (person text, amount int, tag text);
            select pawl.register_action('award_points',
                'insert into given (person, amount) values ($person, $amount)',
                schema => '{"properties": {"amount": {"type": "integer", "minimum": 1, "maximum": 1000}}}');
            select pawl.register_action('assign_tag',
                'insert into given (person, tag) values ($person, $tag)',
                schema => '{"properties": {"tag": {"enum": ["gold", "silver"]}}}')`);
        await pawl.request("POST", "/v1/workflows", {
            name: "reward",
            nodes: [{ id: "give", action: { action: "award_points", params: { amount: 5 } } }],
        });
        await builder.edit("reward");
        await builder.step("give").click();
        const form = builder.form();
        await form.getByText("1 – 1000").waitFor();
        const draft = async (): Promise<string> =>
            (await pawl.request<{ text: string }>("GET", "/v1/workflows/reward/draft")).text;
        const amount = form.getByLabel("Amount");
        assert.equal(await amount.inputValue(), "5");
        // Half a number is none yet, and what is typed stays.
        await amount.fill("");
        for (const [key, text] of [
            ["-", "-"],
            ["0", "-0"],
            [".", "-0."],
            ["1", "-0.1"],
        ] as const) {
            await amount.press(key);
            assert.equal(await amount.inputValue(), text);
        }
        await amount.fill("");
        await amount.pressSequentially("0.10");
        assert.equal(await amount.inputValue(), "0.10");
        await amount.press("5");
        assert.equal(await amount.inputValue(), "0.105");
        await eventually(async () => assert.match(await draft(), /amount: 0\.105\b/));
        await amount.fill("2000");
        await builder.choose("Action", "assign_tag");
        await builder.choose("Tag", "silver");
        await amount.waitFor({ state: "detached" });
        await shoot(page, "builder-action-light");
        await checkAccess(page);
        await eventually(async () => {
            assert.match(await draft(), /action: assign_tag[\s\S]*tag: silver/);
            assert.doesNotMatch(await draft(), /amount/);
        });
        viewer.check();
    });

    test("what an agent may do is one of the actions that are registered", async () => {
        await pawl.request("POST", "/v1/workflows", {
            name: "helper",
            nodes: [
                {
                    id: "decide",
                    agent: {
                        url: "https://model.example/v1/chat/completions",
                        model: "m",
                        instructions: "Be kind",
                    },
                },
            ],
        });
        await builder.edit("helper");
        await builder.step("decide").click();
        const form = builder.form();
        const tools = form.locator(".mantine-InputWrapper-root", { hasText: "Tools" });
        await tools.getByRole("button", { name: "Add" }).last().click();
        await builder.choose("Action", "award_points");
        const tool = form.getByRole("group", { name: "Tools 1" });
        await tool.getByLabel("Description").fill("Gives points to <b>nice</b> people");
        // What the model must give is what the action takes.
        const given = tool.getByRole("textbox", { name: "Name of the value" });
        await eventually(async () => assert.equal(await given.inputValue(), "amount"));
        await builder.problems("No problems").waitFor();
        await checkAccess(page);
        await shoot(page, "builder-agent-light");
        await builder.choose("Action", "assign_tag");
        await tool.getByText("silver", { exact: true }).first().waitFor();
        const draft = async (): Promise<string> =>
            (await pawl.request<{ text: string }>("GET", "/v1/workflows/helper/draft")).text;
        await eventually(async () => {
            assert.match(await draft(), /action: assign_tag/);
            assert.match(await draft(), /silver/);
            assert.doesNotMatch(await draft(), /amount|award_points/);
        });
        await builder.choose("What it is", "Request");
        await tool.getByLabel("Url").fill("https://shop.example/orders");
        await eventually(async () => {
            assert.match(await draft(), /url: ["']?https:\/\/shop\.example/);
            assert.doesNotMatch(await draft(), /action:/);
        });
        viewer.check();
    });
});
