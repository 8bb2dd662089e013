import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

const books = {
    name: "books",
    input_schema: {
        type: "object",
        required: ["guest", "nights", "paid"],
        properties: {
            guest: { type: "string", title: `Guest ${hostile[0]}`, description: "Who comes" },
            nights: { type: "integer", title: "Nights", minimum: 1, maximum: 30 },
            room: { enum: ["single", "double", 3, "3"], title: "Room", default: "double" },
            arrives: { type: "string", format: "date", title: "Arrives" },
            paid: { type: "boolean", title: "Paid" },
            bed: {
                type: "object",
                title: "Bed",
                properties: { width: { type: "number", title: "Width" } },
            },
            notes: {
                type: "array",
                items: { type: "string" },
                title: `Notes ${"long".repeat(40)}`,
            },
            order: { type: "integer", title: "Order" },
        },
    },
    steps: [
        {
            name: "check",
            transform: {
                jq: 'if .input.room == 3 then error("no such room") else .input.guest end',
            },
        },
        { name: "greet", code: "echo", input: { text: "{{ input.guest }}" } },
    ],
};

describe("a workflow that says what it takes", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        await pawl.request("POST", "/v1/workflows", books);
        page = await viewer.open();
        await signIn(page, pawl, "/workflows/books");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const input = async () => {
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
        const id = new URL(page.url()).pathname.split("/").at(-1)!;
        const run = await pawl.request<{ input: object }>("GET", `/v1/runs/${id}`);
        return { id, input: run.input };
    };
    const choose = async (dialog: Locator, room: string) => {
        await dialog.getByRole("combobox", { name: "Room" }).click();
        await page.getByRole("option", { name: room, exact: true }).click();
    };

    test("a start asks for each part as what it is, and sends what it shows", async () => {
        await page.getByRole("button", { name: "Start a run" }).click();
        const dialog = page.getByRole("dialog", { name: "Start a run" });
        await dialog.getByText("Who comes · Used by greet").waitFor();
        await dialog.getByText("1 – 30").waitFor();
        assert.equal(await dialog.getByRole("combobox", { name: "Room" }).inputValue(), "double");
        await dialog.getByRole("textbox", { name: "Guest" }).fill("007");
        await dialog.getByRole("textbox", { name: "Nights" }).fill("2");
        await dialog.getByLabel("Arrives").fill("2026-05-31");
        await dialog.getByRole("textbox", { name: "Width" }).pressSequentially("1.05");
        // JavaScript would round it.
        const order = "9223372036854775807";
        await dialog.getByRole("textbox", { name: "Order" }).pressSequentially(order);
        const notes = dialog.getByRole("combobox", { name: "Notes" });
        await notes.fill("late");
        await notes.press("Enter");
        await checkAccess(page);
        await shoot(page, "input-schema-light");
        await dialog.getByRole("button", { name: "Start a run" }).click();
        const { id, input: sent } = await input();
        assert.deepEqual(sent, {
            guest: "007",
            nights: 2,
            room: "double",
            arrives: "2026-05-31",
            paid: false,
            bed: { width: 1.05 },
            notes: ["late"],
            order: Number(order),
        });
        const text = await pawl.requestText("GET", `/v1/runs/${id}`);
        assert.match(text, new RegExp(`"order": ?${order}`));
        await dialog.waitFor({ state: "detached" });
        viewer.check();
    });

    test("what the server refuses is said, in fields or as JSON", async () => {
        await go(page, "/workflows/books");
        await page.getByRole("button", { name: "Start a run" }).click();
        const dialog = page.getByRole("dialog", { name: "Start a run" });
        await dialog.getByRole("textbox", { name: "Nights" }).fill("2");
        await dialog.getByRole("button", { name: "Start a run" }).click();
        await page.getByText(/guest/).last().waitFor();
        await dialog.getByRole("textbox", { name: "Guest" }).fill("Ann");
        await choose(dialog, "3");
        await dialog.getByText("JSON", { exact: true }).click();
        await dialog.getByRole("textbox", { name: "Input" }).getByText('"room": 3').waitFor();
        await dialog.getByText("Fields", { exact: true }).click();
        await turn(page, { width: 360, scheme: "dark" });
        await checkAccess(page);
        await checkWidth(page);
        assert.equal(await dialog.evaluate((all) => all.scrollWidth - all.clientWidth), 0);
        await shoot(page, "input-schema-dark-360");
        await turn(page, {});
        await dialog.getByRole("button", { name: "Start a run" }).click();
        const { id, input: sent } = await input();
        assert.deepEqual(sent, { guest: "Ann", nights: 2, room: 3, paid: false });
        await dialog.waitFor({ state: "detached" });
        await pawl.until(id, "failed");
        viewer.check();
    });

    test("run again and a replay ask for the same parts", async () => {
        await page.getByRole("button", { name: "Run again…" }).click();
        const dialog = page.getByRole("dialog", { name: "Run again" });
        assert.equal(await dialog.getByRole("textbox", { name: "Guest" }).inputValue(), "Ann");
        assert.equal(await dialog.getByRole("combobox", { name: "Room" }).inputValue(), "3");
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await go(page, "/failures");
        await page.getByText("no such room").first().click();
        await page.getByRole("switch", { name: "Change the input" }).click();
        const added = page.getByRole("group", { name: "What is added" });
        await added.getByRole("combobox", { name: "Room" }).click();
        await page.getByRole("option", { name: "single" }).click();
        await checkAccess(page);
        await shoot(page, "input-schema-replay-light");
        await page.getByRole("button", { name: "Replay 1 run" }).click();
        await page.getByText("1 of 1 done").waitFor();
        await eventually(async () => {
            const { data } = await pawl.request<{ data: { id: string }[] }>(
                "GET",
                "/v1/runs?workflow=books&status=completed",
            );
            assert.equal(data.length, 2);
        });
        viewer.check();
    });

    test("the builder edits what a workflow takes, and tries it", async () => {
        await go(page, "/workflows/books/edit?panel=test");
        const form = page.locator("[data-form]");
        const rows = form.getByRole("group", { name: /^Input \d+$/ });
        await eventually(async () => assert.equal(await rows.count(), 8));
        const sample = page.getByRole("region", { name: "Test run" });
        await sample.getByRole("textbox", { name: "Nights" }).fill("3");
        await rows.last().locator("xpath=..").getByRole("button", { name: "Add" }).last().click();
        const fresh = rows.last();
        await fresh.getByRole("textbox", { name: "Name of the value" }).fill("tier");
        await fresh.getByRole("combobox", { name: "What it is" }).click();
        await page.getByRole("option", { name: "One of several" }).click();
        const choices = fresh.getByRole("combobox", { name: "Choices" });
        await choices.fill("gold");
        await choices.press("Enter");
        await fresh.getByRole("textbox", { name: "Label" }).fill("Their tier");
        await fresh.getByRole("switch", { name: "Must be there" }).click();
        // The test run asks for it at once.
        await sample.getByRole("combobox", { name: "Their tier" }).waitFor();
        await checkAccess(page);
        await shoot(page, "builder-input-schema-light");
        const draft = "/v1/workflows/books/draft";
        await eventually(async () => {
            const { text } = await pawl.request<{ text: string }>("GET", draft);
            assert.match(text, /Their tier/);
        });
        viewer.check();
    });
});
