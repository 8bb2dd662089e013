import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess, shoot, signIn, Viewer } from "./support/browser.ts";
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
        page = await viewer.open();
        // Many small gestures, each of which waits its turn on a busy machine.
        page.setDefaultTimeout(90_000);
        builder = new BuilderPage(page);
        await signIn(page, pawl, "/workflows/first/edit?text=yaml");
        await builder.step("rest").waitFor();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const editor = () => page.getByRole("textbox", { name: "Text" });
    const draftText = async (name: string) =>
        (await pawl.request<{ text: string }>("GET", `/v1/workflows/${name}/draft`)).text;

    test("YAML and graph change together, and comments stay", async () => {
        await editor().fill(
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
        await editor().fill(
            "name: first\nsteps:\n  - {name: call, code: echo}\n  - {name: nap, wait: 1h}",
        );
        await builder.step("nap").waitFor();
        await builder.edge("call:default:nap").waitFor({ state: "attached" });
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        await page.keyboard.press("Control+z");
        await builder.step("rest").waitFor();
    });

    test("what cannot be read is said, and changes nothing", async () => {
        await editor().fill("name: first\nnodes: [");
        await page.getByText(/This cannot be read/).waitFor();
        await builder.step("call").waitFor();
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
        await other.close();
    });

    test("a note is written on the canvas, and makes no new version", async () => {
        await page.goto(`${pawl.url}/workflows/second/edit`);
        await builder.step("rest").waitFor();
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
        await page.goto(`${pawl.url}/workflows/second/edit`);
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
        await builder.leaveFields();
        await page.keyboard.press("Control+z");
        await eventually(async () =>
            assert.equal(await page.getByLabel("Duration").inputValue(), "6"),
        );
        await eventually(async () => assert.match(await draftText("second"), /6h/));
        viewer.check();
    });

    test("the keys are in the sheet", async () => {
        await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
        await page.keyboard.press("?");
        await page.getByText("Connect the selected step").waitFor();
        await shoot(page, "builder-keys-light");
    });
});
