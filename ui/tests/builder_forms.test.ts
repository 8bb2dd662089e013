import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { parse } from "yaml";
import { checkAccess } from "./support/access.ts";
import { shoot, signIn, Viewer } from "./support/browser.ts";
import { BuilderPage } from "./support/builder.ts";
import { eventually, Pawl } from "./support/serve.ts";

const agent = (...decide: string[]) => ({
    url: "https://api.example.com/v1/chat/completions",
    model: "m",
    instructions: "Decide",
    decide,
});
const share = (name: string) => ({ name, share: 50 });
const total = { path: "input.total", operator: ">", value: 100 };

const ways = {
    name: "ways",
    nodes: [
        { id: "begin", type: "trigger" },
        { id: "angry", type: "agent", config: agent("angry", "calm") },
        { id: "other", type: "agent", config: agent("one", "two", "three") },
        { id: "half", type: "split", config: { variants: [share("a"), share("b")] } },
        {
            id: "by_total",
            type: "switch",
            config: { cases: [{ when: total, handle: "large" }] },
        },
        { id: "left", code: "noop" },
        { id: "right", code: "noop" },
    ],
    edges: [
        { from: "begin", to: "angry" },
        { from: "begin", to: "other" },
        { from: "begin", to: "half" },
        { from: "half", to: "left", handle: "a" },
        { from: "half", to: "right", handle: "b" },
        { from: "begin", to: "by_total" },
        { from: "by_total", to: "right", handle: "large" },
        { from: "other", to: "left", handle: "two" },
    ],
};

const settings = {
    name: "settings",
    nodes: [
        { id: "begin", type: "trigger" },
        { id: "call", http: { url: "https://example.com/" } },
        { id: "paid", wait: { event: "order.paid", timeout: "3d" } },
        { id: "again", type: "loop", config: { times: 2 } },
        { id: "round", code: "noop" },
        { id: "tell", emit: { event: "told" } },
        { id: "ask", human: { title: "Fine?" } },
        { id: "bought", goal: { event: "order.paid" } },
        { id: "send", message: { channel: "line", messages: [{ type: "text", text: "Hi" }] } },
    ],
    edges: [
        { from: "begin", to: "call" },
        { from: "call", to: "paid" },
        { from: "paid", to: "again" },
        { from: "again", to: "round", handle: "each" },
        { from: "again", to: "tell" },
        { from: "tell", to: "ask" },
        { from: "ask", to: "bought", handle: "approved" },
        { from: "bought", to: "send" },
    ],
};

interface Written {
    nodes: { id: string; config: Record<string, unknown> }[];
    edges: { from: string; to: string; handle?: string; when?: unknown }[];
    [key: string]: unknown;
}

