import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile, hostileData } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

const big = "9223372036854775807";

const breaks = [
    { name: "first", code: "echo", input: { message: "done" } },
    { name: "second", code: "fail", input: { until_attempt: 9 }, retry: { attempts: 1 } },
];

const order = [
    {
        name: "reserve",
        code: "fail",
        input: { until_attempt: 2 },
        retry: { attempts: 3, base: "50ms" },
    },
    { name: "charge", call: { workflow: "card" } },
    { name: "paid", wait: { signal: "paid", timeout: "3d" } },
    { name: "ship", code: "echo", input: { message: "shipped" } },
];

/** Its steps say what they take: texts by templates, a flag by what it is compared with. */
const greets = {
    name: "greets",
    required_fields: ["total"],
    nodes: [
        { id: "hello", code: "echo", input: { message: "Hi {{ name }}, {{ input.order.id }}" } },
        {
            id: "rich",
            type: "condition",
            config: { path: "input.vip", operator: "=", value: true },
        },
    ],
    edges: [{ from: "hello", to: "rich" }],
};

describe("run page", () => {
    const pawl = new Pawl([], {
        OTEL_TRACES_SAMPLER_ARG: "1",
        PAWL_TRACE_URL: "https://traces.example.com/t/{trace_id}",
    });
    const viewer = new Viewer();
    let page: Page;
    let compared: string;
    before(async () => {
        await pawl.start();
        await pawl.define("card", [{ name: "capture", code: "echo", input: { message: "ok" } }]);
        await pawl.define("order", order);
        await pawl.define("breaks", breaks);
        await pawl.define("hold", [{ name: "nap", wait: "3d" }]);
        page = await viewer.open();
        await signIn(page, pawl, "/");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const open = (id: string, query = "") => go(page, `/runs/${id}${query}`);

    test("a run that waits says for what, and the button sends it", async () => {
        const id = await pawl.startRun("order", { total: 5 });
        await eventually(async () => {
            const run = await pawl.request<{ status: string }>("GET", `/v1/runs/${id}`);
            assert.equal(run.status, "waiting");
        });
        await open(id);
        await page.getByText(/for the signal paid/).waitFor();
        await page.getByRole("button", { name: "Show the steps of the child run" }).click();
        await page.getByRole("button", { name: "capture" }).waitFor();
        await checkAccess(page);
        await shoot(page, "run-waiting-light");
        await turn(page, { language: "th" });
        await page.getByText(/^รออยู่ที่ “.*” สัญญาณ paid/).waitFor();
        await page.getByText(/^ส่งสัญญาณ: pawl runs signal/).waitFor();
        await turn(page, {});
        await page.getByRole("button", { name: "Send “paid”" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
        await pawl.until(id, "completed");
        await page.locator("header [data-status=completed]").waitFor();
        await shoot(page, "run-completed-light");
        viewer.check();
    });

    test("a run that is paused is let go", async () => {
        const id = await pawl.startRun("hold");
        await pawl.until(id, "waiting");
        await open(id);
        await page.locator("header").getByRole("button", { name: "Pause" }).click();
        await page.getByText(/It is paused/).waitFor();
        await shoot(page, "run-paused-light");
        await page.locator("section").getByRole("button", { name: "Resume" }).click();
        await page.getByRole("button", { name: "Do not wait" }).click();
        await page.getByLabel("Reason").fill(hostile[0]!);
        await page.getByRole("button", { name: "Skip “nap”" }).click();
        await pawl.until(id, "completed");
        viewer.check();
    });

    test("a run is cancelled with a reason", async () => {
        const id = await pawl.startRun("hold");
        await pawl.until(id, "waiting");
        await open(id);
        await page.locator("header").getByRole("button", { name: "Cancel" }).click();
        await page.getByLabel("Reason").fill("not needed");
        await page.getByRole("dialog").getByRole("button", { name: "Cancel this run" }).click();
        await pawl.until(id, "cancelled");
        await page.locator("header [data-status=cancelled]").waitFor();
        viewer.check();
    });

    test("what others do to a run is seen at once", async () => {
        const id = await pawl.startRun("hold");
        await pawl.until(id, "waiting");
        await open(id);
        await page.getByText(/Waits at 'nap'/).waitFor();
        await pawl.request("POST", `/v1/runs/${id}/cancel`, { reason: "by another" });
        await page.locator("header [data-status=cancelled]").waitFor();
        viewer.check();
    });

    test("a failed run shows its error, and runs again from a step with edited input", async () => {
        const id = await pawl.startRun("breaks", `{"order": ${big}}` as never).catch(() => "");
        assert.equal(id, "", "the input must be an object");
        const made = await pawl.request<{ id: string }>(
            "POST",
            "/v1/runs",
            `{"workflow": "breaks", "data": {"order": ${big}}}`,
        );
        await pawl.until(made.id, "failed");
        await open(made.id, "?step=second");
        await page
            .getByRole("complementary", { name: "second" })
            .getByText("failed as asked")
            .waitFor();
        // Of the run, and of the attempt.
        const traces = page.getByRole("link", { name: "Trace" });
        await eventually(async () => assert.equal(await traces.count(), 2));
        for (const link of await traces.all()) {
            const at = `https://traces.example.com/t/${made.id.replaceAll("-", "")}`;
            assert.equal(await link.getAttribute("href"), at);
        }
        await checkAccess(page);
        await shoot(page, "run-failed-light");
        await page.getByRole("button", { name: "Run again from “second”…" }).click();
        // Nothing is known of what it takes: there is a field for each part that it had.
        const dialog = page.getByRole("dialog");
        await dialog.locator(`input[value="${big}"]`).waitFor();
        await checkAccess(page);
        await shoot(page, "run-again-light");
        await dialog.getByText("JSON", { exact: true }).click();
        await dialog.getByRole("textbox", { name: "Input (JSON)" }).getByText(big).waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Start" }).click();
        await page.waitForURL((url) => !url.pathname.endsWith(made.id));
        const next = new URL(page.url()).pathname.split("/").at(-1)!;
        const text = await pawl.requestText("GET", `/v1/runs/${next}`);
        assert.ok(text.includes(`"parent":"${made.id}"`), text);
        assert.ok(text.includes(big), "the number stays exact");
        viewer.check();
    });

    test("what a workflow takes is asked for in fields, with what it had before", async () => {
        await pawl.request("POST", "/v1/workflows", greets);
        const rest = { note: hostile[1], "{{ x }}": hostile[3], list: hostile.slice(0, 2) };
        const data = { name: "Ann", order: { id: 0 }, total: 250, vip: false, ...rest };
        const text = JSON.stringify({ workflow: "greets", data }).replace(`"id":0`, `"id":${big}`);
        const { id } = await pawl.request<{ id: string }>("POST", "/v1/runs", text);
        await pawl.until(id, "completed");
        await open(id);
        await page.getByRole("button", { name: "Run again…" }).click();
        const dialog = page.getByRole("dialog", { name: "Run again" });
        const name = dialog.getByRole("textbox", { name: "Name", exact: true });
        await name.waitFor();
        assert.equal(await name.inputValue(), "Ann");
        // A number of 64 bits is shown as it is, and stays one.
        assert.equal(await dialog.getByRole("textbox", { name: "Id" }).inputValue(), big);
        assert.equal(await dialog.getByRole("textbox", { name: "Total" }).inputValue(), "250");
        await dialog.getByText("Used by hello").first().waitFor();
        await checkAccess(page);
        await shoot(page, "run-again-fields-light");
        await name.fill(hostile[0]!);
        await dialog.getByRole("textbox", { name: "Total" }).fill("1000.50");
        await dialog.getByLabel("Vip").check();
        await dialog.getByText("JSON", { exact: true }).click();
        const editor = dialog.getByRole("textbox", { name: "Input (JSON)" });
        await editor.getByText(`"total": 1000.5`).waitFor();
        await editor.getByText(big).waitFor();
        await dialog.getByText("Fields", { exact: true }).click();
        await turn(page, { width: 360, scheme: "dark" });
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "run-again-fields-dark-360");
        await turn(page, {});
        await dialog.getByRole("button", { name: "Start" }).click();
        await page.waitForURL((url) => !url.pathname.endsWith(id));
        const next = new URL(page.url()).pathname.split("/").at(-1)!;
        const made = await pawl.requestText("GET", `/v1/runs/${next}`);
        assert.ok(made.includes(`"id":${big}`), made);
        const { input } = JSON.parse(made) as { input: Record<string, unknown> };
        const order = { id: Number(big) };
        assert.deepEqual(input, { name: hostile[0], order, total: 1000.5, vip: true, ...rest });
        viewer.check();
    });

    test("a run is started by hand with the same fields", async () => {
        await go(page, "/workflows/greets");
        await page.getByRole("button", { name: "Start a run" }).click();
        const dialog = page.getByRole("dialog", { name: "Start a run" });
        await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("007");
        await dialog.getByRole("textbox", { name: "Id" }).fill(big);
        await dialog.getByRole("textbox", { name: "Total" }).fill("5");
        await checkAccess(page);
        await shoot(page, "workflow-start-light");
        await dialog.getByRole("button", { name: "Start a run" }).click();
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
        const id = new URL(page.url()).pathname.split("/").at(-1)!;
        const made = await pawl.requestText("GET", `/v1/runs/${id}`);
        assert.ok(made.includes(`"id":${big}`), made);
        const { input } = JSON.parse(made) as { input: unknown };
        assert.deepEqual(input, { name: "007", order: { id: Number(big) }, total: 5 });
        viewer.check();
    });

    test("retry continues where it failed", async () => {
        const id = await pawl.startRun("breaks");
        await pawl.until(id, "failed");
        await open(id);
        await page.locator("section").getByRole("button", { name: "Retry" }).click();
        await page.waitForURL((url) => !url.pathname.endsWith(id));
        viewer.check();
    });

    test("hostile data is shown as text in every view", async () => {
        const body = JSON.stringify({
            workflow: "order",
            data: hostileData,
            subject: hostile[0],
            correlation_id: hostile[1],
        });
        const { id } = await pawl.request<{ id: string }>("POST", "/v1/runs", body);
        await pawl.until(id, "waiting");
        for (const tab of ["timeline", "graph", "steps", "log", "data"]) {
            await open(id, `?tab=${tab}&step=reserve`);
            await page.locator(`[role=tab][data-active]`).waitFor();
            await page.getByRole("complementary", { name: "reserve" }).waitFor();
            if (tab !== "timeline") await checkAccess(page);
            await shoot(page, `run-hostile-${tab}`);
        }
        await page.getByText(hostile[2]!).first().waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        viewer.check();
    });

    test("the graph travels through the log", async () => {
        const id = await pawl.startRun("order");
        await pawl.until(id, "waiting");
        await open(id, "?tab=graph&at=0");
        const node = page.locator(".react-flow__node", { hasText: "reserve" });
        await node.getByText("running").waitFor();
        await page.keyboard.press("]");
        await node.getByText("retrying").waitFor();
        await page.getByRole("button", { name: "Now" }).click();
        await node.getByText("completed").waitFor();
        // Tab shows where it is.
        await page.keyboard.press("Tab");
        await node.focus();
        const ring = await node
            .locator("> *")
            .first()
            .evaluate((element) => getComputedStyle(element).outlineStyle);
        assert.equal(ring, "solid");
        await page.keyboard.press("Enter");
        const panel = page.getByRole("complementary", { name: "reserve" });
        await panel.waitFor();
        await page.keyboard.press("Escape");
        await panel.waitFor({ state: "detached" });
        viewer.check();
    });

    test("a run becomes a test case that passes", async () => {
        const failed = await pawl.startRun("breaks", { n: 1 });
        await pawl.until(failed, "failed");
        const done = await pawl.startRun("order", { n: 2 });
        await pawl.until(done, "waiting");
        await pawl.request("POST", `/v1/runs/${done}/signals`, {
            name: "paid",
            data: { by: "card" },
        });
        await pawl.until(done, "completed");
        for (const [id, name, steps] of [
            [failed, "breaks", breaks],
            [done, "order", order],
        ] as const) {
            await open(id, "?tab=steps");
            await page.getByRole("heading", { name }).waitFor();
            await page.locator("td [data-status=completed]").first().waitFor();
            await page.getByRole("button", { name: "More actions" }).click();
            const [saved] = await Promise.all([
                page.waitForEvent("download"),
                page.getByRole("menuitem", { name: "Export as a test case" }).click(),
            ]);
            const folder = mkdtempSync(`${tmpdir()}/pawl-ui-`);
            writeFileSync(`${folder}/${name}.yaml`, JSON.stringify({ name, steps }));
            writeFileSync(`${folder}/${name}.test.yaml`, readFileSync(await saved.path(), "utf8"));
            assert.match(pawl.command("test", `${folder}/${name}.yaml`), /✓ as run/);
            rmSync(folder, { recursive: true });
        }
        viewer.check();
    });

    test("when the server is gone the page says so, and recovers", async () => {
        const id = await pawl.startRun("hold");
        await pawl.until(id, "waiting");
        await open(id);
        await page.getByText(/Waits at 'nap'/).waitFor();
        await pawl.kill();
        await page
            .getByRole("alert")
            .getByText(/does not answer/)
            .waitFor();
        await shoot(page, "run-stale-light");
        await pawl.start();
        await page.getByRole("alert").waitFor({ state: "detached", timeout: 20_000 });
        viewer.problems.splice(0);
    });

    test("two runs side by side: where they part first", async () => {
        const small = await pawl.startRun("order", { total: 5 });
        const large = await pawl.startRun("order", { total: 7, ...hostileData });
        compared = large;
        for (const id of [small, large]) await pawl.until(id, "waiting");
        await pawl.request("POST", `/v1/runs/${small}/signals`, { name: "paid", data: {} });
        await pawl.request("POST", `/v1/runs/${large}/cancel`, { force: true });
        await pawl.until(small, "completed");
        await pawl.until(large, "cancelled");
        await open(small);
        await page.getByRole("button", { name: "More actions" }).click();
        await page.getByRole("menuitem", { name: "Compare with another run…" }).click();
        await page.getByRole("heading", { name: "Compare with another run of order" }).waitFor();
        await page.getByLabel("Id of the other run").fill(small);
        await page.getByRole("button", { name: "Compare" }).click();
        await page.getByText("This is the same run.").waitFor();
        await checkAccess(page);
        await shoot(page, "run-compare-choose-light");
        await page.getByRole("link", { name: large.slice(-8) }).click();
        await page.waitForURL(new RegExp(`with=${large}`));
        await page
            .getByText("The input differs at /total: 5 on the left, 7 on the right.")
            .waitFor();
        const row = (step: string) => page.locator(`[data-compared="${step}"]`);
        await row("paid").getByText("completed").waitFor();
        await row("ship").getByText("did not come here").waitFor();
        await page.getByText(hostile[0]!).first().waitFor();
        await checkAccess(page);
        await shoot(page, "run-compare-light");
        await page.getByRole("button", { name: "Swap sides" }).click();
        // The sides change their places, and so does what is found first.
        await page.getByText(/^The input differs at .* on the left, – on the right\.$/).waitFor();
        await page.getByLabel("Only what differs").check();
        await page.waitForURL(/only=1/);
        const alike = [await pawl.startRun("card"), await pawl.startRun("card")];
        for (const id of alike) await pawl.until(id, "completed");
        await go(page, `/runs/${alike[0]}/compare?with=${alike[1]}`);
        await page.getByText("Both took the same way with the same results.").waitFor();
        await go(page, `/runs/${small}/compare?with=00000000-0000-7000-8000-000000000000`);
        await page.getByRole("alert").first().waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        viewer.check();
    });

    test("narrow and dark", async () => {
        const id = await pawl.startRun("order");
        await pawl.until(id, "waiting");
        await open(id);
        await turn(page, { width: 360, scheme: "dark" });
        await page.getByRole("button", { name: "Send “paid”" }).waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "run-dark-360");
        await go(page, `/runs/${id}/compare?with=${compared}`);
        await page.getByRole("table", { name: "Steps" }).waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "run-compare-dark-360");
        viewer.check();
    });
});
