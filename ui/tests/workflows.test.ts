import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

/** A wait that a signal or three days end, with a way out for each. */
const first = {
    name: "onboarding",
    triggers: [{ event: "signed_up", filter: { path: "data.plan", operator: "=", value: "pro" } }],
    nodes: [
        { id: "came", type: "trigger" },
        { id: "answer", type: "wait", config: { signal: "answered", timeout: "3d" } },
        { id: "thanks", type: "code", config: { function: "echo" } },
        { id: "remind", type: "code", config: { function: "echo" } },
    ],
    edges: [
        { from: "came", to: "answer" },
        { from: "answer", to: "thanks" },
        { from: "answer", to: "remind", handle: "timeout" },
    ],
};

describe("workflows", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await pawl.start();
        page = await viewer.open();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const tab = async (name: string) => {
        await page.getByRole("tab", { name, exact: true }).click();
    };
    const step = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
    const waiting = (id: string) => step(id).locator("[data-waiting]");
    const rows = () => page.locator("[role=grid] [role=row]:not([aria-rowindex='1'])");
    const panel = () => page.getByRole("complementary", { name: /^At / });
    const statusOf = async (id: string) =>
        (await pawl.request<{ status: string }>("GET", `/v1/runs/${id}`)).status;
    const runs: string[] = [];

    test("an empty list teaches how to fill it", async () => {
        await signIn(page, pawl, "/workflows");
        await page.getByText("No workflow yet").waitFor();
        await page.getByText("pawl workflows apply workflow.yaml").waitFor();
        await checkAccess(page);
        viewer.check();
    });

    test("the list has figures, filters that stay in the address, and a switch", async () => {
        await pawl.request("POST", "/v1/workflows", first);
        await pawl.define("breaks", [
            { name: "step", code: "fail", input: { until_attempt: 9 }, retry: { attempts: 1 } },
        ]);
        await pawl.define("plain", [{ name: "hello", code: "echo" }]);
        const failed = await pawl.startRun("breaks");
        await pawl.until(failed, "failed");
        for (const subject of ["ann", "bob", hostile[0]!]) {
            runs.push(await pawl.startRun("onboarding", {}, { subject }));
        }
        for (const id of runs) await pawl.until(id, "waiting");
        await page.reload();
        await page.getByRole("grid", { name: "Workflows" }).waitFor();
        await eventually(async () => assert.equal(await rows().count(), 3));
        const row = (name: string) => rows().filter({ hasText: name });
        await eventually(async () => {
            const { data } = await pawl.request<{
                data: { workflow: string; open: number; failed: number }[];
            }>("GET", "/v1/runs/rates/workflows?step=1h");
            const found = Object.fromEntries(data.map((one) => [one.workflow, one]));
            assert.deepEqual([found["onboarding"]?.open, found["breaks"]?.failed], [3, 1]);
        });
        await page.reload();
        await row("onboarding").getByText("3", { exact: true }).waitFor();
        await row("breaks").getByText("100%").waitFor();
        await row("breaks").getByRole("img", { name: "1 started and 1 failed" }).waitFor();
        await shoot(page, "workflows-light");
        await checkAccess(page);
        await page.getByLabel("Find a workflow").fill("onb");
        await page.waitForURL(/q=onb/);
        await eventually(async () => assert.equal(await rows().count(), 1));
        await page.getByLabel("Find a workflow").fill("signed_up");
        await eventually(async () => assert.equal(await rows().count(), 1));
        await page.getByLabel("Find a workflow").fill("nothing like that");
        await page.getByText("No workflow matches").waitFor();
        await page.getByRole("button", { name: "Clear the filters" }).click();
        const toggle = page.getByLabel("plain may be started");
        await toggle.click({ force: true });
        await page.getByText("plain is switched off").waitFor();
        await page.getByText("Off", { exact: true }).click();
        await page.waitForURL(/state=off/);
        await eventually(async () => assert.equal(await rows().count(), 1));
        const off = await pawl.request<{ switched_off: string }>("GET", "/v1/workflows/plain");
        assert.equal(off.switched_off, "switched off in the web UI");
        viewer.check();
    });

    test("the owner is set by hand, and the last change has a name", async () => {
        await go(page, "/workflows/onboarding");
        await page.getByText(/^changed by ui admin/).waitFor();
        await page.getByRole("button", { name: "Owner: No owner" }).click();
        await page.getByRole("textbox", { name: "Owner" }).fill(hostile[0]!);
        await checkAccess(page);
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("button", { name: `Owner: ${hostile[0]}` }).waitFor();
        await checkAccess(page);
        await go(page, "/workflows");
        await rows().filter({ hasText: hostile[0]! }).getByText("ui admin").waitFor();
        await shoot(page, "workflows-owner-light");
        viewer.check();
    });

    test("the canvas says who waits where, and follows", async () => {
        await page.goto(`${pawl.url}/workflows/onboarding`);
        await eventually(async () =>
            assert.equal(await waiting("answer").textContent(), "3 wait here"),
        );
        await page.getByText("3 runs are open").waitFor();
        runs.push(await pawl.startRun("onboarding", {}, { subject: "cid" }));
        await eventually(async () =>
            assert.equal(await waiting("answer").textContent(), "4 wait here"),
        );
        await checkAccess(page);
        await shoot(page, "workflow-graph-light");
        viewer.check();
    });

    test("people at a step are listed, let go on by a way, or taken out", async () => {
        await step("answer").click();
        await page.waitForURL(/at=answer/);
        await eventually(async () => assert.equal(await rows().count(), 4));
        await panel().getByText(hostile[0]!, { exact: true }).waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        await checkAccess(page);
        await shoot(page, "workflow-people-light");
        await rows().filter({ hasText: "bob" }).getByRole("checkbox").check();
        await panel().getByRole("button", { name: "Let go on" }).click();
        const dialog = page.getByRole("dialog", { name: "Let them go on" });
        await dialog.getByText("1 chosen run").waitFor();
        await dialog.getByLabel("By which way").click();
        await page.getByRole("option", { name: "timeout, to remind" }).click();
        await dialog.getByLabel("Reason").fill("the offer ends");
        await checkAccess(page);
        await dialog.getByRole("button", { name: "Let go on" }).click();
        await page.getByText("1 run was reached").waitFor();
        await pawl.until(runs[1]!, "completed");
        const { data } = await pawl.request<{ data: { type: string; step?: string }[] }>(
            "GET",
            `/v1/runs/${runs[1]}/events`,
        );
        assert.ok(data.some((event) => event.step === "remind"));
        assert.ok(!data.some((event) => event.step === "thanks"));
        await eventually(async () =>
            assert.equal(await waiting("answer").textContent(), "3 wait here"),
        );
        await eventually(async () => assert.equal(await rows().count(), 3));
        await panel().getByRole("button", { name: "Take out" }).click();
        const out = page.getByRole("dialog", { name: "Take them out" });
        await out.getByText("all 3 who wait here").waitFor();
        await out.getByLabel("Reason").fill("ended");
        await out.getByRole("button", { name: "Take out" }).click();
        await page.getByText("3 runs were reached").waitFor();
        for (const index of [0, 2, 3]) await pawl.until(runs[index]!, "cancelled");
        await eventually(async () => assert.equal(await waiting("answer").count(), 0));
        await page.getByText("No one waits here").waitFor();
        viewer.check();
    });

    test("a run is started by hand, with what is shown and nothing else", async () => {
        await page.getByRole("button", { name: "Start a run" }).click();
        const dialog = page.getByRole("dialog", { name: "Start a run" });
        await dialog.getByText("JSON", { exact: true }).click();
        const editor = dialog.getByRole("textbox", { name: "Input" });
        await editor.click();
        await page.keyboard.press("Control+a");
        await page.keyboard.type('{"total": 5');
        await page.keyboard.press("Delete");
        const start = dialog.getByRole("button", { name: "Start a run" });
        await eventually(async () => assert.ok(await start.isDisabled()));
        await page.keyboard.type("}");
        await eventually(async () => assert.ok(await start.isEnabled()));
        await dialog.getByText("Fields", { exact: true }).click();
        await dialog.getByRole("textbox", { name: "Total" }).waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        // Nothing is known of what it takes: values have the names that one gives them.
        await page.getByRole("button", { name: "Start a run" }).click();
        await dialog.getByRole("button", { name: "Add" }).click();
        await dialog.getByRole("textbox", { name: "Name of the value" }).fill("phone");
        await dialog.getByRole("textbox", { name: "Value", exact: true }).fill("0812345678");
        await dialog.locator('input[value="0812345678"]').waitFor();
        await checkAccess(page);
        await shoot(page, "workflow-start-free-light");
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        viewer.check();
    });

    test("runs of the workflow have their tab", async () => {
        await tab("Runs");
        await page.waitForURL(/tab=runs/);
        await eventually(async () => assert.equal(await rows().count(), 4));
        await page.getByRole("button", { name: /cancelled/i }).click();
        await page.waitForURL(/status=cancelled/);
        await eventually(async () => assert.equal(await rows().count(), 3));
        await checkAccess(page);
        viewer.check();
    });

    test("versions are compared, get shares, and take over open runs", async () => {
        const open = await pawl.startRun("onboarding", {}, { subject: "dot" });
        await pawl.until(open, "waiting");
        const second = structuredClone(first);
        second.nodes[1]!.id = "reply";
        second.edges[0]!.to = "reply";
        for (const edge of second.edges.slice(1)) edge.from = "reply";
        second.nodes[2]!.config = { function: "echo", input: { text: hostile[1] } } as never;
        await pawl.request("POST", "/v1/workflows", second);
        await page.goto(`${pawl.url}/workflows/onboarding?tab=versions`);
        await page.getByText("From version 1 to version 2").waitFor();
        await eventually(async () => {
            const marks = await page
                .locator(".react-flow__node > [data-mark]")
                .evaluateAll((all) => all.map((one) => one.getAttribute("data-mark")).sort());
            assert.deepEqual(marks, ["added", "changed", "removed"]);
        });
        const text = page.getByRole("group", { name: "As text" });
        await text.getByText("answer → thanks").waitFor();
        assert.ok(((await text.textContent()) ?? "").includes(hostile[1]!.replaceAll('"', '\\"')));
        await checkAccess(page);
        await shoot(page, "workflow-versions-light");
        const manage = (version: number) =>
            page.getByRole("button", { name: `Actions for version ${version}`, exact: true });
        await manage(2).click();
        await page.getByRole("menuitem", { name: "Move open runs here" }).click();
        const dialog = page.getByRole("dialog", { name: "Move open runs to version 2" });
        await dialog.getByRole("button", { name: "Look what it means" }).click();
        await dialog.getByText("1 would break").waitFor();
        await dialog.getByLabel("answer goes on at").click();
        await page.getByRole("option", { name: "reply", exact: true }).click();
        await dialog.getByRole("button", { name: "Look what it means" }).click();
        await dialog.getByText("1 go on").waitFor();
        await checkAccess(page);
        await dialog.getByRole("button", { name: "Move them" }).click();
        const moving = page.getByRole("dialog", { name: "Move open runs to version 2" });
        await moving.getByText("1 of 1").waitFor();
        await moving.getByRole("button", { name: "Close" }).last().click();
        await eventually(async () => {
            const run = await pawl.request<{ version: number }>("GET", `/v1/runs/${open}`);
            assert.equal(run.version, 2);
        });
        await manage(1).click();
        await page.getByRole("menuitem", { name: "Share of starts" }).click();
        await page.getByLabel("Percent").fill("25");
        await page.getByRole("button", { name: "Share of starts", exact: true }).click();
        await page.getByText("25% of starts").waitFor();
        viewer.check();
    });

    test("a version is rolled back to, and open runs go with it", async () => {
        const run = await pawl.startRun("onboarding", {}, { subject: "eve", version: 2 });
        await pawl.until(run, "waiting");
        await page.getByRole("button", { name: "Actions for version 1", exact: true }).click();
        await page.getByRole("menuitem", { name: "Roll back to this" }).click();
        const dialog = page.getByRole("dialog", { name: "Roll back to version 1" });
        await dialog.getByLabel("Move open runs of version 2 back too").check();
        await dialog.getByRole("button", { name: "Roll back" }).click();
        await page
            .getByRole("dialog", { name: "Roll back to version 1" })
            .getByText(/of 2/)
            .waitFor();
        const head = await pawl.request<{ version: number }>("GET", "/v1/workflows/onboarding");
        assert.equal(head.version, 1);
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
        viewer.check();
    });

    test("each event says why it did or did not start the workflow", async () => {
        await pawl.request("POST", "/v1/events", [
            { id: "e1", name: "signed_up", key: "fay", data: { plan: "pro" } },
            { id: "e2", name: "signed_up", key: hostile[0], data: { plan: "free" } },
        ]);
        await page.goto(`${pawl.url}/workflows/onboarding?tab=triggers`);
        await page.locator('[data-event="e1"][data-reason="started"]').waitFor();
        const not = page.locator('[data-event="e2"]');
        await not.getByText("data.plan").waitFor();
        assert.equal(await not.getAttribute("data-reason"), "filter");
        await not.getByText(hostile[0]!, { exact: true }).waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        await page.getByLabel("Only those that did not start it").check();
        await eventually(async () =>
            assert.equal(await page.locator('[data-event="e1"]').count(), 0),
        );
        await checkAccess(page);
        await shoot(page, "workflow-triggers-light");
        viewer.check();
    });

    test("an event is sent by hand, and why it started nothing is said in words", async () => {
        await page.getByRole("button", { name: "Send an event" }).click();
        const dialog = page.getByRole("dialog", { name: "Send an event" });
        await dialog.getByLabel("Key or subject").fill("gus");
        await checkAccess(page);
        await dialog.getByRole("button", { name: "Send an event" }).click();
        await dialog.waitFor({ state: "detached" });
        const sent = page.locator('[data-reason="filter"]').filter({ hasText: "gus" });
        await sent.getByText('data.plan = "pro"').waitFor();
        viewer.check();
    });

    test("test cases run, and the canvas shows what they reach", async () => {
        await tab("Tests");
        const editor = page.locator(".cm-content");
        await editor.click();
        const cases = [
            "tests:",
            "  - name: answered in time",
            "    events: [{after: 1h, signal: answered}]",
            "    expect: {status: completed, visited: [thanks]}",
            "  - name: wrong",
            "    expect: {status: failed}",
        ].join("\n");
        await page.evaluate((text) => navigator.clipboard.writeText(text), cases);
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("ControlOrMeta+v");
        await page.getByRole("button", { name: "Run the tests" }).click();
        await page.getByText("1 passed, 1 failed").waitFor();
        await page.getByText("expected").first().waitFor();
        const marks = async (mark: string) =>
            await page.locator(`.react-flow__node > [data-mark=${mark}]`).count();
        await eventually(async () => assert.equal(await marks("reached"), 4));
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByText("The test cases are saved").waitFor();
        await checkAccess(page);
        await shoot(page, "workflow-tests-light");
        await page.reload();
        await page.getByText("answered in time").waitFor();
        viewer.check();
    });

    test("the text is the one that the command line prints", async () => {
        await tab("Text");
        const printed = pawl.command("workflows", "show", "onboarding", "-o", "yaml");
        await page.getByRole("region", { name: "Text" }).getByText("name: onboarding").waitFor();
        await checkAccess(page);
        await page.getByRole("button", { name: "Copy" }).last().click();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        assert.equal(copied, printed);
        viewer.check();
    });

    test("every tab fits a phone, in Thai and dark", async () => {
        await go(page, "/workflows");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.getByRole("grid").waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "workflows-thai-dark-360");
        for (const name of ["graph", "runs", "funnel", "versions", "triggers", "tests", "text"]) {
            await go(page, `/workflows/onboarding?tab=${name}`);
            await page.locator(`[role=tab][aria-selected=true][id$="tab-${name}"]`).waitFor();
            await checkWidth(page);
            await checkAccess(page);
            await shoot(page, `workflow-${name}-thai-dark-360`);
        }
        viewer.check();
    });

    test("the tabs in the dark", async () => {
        // The colours are those of the phone.
        await turn(page, { scheme: "dark" });
        for (const name of ["graph", "versions", "triggers", "tests"]) {
            await go(page, `/workflows/onboarding?tab=${name}`);
            await page.locator(`[role=tab][aria-selected=true][id$="tab-${name}"]`).waitFor();
            await shoot(page, `workflow-${name}-dark`);
        }
        viewer.check();
    });

    test("a viewer sees no switch to turn and no one to move", async () => {
        const scopes = ["runs:read", "workflows:read", "events:read"];
        const key = pawl.createKey(...scopes);
        const reader = await viewer.open();
        await signIn(reader, pawl, "/workflows/onboarding?at=answer", key);
        await reader.getByRole("tab", { name: "Graph" }).waitFor();
        assert.equal(await reader.getByRole("button", { name: "Take out" }).count(), 0);
        assert.equal(await reader.getByRole("button", { name: "Edit" }).count(), 0);
        assert.ok(await reader.getByLabel("onboarding may be started").isDisabled());
        assert.ok((await statusOf(runs[0]!)) === "cancelled");
        viewer.check();
    });
});