/** Forms offer what the server takes, and edges follow what the forms do. */
describe("builder forms", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let builder: BuilderPage;
    before(async () => {
        await pawl.start();
        await pawl.request("POST", "/v1/workflows", ways);
        await pawl.request("POST", "/v1/workflows", settings);
        page = await viewer.open();
        builder = new BuilderPage(page);
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const open = async (name: string, step: string) => {
        await signIn(page, pawl, `/workflows/${name}/edit`);
        await builder.step(step).waitFor();
    };
    const form = () => builder.form();
    const rows = (label: string) =>
        form().locator(".mantine-InputWrapper-root", { hasText: label });
    const row = (label: string) => form().getByRole("group", { name: label, exact: true });
    const unfold = (title: string) => form().getByRole("button", { name: title }).click();
    /** The draft as it was saved, once it is so. */
    const written = (name: string, check: (draft: Written) => void) =>
        eventually(async () => {
            const path = `/v1/workflows/${name}/draft`;
            const { text } = await pawl.request<{ text: string }>("GET", path);
            check(parse(text) as Written);
        });
    const configOf = (draft: Written, id: string) =>
        draft.nodes.find((node) => node.id === id)!.config;

    /** How far the beginning of an edge is from its way out, in the window. */
    const gap = (id: string) => {
        const [from = "", handle = ""] = id.split(":");
        return page.evaluate(
            ([edge, step, way]) => {
                const path = document.querySelector<SVGPathElement>(
                    `.react-flow__edge[data-id="${edge}"] .react-flow__edge-path`,
                );
                const out = document.querySelector(
                    `[data-step="${step}"] [data-handleid="${way}"].source`,
                );
                if (!path || !out) return Number.POSITIVE_INFINITY;
                const at = path.getPointAtLength(0).matrixTransform(path.getScreenCTM()!);
                const box = out.getBoundingClientRect();
                return Math.max(
                    Math.abs(at.x - (box.left + box.right) / 2),
                    Math.abs(at.y - (box.top + box.bottom) / 2),
                );
            },
            [id, from, handle] as const,
        );
    };
    const begins = (id: string) =>
        eventually(async () => {
            const far = await gap(id);
            assert.ok(far < 12, `${id} begins ${far} px from its way out`);
        });

    test("edges begin at their ways out, however many there are meanwhile", async () => {
        await open("ways", "angry");
        await builder.step("angry").click();
        await row("Decide 1").getByRole("button", { name: "Remove number 1" }).click();
        await builder.addBehind("angry", "calm", "Wait");
        await begins("angry:calm:wait");
        await builder.step("other").click();
        await row("Decide 3").getByRole("button", { name: "Remove number 3" }).click();
        await row("Decide 1").getByRole("button", { name: "Remove number 1" }).click();
        await begins("other:two:left");
        await rows("What the model chooses from").getByRole("button", { name: "Add" }).click();
        await builder.addBehind("other", "decision_2", "Wait");
        await begins("other:decision_2:wait_2");
        await begins("other:two:left");
    });

    test("the edges of a way follow its name, and one undo takes both back", async () => {
        await open("ways", "half");
        const rename = async (group: string, field: string, to: string) => {
            const input = row(group).getByRole("textbox", { name: field });
            await input.fill(to);
            await input.press("Enter");
        };
        const leads = (id: string) => builder.edge(id).waitFor({ state: "attached" });
        await builder.step("half").click();
        await rename("Variants 1", "Variant", "line_first");
        await leads("half:line_first:left");
        await begins("half:line_first:left");
        await leads("half:b:right");
        await builder.problems("No problems").waitFor();
        await builder.leaveFields();
        await page.keyboard.press("Control+z");
        await leads("half:a:left");
        await builder.step("half").getByText("a / b").waitFor();
        // Half of a name may be the name of another: nothing is taken from that one.
        await builder.step("half").click();
        const first = row("Variants 1").getByRole("textbox", { name: "Variant" });
        await first.fill("");
        await first.pressSequentially("b_mail");
        await first.blur();
        await leads("half:b_mail:left");
        await leads("half:b:right");
        await builder.step("by_total").click();
        await rename("Cases 1", "Way out", "huge");
        await leads("by_total:huge:right");
        await builder.step("other").click();
        await rename("Decide 1", "Way out", "second");
        await leads("other:second:left");
        await builder.problems("No problems").waitFor();
        await checkAccess(page);
    });

    test("templates complete what the people of the tenant have", async () => {
        pawl.sql(
            `create table customers (id int unique, full_name text, tier text, line_id text);
             select pawl.set_person_source('public.customers', key => 'id',
                 address => '{"line": "line_id"}', columns => '{full_name, tier}')`,
        );
        await open("settings", "send");
        await builder.step("send").click();
        const text = form().getByLabel("Message text");
        await eventually(async () => {
            await text.fill("");
            await text.pressSequentially("{{ user.");
            await page.getByRole("option", { name: "user.tier" }).waitFor({ timeout: 5_000 });
        });
        const names = await page.getByRole("option").allTextContents();
        assert.deepEqual(names, ["user.full_name", "user.tier", "user.addresses.line"]);
        await page.getByRole("option", { name: "user.full_name" }).click();
        assert.equal(await text.inputValue(), "{{ user.full_name }}");
        pawl.sql("select pawl.forget_person_source()");
    });

    test("a limit of time is offered where the server takes one, and once", async () => {
        const failing = async (step: string) => {
            await builder.step(step).click();
            await form().getByRole("textbox", { name: "Name" }).waitFor();
            await unfold("When it fails");
            await form().getByRole("combobox", { name: "On failure" }).first().waitFor();
        };
        const limit = () => form().getByRole("textbox", { name: "Timeout", exact: true });
        await open("settings", "call");
        for (const step of ["again", "tell", "bought", "ask", "paid"]) {
            await failing(step);
            assert.equal(await limit().count(), 0, step);
        }
        assert.equal(await form().getByLabel("At most", { exact: true }).count(), 1);
        await failing("call");
        assert.equal(await limit().count(), 1);
    });

    test("a form of a task is edited as a schema", async () => {
        await open("settings", "ask");
        await builder.step("ask").click();
        await unfold("More settings");
        await rows("JSON Schema of the data").getByRole("button", { name: "Add" }).click();
        await row("Form 1").getByRole("textbox", { name: "Name of the value" }).fill("amount");
        await builder.choose("What it is", "Whole number");
        await row("Form 1").getByRole("switch", { name: "Must be there" }).check({ force: true });
        await written("settings", (draft) =>
            assert.deepEqual(configOf(draft, "ask").form, {
                type: "object",
                properties: { amount: { type: "integer" } },
                required: ["amount"],
            }),
        );
        await builder.problems("No problems").waitFor();
        await checkAccess(page);
        await shoot(page, "builder-form-schema");
    });

    test("conditions of loops, goals and cases are edited as conditions", async () => {
        await open("settings", "again");
        const add = async (label: string, what: string) => {
            await rows(label).getByRole("button", { name: "Add a condition" }).click();
            await row(`${label} 1`).getByRole("combobox", { name: "What", exact: true }).fill(what);
            await page.keyboard.press("Escape");
            await row(`${label} 1`).getByRole("textbox", { name: "With" }).fill("5");
        };
        await builder.step("again").click();
        await form().getByLabel("Times").fill("");
        await unfold("More settings");
        await add("While", "input.total");
        await builder.step("bought").click();
        await unfold("More settings");
        await add("Filter", "event.data.total");
        const test = (path: string) => ({ path, operator: "=", value: 5 });
        await written("settings", (draft) => {
            assert.deepEqual(configOf(draft, "again"), { while: test("input.total") });
            assert.deepEqual(configOf(draft, "bought").filter, test("event.data.total"));
        });
        await builder.problems("No problems").waitFor();
        await open("ways", "by_total");
        await builder.step("by_total").click();
        const value = row("Cases 1").getByRole("textbox", { name: "With" });
        assert.equal(await value.inputValue(), "100");
        await value.fill("200");
        await written("ways", (draft) => {
            const [one] = configOf(draft, "by_total").cases as { when: unknown }[];
            assert.deepEqual(one!.when, { ...total, value: 200 });
        });
        await builder.problems("No problems").waitFor();
    });

    test("an edge has a condition, which is written on it", async () => {
        await open("settings", "call");
        const point = await page.evaluate(() => {
            const edge = '.react-flow__edge[data-id="call:default:paid"] .react-flow__edge-path';
            const path = document.querySelector<SVGPathElement>(edge)!;
            const at = path.getPointAtLength(path.getTotalLength() / 5);
            const { x, y } = at.matrixTransform(path.getScreenCTM()!);
            return { x, y };
        });
        await page.mouse.click(point.x, point.y);
        await form().getByText("call · default → paid").waitFor();
        await form().getByRole("button", { name: "Add a condition" }).click();
        await form().getByRole("combobox", { name: "What", exact: true }).fill("input.total");
        await page.keyboard.press("Escape");
        await form().getByRole("textbox", { name: "With" }).fill("5");
        await page.locator("[data-when]").getByText("if input.total = 5").waitFor();
        await written("settings", (draft) =>
            assert.deepEqual(draft.edges.find((one) => one.from === "call")?.when, {
                path: "input.total",
                operator: "=",
                value: 5,
            }),
        );
        await builder.problems("No problems").waitFor();
        await checkAccess(page);
        await shoot(page, "builder-edge");
        await form().getByRole("button", { name: "Remove the condition" }).click();
        await page.locator("[data-when]").waitFor({ state: "detached" });
        // A click on a step shows the step.
        await builder.step("tell").click();
        await form().getByText("Emit an event").waitFor();
    });

    test("limits of the workflow and what it asks for have fields", async () => {
        await open("settings", "begin");
        await unfold("More settings");
        const amount = form().getByRole("textbox", { name: "Timeout", exact: true });
        await amount.fill("30");
        const fields = form().getByRole("combobox", { name: "Required fields" });
        await fields.fill("total");
        await fields.press("Enter");
        await form().getByRole("textbox", { name: "Attempts" }).fill("3");
        await form().getByRole("textbox", { name: "Limit" }).first().fill("5");
        await rows("What starts it").getByRole("button", { name: "Add" }).first().click();
        await row("What starts it 1").getByLabel("Event", { exact: true }).fill("order.made");
        const input = row("What starts it 1").locator(".mantine-InputWrapper-root", {
            hasText: "Input of the run",
        });
        await input.getByRole("button", { name: "Add" }).click();
        await input.getByRole("textbox", { name: "Name of the value" }).fill("total");
        await input.getByRole("textbox", { name: "Value", exact: true }).fill("7");
        await written("settings", (draft) => {
            assert.equal(draft.timeout, "30d");
            assert.deepEqual(draft.required_fields, ["total"]);
            assert.deepEqual(draft.retry, { attempts: 3 });
            assert.deepEqual(draft.flow, { concurrency: { limit: 5 } });
            assert.deepEqual(draft.triggers, [{ event: "order.made", input: { total: 7 } }]);
        });
        await builder.problems("No problems").waitFor();
        await checkAccess(page);
        await shoot(page, "builder-more-settings");
        viewer.check();
    });
});
