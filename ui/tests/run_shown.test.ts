import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { eventually, Pawl } from "./support/serve.ts";

// Nothing listens there.
const target = "http://127.0.0.1:9";

const order = [
    { name: "charge", call: { workflow: "card" } },
    { name: "paid", wait: { signal: "paid", timeout: "3d" } },
    { name: "nap", wait: "1s" },
    { name: "ship", code: "echo", input: { message: "shipped" } },
];

const goesOn = [
    {
        name: "try",
        code: "fail",
        input: { until_attempt: 9 },
        retry: { attempts: 1 },
        on_failure: "continue",
    },
    { name: "then", code: "echo", input: { message: "done" } },
];

describe("what a run's page shows", () => {
    const pawl = new Pawl([], { PAWL_ALLOW_OUTBOUND: "127.0.0.0/8" });
    const viewer = new Viewer();
    let page: Page;
    let done: string;
    before(async () => {
        await pawl.start();
        await pawl.define("card", [{ name: "capture", code: "echo", input: { message: "ok" } }]);
        await pawl.define("order", order);
        await pawl.define("goes_on", goesOn);
        await pawl.define("calls", [
            {
                name: "call",
                http: { url: `${target}/orders` },
                retry: { attempts: 50, base: "100ms", cap: "200ms" },
            },
        ]);
        await pawl.define("asks", [{ name: "ask", human: { title: "{{ title }}" } }]);
        page = await viewer.open();
        await signIn(page, pawl, "/");
        done = await pawl.startRun("order");
        await eventually(async () => {
            await pawl.request("POST", `/v1/runs/${done}/signals`, { name: "paid" });
        });
        await pawl.until(done, "completed");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const open = (id: string, query = "") => go(page, `/runs/${id}${query}`);

    test("a run that a target holds back leads to it, and lets it be called again", async () => {
        // One attempt alone opens no circuit: several runs do.
        const runs = await Promise.all([1, 2, 3, 4, 5, 6].map(() => pawl.startRun("calls")));
        const held = await eventually(async () => {
            for (const id of runs) {
                const why = await pawl.request<{ help: { code: string } }>(
                    "GET",
                    `/v1/runs/${id}/why`,
                );
                if (why.help.code === "look_at_target") return id;
            }
            throw new Error("no run is held back");
        });
        await open(held);
        const banner = page.locator("section[aria-live]");
        const again = banner.getByRole("button", { name: "Call it again" });
        await again.waitFor();
        await checkAccess(page);
        await shoot(page, "run-held-light");
        await again.click();
        const dialog = page.getByRole("dialog", { name: "Call it again" });
        await dialog.getByText(target).first().waitFor();
        await dialog.getByRole("button", { name: "Call it again" }).click();
        await dialog.waitFor({ state: "detached" });
        await banner.getByRole("link", { name: target }).click();
        await page.waitForURL(/\/operations\?.*item=/);
        await page.getByRole("dialog", { name: target }).waitFor();
        await page.getByRole("button", { name: "Call it again" }).waitFor();
        for (const id of runs) await pawl.request("POST", `/v1/runs/${id}/cancel`, { force: true });
        viewer.check();
    });

    test("a step that failed and was passed is said, and its edge is drawn as taken", async () => {
        const id = await pawl.startRun("goes_on");
        await pawl.until(id, "completed");
        await open(id, "?tab=graph");
        await page.getByText("Completed; 1 step failed and the run went on: try").waitFor();
        const edge = page.locator(".react-flow__edge-path").first();
        await eventually(async () => {
            assert.match((await edge.getAttribute("marker-end")) ?? "", /1fa463/);
        });
        await checkAccess(page);
        await shoot(page, "run-passed-failure-light");
        // Nothing failed: nothing is said.
        await open(done);
        await page.locator("header [data-status=completed]").waitFor();
        await page.getByRole("button", { name: "ship" }).waitFor();
        assert.equal(await page.locator("[data-passed]").count(), 0);
        viewer.check();
    });

    test("moments that are close together differ, and a wait for a signal has an end", async () => {
        await open(done, "?tab=log");
        const rows = page.locator("tbody tr");
        await rows.filter({ hasText: "ship" }).first().waitFor();
        const shown = await rows.locator("td:nth-child(2)").allTextContents();
        const times = await pawl.request<{ data: { at: string }[] }>(
            "GET",
            `/v1/runs/${done}/events`,
        );
        const ms = times.data.map(({ at }) => Date.parse(at));
        for (let i = 1; i < ms.length; ++i) {
            assert.equal(shown[i] === shown[i - 1], ms[i] === ms[i - 1], shown.join(" "));
        }
        const until = rows.filter({ hasText: '"until":' }).last().locator("button[title]");
        assert.match((await until.getAttribute("title")) ?? "", /^until: .*20\d\d/);
        await page.getByRole("tab", { name: "Steps" }).click();
        await page.locator("tr", { hasText: "paid" }).locator("time").waitFor();
        await page.getByRole("tab", { name: "Timeline" }).click();
        const track = page.locator("[class*=axis] [class*=track]");
        const box = (await track.boundingBox())!;
        const labels = await track.locator("span").allTextContents();
        assert.equal(new Set(labels).size, labels.length, labels.join(" "));
        const last = (await track.locator("span").last().boundingBox())!;
        assert.ok(last.x + last.width <= box.x + box.width + 20, "the last one is not cut off");
        await shoot(page, "run-ticks-light");
        viewer.check();
    });

    test("a step that called another run leads to it", async () => {
        await open(done, "?step=charge");
        const panel = page.getByRole("complementary", { name: "charge" });
        await panel.locator("[data-children]").getByRole("link").click();
        await page.waitForURL((url) => !url.pathname.endsWith(done));
        await page.getByRole("heading", { name: "card" }).waitFor();
        viewer.check();
    });

    test("a long text takes a few lines, with its button in sight", async () => {
        const id = await pawl.startRun("asks", { title: "Refund this order? ".repeat(500) });
        await pawl.until(id, "waiting");
        await open(id);
        const banner = page.locator("section[aria-live]");
        const decide = banner.getByRole("link", { name: "Decide it" });
        const inSight = async () => {
            const box = (await decide.boundingBox())!;
            assert.ok(box.y + box.height < page.viewportSize()!.height, JSON.stringify(box));
        };
        await decide.waitFor();
        await banner.getByRole("button", { name: "Show all of it" }).waitFor();
        await inSight();
        assert.ok((await banner.boundingBox())!.height < 200);
        await shoot(page, "run-long-light");
        await banner.getByRole("button", { name: "Show all of it" }).click();
        await banner.getByRole("button", { name: "Show less" }).waitFor();
        await inSight();
        await checkAccess(page);
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await banner.getByRole("button", { name: "แสดงทั้งหมด" }).waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "run-long-thai-dark-360");
        await turn(page, {});
        viewer.check();
    });

    test("the run that a run repeats is offered first for a comparison", async () => {
        const { id } = await pawl.request<{ id: string }>("POST", `/v1/runs/${done}/rerun`, {});
        for (let i = 0; i < 22; ++i) await pawl.startRun("order");
        await go(page, `/runs/${id}/compare`);
        const first = page.locator("li", { has: page.locator("a[href*='with=']") }).first();
        await first.getByText("This run repeats it").waitFor();
        await first.getByRole("link").click();
        await page.waitForURL((url) => url.searchParams.get("with") === done);
        viewer.check();
    });
});
