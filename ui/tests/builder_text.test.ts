import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { go, shoot, signIn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

const line = (name: string, ...waits: string[]) => ({
    name,
    nodes: [{ id: "begin", type: "trigger" }, ...waits.map((id) => ({ id, wait: "1h" }))],
    edges: ["begin", ...waits].slice(0, -1).map((from, i) => ({ from, to: waits[i] })),
});

/** The text beside the graph, what is copied, what two people write, notes. */
describe("builder and text", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let builder: BuilderPage;
    before(async () => {
        await pawl.start();
        await pawl.request("POST", "/v1/workflows", line("first", "rest", "more"));
        await pawl.request("POST", "/v1/workflows", line("second", "rest"));
        await pawl.request("POST", "/v1/workflows", {
            name: "third",
            triggers: [{ event: "signed.up" }],
            nodes: [
                { id: "begin", type: "trigger" },
                { id: "ask", condition: { path: "user.tier", operator: "exists" } },
                {
                    id: "tell",
                    message: { channel: "line", messages: [{ type: "text", text: "Hi" }] },
                },
            ],
            edges: [
                { from: "begin", to: "ask" },
                { from: "ask", to: "tell", handle: "true" },
            ],
        });
        page = await viewer.open();
        builder = new BuilderPage(page);
        await signIn(page, pawl, "/workflows/first/edit?text=yaml");
        await builder.step("rest").waitFor();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const editor = () => page.getByRole("textbox", { name: "Text" });
    /** Pasted over all of it: of what is typed over lines, the browser itself makes styles. */
    const write = async (text: string) => {
        await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
        await editor().press("Control+a");
        await page.keyboard.press("Control+v");
    };
    const draftText = async (name: string) =>
        (await pawl.request<{ text: string }>("GET", `/v1/workflows/${name}/draft`)).text;

    test("YAML and graph change together, and comments stay", async () => {
        await write(
            [
                "# A nap, and no more.",
                "name: first",
                "nodes:",
                "  - {id: rest, type: wait, config: {duration: 1h}} # an hour",
                "  - {id: call, type: code, config: {function: echo}}",
                "edges: [{from: rest, to: call}]",
            ].join("\n"),
        );
        await builder.step("call").waitFor();
        await builder.step("rest").click();
        await page.getByLabel("Duration").fill("3");
        await eventually(async () => {
            const text = (await editor().textContent()) ?? "";
            assert.match(text, /3h/);
            assert.match(text, /# A nap, and no more\./);
        });
        await page
            .getByRole("radiogroup", { name: "How the text is written" })
            .getByText("JSON")
            .click();
        await eventually(async () => {
            assert.match((await editor().textContent()) ?? "", /"duration": "3h"/);
        });
        await eventually(async () => assert.match(await draftText("first"), /# A nap/));
        await page.reload();
        await page.getByText("YAML").click();
        await eventually(async () => {
            assert.match((await editor().textContent()) ?? "", /# A nap, and no more\./);
        });
        await shoot(page, "builder-text-light");
        await checkAccess(page);
    });

    test("what is written in short becomes steps, too", async () => {
        await write("name: first\nsteps:\n  - {name: call, code: echo}\n  - {name: nap, wait: 1h}");
        await builder.step("nap").waitFor();
        await builder.edge("call:default:nap").waitFor({ state: "attached" });
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        await page.keyboard.press("Control+z");
        await builder.step("rest").waitFor();
    });

    test("what cannot be read is said, and changes nothing", async () => {
        await write("name: first\nnodes: [");
        await page.getByText(/This cannot be read/).waitFor();
        await builder.step("call").waitFor();
        await page.getByRole("button", { name: "Back to the text of the graph" }).click();
        await page.getByRole("switch", { name: "Text" }).click();
    });

    test("steps are copied into another workflow, in another tab", async () => {
        await builder.step("rest").click();
        await page.keyboard.press("Control+c");
        const other = await page.context().newPage();
        await other.goto(`${pawl.url}/workflows/second/edit`);
        const second = new BuilderPage(other);
        await second.step("rest").waitFor();
        await other.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        await other.keyboard.press("Control+v");
        await second.step("rest_2").waitFor();
        await other.keyboard.press("Control+d");
        await second.step("rest_3").waitFor();
        await other.keyboard.press("Control+z");
        await eventually(async () => assert.equal(await second.steps(), 3));
        // It is saved by itself: who comes next finds it.
        await eventually(async () => assert.match(await draftText("second"), /rest_2/));
        await other.close();
    });

    test("a note is written on the canvas, and makes no new version", async () => {
        await builder.edit("second");
        await page.keyboard.press("n");
        await page.getByRole("textbox", { name: "Note" }).fill(hostile[1]!);
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 300 } });
        await shoot(page, "builder-note-light");
        // What was pasted before is no part of it.
        await builder.step("rest_2").click();
        await page.keyboard.press("Delete");
        await eventually(async () => assert.equal(await builder.steps(), 2));
        await builder.publish();
        await page.waitForURL("**/workflows/second");
        await page.getByRole("heading", { level: 1, name: "second", exact: true }).waitFor();
        interface Kept {
            version: number;
            layout: { notes: { text: string }[] };
        }
        const kept = await pawl.request<Kept>("GET", "/v1/workflows/second");
        assert.equal(kept.version, 1);
        assert.equal(kept.layout.notes[0]?.text, hostile[1]);
        assert.equal(await page.evaluate(() => "hacked" in window), false);
    });

    test("two people write one draft: both texts are shown, and none is lost", async () => {
        await builder.edit("second");
        await builder.step("rest").click();
        await page.getByLabel("Duration").fill("5");
        await eventually(async () => assert.match(await draftText("second"), /5h/));
        // The other one saves without having seen it.
        const path = "/v1/workflows/second/draft";
        const mine = await pawl.request<{ etag: string; text: string }>("GET", path);
        await fetch(pawl.api + path, {
            method: "PUT",
            headers: {
                Authorization: `Bearer ${pawl.key}`,
                "Content-Type": "application/json",
                "If-Match": `"${mine.etag}"`,
            },
            body: JSON.stringify({ text: mine.text.replace("5h", "9h") }),
        });
        await page.getByLabel("Duration").fill("6");
        const dialog = page.getByRole("dialog");
        await dialog.getByText("Saved by the other person").waitFor();
        await dialog.locator("[data-diff]").getByText("9h").first().waitFor();
        await dialog.locator("[data-diff]").getByText("6h").first().waitFor();
        await shoot(page, "builder-conflict-light");
        await checkAccess(page);
        await dialog.getByRole("button", { name: "Take theirs" }).click();
        await builder.step("rest").click();
        await eventually(async () =>
            assert.equal(await page.getByLabel("Duration").inputValue(), "9"),
        );
        await page.keyboard.press("Control+z");
        await eventually(async () =>
            assert.equal(await page.getByLabel("Duration").inputValue(), "6"),
        );
        await eventually(async () => assert.match(await draftText("second"), /6h/));
        viewer.check();
    });

    test("conditions, filters and cards of LINE are forms", async () => {
        await builder.edit("third");
        await builder.step("ask").click();
        const form = builder.form();
        const field = (label: string) => form.getByRole("textbox", { name: label, exact: true });
        await form.getByLabel("What", { exact: true }).fill("user.tier");
        await builder.choose("Comparison", "=");
        await field("With").fill("gold");
        await form.getByRole("button", { name: "Add a group" }).click();
        await form.getByLabel("What", { exact: true }).last().fill("trigger.total");
        await builder.choose("Comparison", ">", "last");
        await field("With").last().fill("100");
        await shoot(page, "builder-condition-light");
        await builder.step("tell").click();
        await builder.choose("Kind of LINE message", "Cards");
        await form.getByLabel("In the list of chats").fill("A gift");
        await form.getByLabel("Title").fill("Hi {{ us");
        // What templates may say is completed, and shown as the sample gets it.
        await page.locator("[role=option][data-combobox-selected]").waitFor();
        await page.keyboard.press("Enter");
        assert.equal(await form.getByLabel("Title").inputValue(), "Hi {{ user.first_name }}");
        await form.getByLabel("Message text").fill(hostile[0]!);
        await form
            .getByRole("group", { name: "Cards, side by side 1" })
            .getByRole("button", { name: "Add" })
            .click();
        await form.getByLabel("On the button").fill("Take it");
        await form.getByLabel("Address", { exact: true }).fill("https://example.com/gift");
        const preview = form.locator("[data-line-preview]");
        await preview.getByText("Hi Ann").waitFor();
        await preview.getByText(hostile[0]!).waitFor();
        await shoot(page, "builder-cards-light");
        await checkAccess(page);
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        await form.getByRole("button", { name: "Add a condition" }).first().click();
        await form.getByLabel("What", { exact: true }).fill("data.plan");
        await field("With").fill("pro, free");
        await builder.choose("Comparison", "in");
        await shoot(page, "builder-filter-light");
        await builder.publish();
        await page.waitForURL("**/workflows/third");
        await page.getByRole("heading", { level: 1, name: "third", exact: true }).waitFor();
        interface Kept {
            definition: { triggers: object[]; nodes: { id: string; config: object }[] };
        }
        const { definition } = await pawl.request<Kept>("GET", "/v1/workflows/third");
        assert.deepEqual(definition.triggers, [
            {
                event: "signed.up",
                filter: { path: "data.plan", operator: "in", value: ["pro", "free"] },
            },
        ]);
        const config = (id: string) => definition.nodes.find((one) => one.id === id)?.config;
        assert.deepEqual(config("ask"), {
            all: [
                { path: "user.tier", operator: "=", value: "gold" },
                { any: [{ path: "trigger.total", operator: ">", value: 100 }] },
            ],
        });
        const sent = JSON.stringify(config("tell"));
        assert.match(sent, /"altText":"A gift"/);
        assert.match(sent, /"uri":"https:\/\/example.com\/gift"/);
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        viewer.check();
    });

    test("a draft that was never published is found again", async () => {
        await go(page, "/new-workflow");
        await page.getByRole("heading", { level: 1, name: "New workflow" }).waitFor();
        await builder.form().locator("[data-field=name]").fill("unfinished");
        await eventually(async () => assert.match(await draftText("unfinished"), /begin/));
        await builder.form().getByLabel("Description").fill("Not yet");
        // Who leaves at once loses nothing.
        await go(page, "/workflows");
        await eventually(async () => assert.match(await draftText("unfinished"), /Not yet/));
        await page.getByRole("button", { name: /draft/ }).click();
        await page.getByRole("menuitem", { name: /unfinished/ }).click();
        await builder.step("begin").waitFor();
        assert.equal(await builder.form().getByLabel("Description").inputValue(), "Not yet");
        await page.getByRole("button", { name: "Throw the draft away" }).click();
        await page.waitForURL("**/workflows");
        const { data } = await pawl.request<{ data: { name: string }[] }>("GET", "/v1/drafts");
        assert.equal(
            data.some((one) => one.name === "unfinished"),
            false,
        );
        await builder.edit("second");
    });

    test("the keys are in the sheet", async () => {
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        await page.keyboard.press("?");
        await page.getByText("Connect the selected step").waitFor();
        await shoot(page, "builder-keys-light");
    });

    test("a type that there is not is said, and nothing is wrong where nothing is written", async () => {
        const definition = {
            name: "odd",
            nodes: [
                { id: "begin", type: "trigger" },
                { id: "call", type: "http", config: {} },
                { id: "beam", type: "teleport", config: {} },
            ],
            edges: [
                { from: "begin", to: "call" },
                { from: "call", to: "beam" },
            ],
        };
        await pawl.request("PUT", "/v1/workflows/odd/draft", { text: JSON.stringify(definition) });
        await signIn(page, pawl, "/workflows/odd/edit");
        const problems = page.locator("[aria-live=polite] button");
        await problems.getByText("call: Url: must be the address to call").waitFor();
        await problems.getByText("beam: 'teleport' is not a step type").click();
        const form = builder.form();
        await form.getByRole("alert").getByText("'teleport' is not a step type").waitFor();
        await builder.step("call").click();
        await form.getByRole("button", { name: "More settings" }).click();
        const statuses = form.getByRole("textbox", { name: "Expect status" });
        const marks = form.locator(".cm-lintPoint-error, .cm-lintRange-error");
        await statuses.fill("[200,");
        await marks.first().waitFor({ state: "attached" });
        await statuses.fill("");
        await eventually(async () => assert.equal(await marks.count(), 0));
        await checkAccess(page);
        viewer.check();
    });
});
