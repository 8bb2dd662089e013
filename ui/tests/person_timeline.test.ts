import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

const secret = Buffer.alloc(32, 7);

describe("the timeline of a person", () => {
    const pawl = new Pawl([], {
        PAWL_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
        PAWL_ALLOW_OUTBOUND: "127.0.0.0/8",
    });
    const viewer = new Viewer();
    let provider: Server;
    let page: Page;
    let address: string;
    let hook: string;
    before(async () => {
        await pawl.start();
        provider = createServer((request, response) => {
            request.resume();
            request.on("end", () => {
                response.setHeader("Content-Type", "application/json");
                response.end(JSON.stringify({ id: "sent-1" }));
            });
        });
        await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
        address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/send`;
        const account = await pawl.request<{ hook_url: string }>(
            "PUT",
            "/v1/connectors/webhook/accounts/main",
            { credentials: { secret: `whsec_${secret.toString("base64")}` } },
        );
        hook = pawl.api + new URL(account.hook_url, pawl.api).pathname;
        await pawl.request("PUT", "/v1/people/ann", {
            attributes: { first_name: "Ann" },
            addresses: { webhook: address },
        });
        await pawl.define("welcome", [
            { name: "hello", message: { channel: "webhook", text: "Hi" } },
        ]);
        page = await viewer.open();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
        provider.close();
    });

    /** What the provider says of the message, signed as it does. */
    const tell = async (word: string, data: object) => {
        const id = randomUUID();
        const at = Math.floor(Date.now() / 1000);
        const body = JSON.stringify({
            type: `message.${word}`,
            timestamp: new Date().toISOString(),
            data: { external_id: "sent-1", address, ...data },
        });
        const signature = createHmac("sha256", secret).update(`${id}.${at}.${body}`);
        const response = await fetch(hook, {
            method: "POST",
            headers: {
                "webhook-id": id,
                "webhook-timestamp": `${at}`,
                "webhook-signature": `v1,${signature.digest("base64")}`,
                "Content-Type": "application/json",
            },
            body,
        });
        assert.equal(response.status, 200, await response.text());
    };
    const items = () => page.locator(".mantine-Timeline-item");

    test("what the person did is said in words, with the events that came", async () => {
        const run = await pawl.startRun("welcome", {}, { subject: "ann" });
        await pawl.until(run, "completed");
        await tell("opened", {});
        await tell("clicked", { url: "https://shop.example/sale?id=1" });
        await tell("replied", { text: hostile[0] });
        const published = await fetch(`${pawl.api}/v1/events`, {
            method: "POST",
            headers: {
                Authorization: `Bearer ${pawl.key}`,
                "Content-Type": "application/cloudevents+json",
            },
            body: JSON.stringify({
                specversion: "1.0",
                id: "c1",
                type: "cart.abandoned",
                source: "/shop",
                subject: "ann",
                data: { total: 90, note: hostile[1] },
            }),
        });
        assert.ok(published.ok, await published.text());
        await pawl.request("POST", "/v1/events", { name: "cart.abandoned", key: "bob", data: {} });
        await signIn(page, pawl, "/people/ann");
        await items().getByText("Event cart.abandoned", { exact: true }).waitFor();
        assert.equal(await items().getByText("Event cart.abandoned").count(), 1);
        await items()
            .filter({ hasText: "Event cart.abandoned" })
            .getByText(/"total":90/)
            .waitFor();
        await items().getByText("from /shop").waitFor();
        await items().getByRole("link", { name: "Opened the message" }).waitFor();
        await items()
            .filter({ hasText: "Clicked a link" })
            .getByText("https://shop.example/sale?id=1", { exact: true })
            .waitFor();
        await items()
            .filter({ hasText: "Wrote back" })
            .getByText(hostile[0]!, { exact: true })
            .waitFor();
        // The event came last: it stands first.
        await items().first().getByText("Event cart.abandoned").waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        await checkAccess(page);
        await shoot(page, "person-timeline-light");
        viewer.check();
    });

    test("the provider's id of a message leads to it", async () => {
        await page.keyboard.press("Control+k");
        await page.getByPlaceholder("Paste an id, or type where to go").fill("sent-1");
        const found = page.locator("[data-action]").first();
        await found.getByText("Message", { exact: true }).waitFor();
        await found.getByText(/^webhook · /).waitFor();
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/messages\/[0-9a-f-]{36}/);
        await go(page, "/people/ann");
        await items().first().waitFor();
        viewer.check();
    });

    test("only events are shown when they are asked for", async () => {
        await page.getByText("Events", { exact: true }).click();
        await page.waitForURL(/show=event/);
        await eventually(async () => assert.equal(await items().count(), 1));
        await page.getByText("What became of them", { exact: true }).click();
        await eventually(async () => assert.equal(await items().count(), 3));
        viewer.check();
    });

    test("events that are older than the first page come with it", async () => {
        const events = Array.from({ length: 150 }, (_, nth) => ({
            name: "page.seen",
            key: "ann",
            data: { nth },
        }));
        await pawl.request("POST", "/v1/events", events);
        await go(page, "/people");
        await go(page, "/people/ann");
        await page.reload();
        // The message is older than what was read of the events: it is not shown before them.
        await eventually(async () => assert.equal(await items().count(), 100));
        assert.equal(await items().getByText("Wrote back").count(), 0);
        await page.getByRole("button", { name: "Older" }).click();
        await items().getByText("Wrote back").waitFor();
        // 150 and the one of the shop, three facts, the message and the run.
        await eventually(async () => assert.equal(await items().count(), 156));
        assert.equal(await page.getByRole("button", { name: "Older" }).count(), 0);
        viewer.check();
    });

    test("who may not read events sees what else happened", async () => {
        const other = await viewer.open();
        await signIn(other, pawl, "/people/ann", pawl.createKey("runs:read"));
        await other.getByText("Wrote back").waitFor();
        assert.equal(await other.getByText("Event page.seen").count(), 0);
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        await go(page, "/people/ann?show=fact");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.getByRole("button", { name: "เก่ากว่า" }).click();
        await items().getByText("ตอบกลับ").waitFor();
        await items().getByText("คลิกลิงก์").waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "person-timeline-thai-dark-360");
        viewer.check();
    });
});
