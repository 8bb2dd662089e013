import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
import { Sandbox } from "./support/sandbox.ts";
import { eventually, Pawl } from "./support/serve.ts";

const people = 24;

/** Half get a message, half wait; some have no address. */
const journey = (days: string) => ({
    name: "welcome",
    goal: { event: "bought" },
    nodes: [
        { id: "came", type: "trigger" },
        {
            id: "ab",
            split: {
                variants: [
                    { name: "now", share: 1 },
                    { name: "later", share: 1 },
                ],
            },
        },
        { id: "hello", message: { channel: "webhook", text: "Hi" } },
        { id: "rest", wait: days },
    ],
    edges: [
        { from: "came", to: "ab" },
        { from: "ab", to: "hello", handle: "now" },
        { from: "ab", to: "rest", handle: "later" },
    ],
});

/** Two waits, from which a purchase takes people out; a step sends by LINE, another by a webhook. */
const cart = {
    name: "cart",
    person: true,
    exit_on: [{ event: "paid" }],
    nodes: [
        { id: "made", type: "trigger" },
        { id: "an_hour", wait: { signal: "go", timeout: "30d" } },
        { id: "remind", message: { channel: "line", messages: [{ type: "text", text: "Hi" }] } },
        { id: "offer", message: { channel: "webhook", text: "5 % off" } },
        { id: "a_day", wait: "30d" },
    ],
    edges: [
        { from: "made", to: "an_hour" },
        { from: "an_hour", to: "remind" },
        { from: "remind", to: "offer" },
        { from: "offer", to: "a_day" },
    ],
};

