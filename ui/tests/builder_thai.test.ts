import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { eventually, Pawl } from "./support/serve.ts";

interface NodeType {
    type: string;
    example?: { config?: object };
}

/** What the server says of steps and of mistakes is in Thai where the pages are. */
describe("builder in Thai", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let builder: BuilderPage;
    let types: NodeType[] = [];
    before(async () => {
        await pawl.start();
        ({ data: types } = await pawl.request<{ data: NodeType[] }>("GET", "/v1/node-types"));
        page = await viewer.open({ language: "th" });
        builder = new BuilderPage(page);
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const edit = async (name: string, definition: object) => {
        const text = JSON.stringify({ name, ...definition });
        await pawl.request("PUT", `/v1/workflows/${name}/draft`, { text });
        await signIn(page, pawl, `/workflows/${name}/edit`);
        await page.locator("[data-step]").first().waitFor();
    };
    const isThai = (text: string) => /[\u0e00-\u0e7f]/.test(text);

    test("every setting of every step", async () => {
        const nodes = types.map(({ type, example }) => ({
            id: `a_${type}`,
            type,
            config: example?.config ?? {},
        }));
        const edges = nodes.slice(1).map((node, i) => ({ from: nodes[i]!.id, to: node.id }));
        await edit("everything", { nodes, edges });
        await page.keyboard.press("1"); // fits the graph into the window
        // Names that people give, and words that are the same in every language.
        const same = /^(HTML|SQL|SMS|LINE|Url|\$\w+)$/;
        for (const { id } of nodes) {
            await page.locator("[data-canvas]").focus();
            await page.keyboard.press("ArrowDown");
            await eventually(async () => {
                const name = page.locator("[data-form] [data-field=name]");
                if ((await name.inputValue({ timeout: 1_000 })) !== id) {
                    throw new Error(`${id} is not chosen`);
                }
            });
            const form = builder.form();
            for (const more of await form.locator("button[aria-expanded=false]").all()) {
                if (await more.locator("xpath=ancestor::*[@data-accordion]").count()) {
                    await more.click();
                }
            }
            const words = await form
                .locator(".mantine-InputWrapper-label, .mantine-InputWrapper-description")
                .allInnerTexts();
            const english = words.filter((text) => text && !isThai(text) && !same.test(text));
            assert.deepEqual(english, [], id);
        }
        await shoot(page, "builder-thai-settings");
        await checkAccess(page);
        viewer.check();
    });

    test("what is wrong is said in Thai, with what it is about", async () => {
        await edit("wrong", {
            nodes: [
                { id: "begin", type: "trigger", config: {} },
                { id: "call", type: "http", config: {} },
                { id: "rest", type: "wait", config: { duration: "soon" } },
                { id: "say", type: "message", config: { channel: "sms" } },
            ],
            edges: [
                { from: "begin", to: "call" },
                { from: "call", to: "rest" },
                { from: "rest", to: "say" },
            ],
        });
        const list = page.locator("[aria-live=polite] button");
        await list.getByText("call: ที่อยู่ URL: ต้องกรอก").waitFor();
        await list.getByText(/rest: .*ระยะเวลาไม่ถูกต้อง/).waitFor();
        await list.getByText(/say: .*ข้อความว่างเปล่า/).waitFor();
        for (const text of await list.allInnerTexts()) {
            assert.doesNotMatch(text, /\b(must|is|has|the)\b/, text);
        }
        await list.getByText("call: ที่อยู่ URL: ต้องกรอก").click();
        await builder.form().getByRole("alert").getByText("ที่อยู่ URL: ต้องกรอก").waitFor();
        await shoot(page, "builder-thai-problems");
        await checkAccess(page);
        await turn(page, { width: 360, language: "th" });
        await checkWidth(page);
        await shoot(page, "builder-thai-problems-360");
        await turn(page, { language: "th" });
        viewer.check();
    });

    test("what only the whole graph shows is in Thai, too", async () => {
        const begin = { id: "begin", type: "trigger", config: {} };
        const rest = { id: "rest", type: "wait", config: { duration: "1d" } };
        const cases: [string, object, RegExp][] = [
            ["lost", { nodes: [begin, rest], edges: [] }, /ไปไม่ถึง “rest” จาก “begin”/],
            [
                "nowhere",
                { nodes: [begin, rest], edges: [{ from: "begin", to: "rest", handle: "odd" }] },
                /“begin” ไม่มีทางออก “odd”/,
            ],
            [
                "unknown",
                {
                    nodes: [
                        begin,
                        {
                            id: "say",
                            type: "message",
                            config: { channel: "sms", text: "{{ steps.begn.result }}" },
                        },
                    ],
                    edges: [{ from: "begin", to: "say" }],
                },
                /อ้างถึงขั้นตอนที่ไม่มี.* หมายถึง “begin” หรือไม่/,
            ],
            [
                "template",
                {
                    nodes: [
                        begin,
                        { id: "say", type: "message", config: { channel: "sms", template: "hi" } },
                    ],
                    edges: [{ from: "begin", to: "say" }],
                },
                /ไม่มีเทมเพลต “hi”/,
            ],
        ];
        for (const [name, definition, said] of cases) {
            await edit(name, definition);
            await page.locator("[aria-live=polite] button").getByText(said).waitFor();
        }
        viewer.check();
    });

    test("what libraries draw is in Thai, in graphs to look at and in editors", async () => {
        await pawl.define("looked_at", [
            { name: "note", message: { channel: "email", subject: "Hi", text: "Hi" } },
            { name: "rest", wait: "30d" },
        ]);
        const run = await pawl.startRun("looked_at", {}, { subject: "ann" });
        const english = /Edge from|Press enter|Control Panel|Zoom In|Fit View|Fold line|: pending"/;
        const drawn = async (path: string, part: string) => {
            await signIn(page, pawl, path);
            // Straight edges have no height, which counts as hidden.
            await page.locator(part).first().waitFor({ state: "attached" });
            assert.doesNotMatch(await page.locator("#content").innerHTML(), english, path);
        };
        await drawn("/workflows/looked_at", ".react-flow__edge");
        await page.getByText("อีเมล · Hi").waitFor();
        await page.getByLabel("จาก note ไป rest").waitFor({ state: "attached" });
        await drawn(`/runs/${run}?tab=graph`, ".react-flow__edge");
        await page.getByLabel("จาก note ไป rest").waitFor({ state: "attached" });
        await drawn("/workflows/looked_at?tab=tests", ".cm-gutters");
        viewer.check();
    });
});
