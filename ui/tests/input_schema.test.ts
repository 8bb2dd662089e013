import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { shoot, signIn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
import { Pawl } from "./support/serve.ts";

const books = {
    name: "books",
    input_schema: {
        type: "object",
        required: ["guest", "nights", "paid"],
        properties: {
            guest: { type: "string", title: `Guest ${hostile[0]}`, description: "Who comes" },
            nights: { type: "integer", title: "Nights", minimum: 1, maximum: 30 },
            room: { enum: ["single", "double", 3], title: "Room", default: "double" },
            arrives: { type: "string", format: "date", title: "Arrives" },
            paid: { type: "boolean", title: "Paid" },
            bed: {
                type: "object",
                title: "Bed",
                properties: { width: { type: "number", title: "Width" } },
            },
            notes: { type: "array", items: { type: "string" }, title: "Notes" },
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
        return run.input;
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
        await dialog.getByRole("textbox", { name: "Width" }).fill("1.4");
        const notes = dialog.getByRole("combobox", { name: "Notes" });
        await notes.fill("late");
        await notes.press("Enter");
        await checkAccess(page);
        await shoot(page, "input-schema-light");
        await dialog.getByRole("button", { name: "Start a run" }).click();
        assert.deepEqual(await input(), {
            guest: "007",
            nights: 2,
            room: "double",
            arrives: "2026-05-31",
            paid: false,
            bed: { width: 1.4 },
            notes: ["late"],
        });
        viewer.check();
    });
});