describe("funnel", () => {
    process.env["PAWL_SECRET_KEY"] = Buffer.alloc(32, 1).toString("base64");
    process.env["PAWL_ALLOW_OUTBOUND"] = "127.0.0.0/8";
    const pawl = new Pawl();
    const viewer = new Viewer();
    const sandbox = new Sandbox();
    let provider: Server;
    let page: Page;
    before(async () => {
        await pawl.start();
        provider = createServer((request, response) => {
            request.resume();
            request.on("end", () => {
                response.setHeader("Content-Type", "application/json");
                response.end(JSON.stringify({ id: `ext-${Math.random()}` }));
            });
        });
        await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
        const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
        const account = "/v1/connectors/webhook/accounts/main";
        await pawl.request("PUT", account, { credentials: { secret } });
        await pawl.request("POST", "/v1/workflows", journey("30d"));
        await sandbox.start();
        await sandbox.join(pawl, "line");
        await pawl.request("POST", "/v1/workflows", cart);
        page = await viewer.open();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
        provider.close();
        sandbox.stop();
        delete process.env["PAWL_SECRET_KEY"];
        delete process.env["PAWL_ALLOW_OUTBOUND"];
    });

    const sql = (text: string): string =>
        execFileSync("psql", ["-Atc", text, pawl.databaseUrl], { encoding: "utf8" }).trim();
    const number = (text: string | null) => Number((text ?? "").replaceAll(",", ""));
    const stage = async (id: string) =>
        number(await page.locator(`[data-stage="${id}"] .numbers`).first().textContent());
    const enter = async (person: string, address: boolean) => {
        const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/send`;
        await pawl.request("PUT", `/v1/people/${encodeURIComponent(person)}`, {
            attributes: {},
            addresses: address ? { webhook: url } : {},
        });
        await pawl.startRun("welcome", {}, { subject: person });
    };

    test("an empty range says what would fill it", async () => {
        await signIn(page, pawl, "/workflows/welcome?tab=funnel");
        await page.getByText("No one entered in this range").waitFor();
        await checkAccess(page);
        viewer.check();
    });

    test("its numbers are those of the database", async () => {
        for (let i = 0; i < people; ++i) {
            const person = i === 0 ? hostile[0]! : `p${i % 20}`;
            await enter(person, i % 6 !== 0);
        }
        await eventually(async () => {
            assert.equal(await stage("entered"), people);
            assert.equal(
                (await stage("completed")) + number(await waitingAt("rest")),
                people,
                "all are at rest",
            );
        });
        const all = "(select subject from pawl.run union all select subject from pawl.live_run) x";
        assert.equal(await stage("entered"), Number(sql(`select count(*) from ${all}`)));
        assert.equal(
            await stage("people"),
            Number(sql(`select count(distinct subject) from ${all}`)),
        );
        const sent = "pawl.message where pawl.message_state_name(state) in ('sent', 'delivered')";
        assert.equal(await stage("sent"), Number(sql(`select count(*) from ${sent}`)));
        // Messages are no share of runs, of which one may send several.
        await page
            .locator('[data-stage="sent"]')
            .getByText(/^0\.\d+ a run$/)
            .waitFor();
        assert.equal(
            await stage("completed"),
            Number(sql("select count(*) from pawl.run where status = 1")),
        );
        const inside = await page.locator('[data-loss="inside"] .numbers').textContent();
        assert.equal(number(inside), Number(sql("select count(*) from pawl.live_run")));
        await checkAccess(page);
        await shoot(page, "funnel-light");
        viewer.check();
    });

    const waitingAt = async (node: string) =>
        /(\d+) wait/.exec(
            (await page.locator(`[data-node="${node}"] [role=img]`).getAttribute("aria-label")) ??
                "",
        )?.[1] ?? "0";

    test("rates say what they mean", async () => {
        await page.locator('[data-stage="converted"]').hover();
        await page.getByText("did what the workflow is for").waitFor();
        const before = await stage("converted");
        assert.equal(before, 0);
        await pawl.request("POST", "/v1/events", { name: "bought", key: "p1" });
        await eventually(async () => {
            await page.reload();
            await page.locator('[data-stage="converted"]').waitFor();
            assert.ok((await stage("converted")) > 0);
        });
        viewer.check();
    });

    test("a drop-off lists its people", async () => {
        await page.locator('[data-node="rest"]').click();
        await page.waitForURL(/at=rest/);
        const rows = page.locator("[role=grid] [role=row]:not([aria-rowindex='1'])");
        const wanted = number(await waitingAt("rest"));
        await eventually(async () => assert.equal(await rows.count(), wanted));
        const csv = await page.evaluate(async () => {
            const link = document.querySelector<HTMLAnchorElement>("aside a[download]")!;
            return (await fetch(link.href)).text();
        });
        assert.equal(csv.trim().split("\n").length, wanted + 1);
        await checkAccess(page);
        await shoot(page, "funnel-people-light");
        await page.getByRole("button", { name: "Close" }).click();
        viewer.check();
    });

    test("variants are compared with intervals, and it is too early to say", async () => {
        await page.getByRole("combobox", { name: "Compare" }).click();
        await page.getByRole("option", { name: "Variants" }).click();
        await page.waitForURL(/by=variant/);
        await page.getByText("Too early to say").first().waitFor();
        await page.locator('[data-arm="now"]').waitFor();
        await page.locator('[data-arm="later"]').waitFor();
        const shares = await page.locator("[data-arm]").allTextContents();
        assert.equal(shares.length, 2);
        await checkAccess(page);
        await shoot(page, "funnel-variants-light");
        viewer.check();
    });

    test("versions and channels are compared", async () => {
        await pawl.request("POST", "/v1/workflows", journey("31d"));
        await enter("late", true);
        await signIn(page, pawl, "/workflows/welcome?tab=funnel&by=version");
        await page.locator('[data-group="1"]').waitFor();
        await page.locator('[data-group="2"]').waitFor();
        await page.getByText("Too early to say").waitFor();
        await checkAccess(page);
        await signIn(page, pawl, "/workflows/welcome?tab=funnel&by=channel");
        await page.locator('[data-group="webhook"]').waitFor();
        await shoot(page, "funnel-channels-light");
        viewer.check();
    });

    const rows = () => page.locator("[role=grid] [role=row]:not([aria-rowindex='1'])");

    interface Counts {
        totals: { delivered: number };
        nodes: { node: string; entered: number; passed: number; waiting: number }[];
    }
    /** The counts are made a second or so behind the log. */
    const counted = (right: (found: Counts) => boolean) =>
        eventually(async () => {
            const found = await pawl.request<Counts>("GET", "/v1/workflows/cart/funnel");
            assert.ok(right(found), JSON.stringify(found.nodes));
        });

    test("a drop-off lists who left there, apart from people who wait", async () => {
        const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/send`;
        const runs: string[] = [];
        for (let i = 0; i < 6; ++i) {
            const line = `U${"0123456789abcdef".repeat(2).slice(0, 31)}${i}`;
            await pawl.request("PUT", `/v1/people/cart${i}`, {
                attributes: {},
                addresses: { webhook: url, line },
            });
            runs.push(await pawl.startRun("cart", {}, { subject: `cart${i}` }));
        }
        for (const run of runs) await pawl.until(run, "waiting");
        // Two leave at the first wait, one is cancelled there, one goes on; two still wait.
        for (const key of ["cart0", "cart1"]) {
            await pawl.request("POST", "/v1/events", { name: "paid", key });
        }
        await pawl.request("POST", `/v1/runs/${runs[2]}/cancel`, { reason: "asked" });
        await pawl.request("POST", `/v1/runs/${runs[3]}/signals`, { name: "go" });
        await pawl.until(runs[0]!, "completed");
        await pawl.until(runs[1]!, "completed");
        await pawl.until(runs[2]!, "cancelled");
        await counted(({ nodes }) => {
            const { entered, passed, waiting } = nodes.find((one) => one.node === "an_hour")!;
            return entered === 6 && passed === 1 && waiting === 2;
        });
        await signIn(page, pawl, "/workflows/cart?tab=funnel");
        const step = page.locator('[data-node="an_hour"]');
        await step.getByText("3 did not go on", { exact: true }).waitFor();
        await step.getByText("2 wait", { exact: true }).waitFor();
        await step.click();
        await page.waitForURL(/at=an_hour.*out=ended|out=ended.*at=an_hour/);
        await eventually(async () => assert.equal(await rows().count(), 3));
        for (const [person, how] of [
            ["cart0", "Exited"],
            ["cart1", "Exited"],
            ["cart2", "Cancelled"],
        ] as const) {
            await rows().filter({ hasText: person }).getByText(how).waitFor();
        }
        assert.equal(await page.getByRole("button", { name: "Take out" }).count(), 0);
        const csv = await page.evaluate(async () => {
            const link = document.querySelector<HTMLAnchorElement>("aside a[download]")!;
            return (await fetch(link.href)).text();
        });
        assert.equal(csv.trim().split("\n").length, 4);
        await checkAccess(page);
        await shoot(page, "funnel-left-light");
        await page.locator("aside").getByText("2 wait", { exact: true }).click();
        await eventually(async () => assert.equal(await rows().count(), 2));
        await rows().filter({ hasText: "cart4" }).waitFor();
        await page.getByRole("button", { name: "Take out" }).waitFor();
        await page.locator('[data-loss="exited"]').click();
        await page.waitForURL((to) => to.searchParams.get("out") === "exited");
        await eventually(async () => assert.equal(await rows().count(), 2));
        await page.getByRole("complementary", { name: "Exited" }).getByText("cart0").waitFor();
        await page.getByRole("button", { name: "Close" }).click();
        viewer.check();
    });

    test("rates are of the messages of channels that report", async () => {
        const sent = `pawl.message m join pawl.workflow w on w.id = m.workflow
            where w.name = 'cart' and pawl.message_state_name(m.state) = 'sent'`;
        await eventually(async () => assert.equal(sql(`select count(*) from ${sent}`), "2"));
        pawl.sql(`insert into pawl.message_fact
            (at, message, tenant, bucket, connector, account, provider_event_id, kind, xid)
            select now(), m.id, m.tenant, m.bucket, 'webhook', 'main', 'd' || m.id, 'delivered',
                   txid_current()
              from ${sent} and m.channel = 'webhook'`);
        await counted(({ totals }) => totals.delivered === 1);
        await signIn(page, pawl, "/workflows/cart?tab=funnel");
        const delivered = page.locator('[data-stage="delivered"]');
        await delivered.getByText("100%").waitFor();
        assert.equal(await stage("sent"), 2);
        await delivered.hover();
        await page.getByText("Of 1 message by channels that report it.").waitFor();
        const said = (node: string, kind: string) =>
            page.locator(`[data-node="${node}"] [data-kind="${kind}"]`);
        await said("remind", "delivered").getByText("Delivered –").waitFor();
        await said("remind", "opened").getByText("Opened –").waitFor();
        await said("offer", "delivered").getByText("Delivered 1 (100%)").waitFor();
        await go(page, "/workflows/cart?tab=funnel&by=channel");
        await page.locator('[data-group="line"]').getByText("LINE", { exact: true }).waitFor();
        await page.locator('[data-group="webhook"]').getByText("Webhook").waitFor();
        const track = page.locator('[data-group="line"] [data-stage="sent"] > span').nth(1);
        assert.ok((await track.boundingBox())!.width > 150, "the bars take the room there is");
        // A version has the same steps: LINE is left out of its rates as well.
        await go(page, "/workflows/cart?tab=funnel&by=version");
        await page.locator('[data-group="1"] [data-stage="delivered"]').getByText("100%").waitFor();
        viewer.check();
    });

    test("ranges are in the address, and CSV has the same counts", async () => {
        await signIn(page, pawl, "/workflows/welcome?tab=funnel");
        await page.getByText("7 d", { exact: true }).click();
        await page.waitForURL(/range=7d/);
        await page.getByRole("button", { name: "Days" }).click();
        await page.locator(".mantine-DatePicker-day:not([data-outside])").first().click();
        await page.locator(".mantine-DatePicker-day:not([data-outside])").nth(1).click();
        await page.waitForURL(/range=\d{4}-\d{2}-\d{2}\.\.\d{4}-\d{2}-\d{2}/);
        await page.getByText("All", { exact: true }).click();
        await page.waitForURL(/range=all/);
        await eventually(async () => assert.equal(await stage("entered"), people + 1));
        const csv = await page.evaluate(async () => {
            const link = [...document.querySelectorAll<HTMLAnchorElement>("a[download]")][0]!;
            return (await fetch(link.href)).text();
        });
        assert.ok(
            csv.split("\n").some((line) => line.includes(`entered,,${people + 1}`)),
            csv,
        );
        viewer.check();
    });

    test("it fits a phone, in Thai and dark", async () => {
        await go(page, "/workflows/welcome?tab=funnel");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.locator("[data-stage=entered]").waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "funnel-thai-dark-360");
        await go(page, "/workflows/welcome?tab=funnel&by=variant");
        await turn(page, { scheme: "dark" });
        await page.locator("[data-arm]").first().waitFor();
        await checkAccess(page);
        await shoot(page, "funnel-variants-dark");
        viewer.check();
    });
});
