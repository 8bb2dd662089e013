import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { Dev } from "./support/dev.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

interface Account {
    credentials: object;
    settings: object;
}

/** Opens an account at the sandbox and connects it. */
async function connect(dev: Dev, provider: string): Promise<void> {
    const there = `/sandbox/accounts/${provider}/shop`;
    const { credentials, settings } = await dev.request<Account>("PUT", there, {});
    const ours = `/v1/connectors/${provider}/accounts/shop`;
    const account = await dev.request<{ hook_url?: string }>("PUT", ours, {
        credentials,
        settings,
    });
    if (account.hook_url) await dev.request("PUT", there, { hook_url: account.hook_url });
}

describe("templates and the sandbox inbox", () => {
    const dev = new Dev();
    const viewer = new Viewer();
    let page: Page;
    before(async () => {
        await dev.start();
        for (const provider of ["resend", "twilio", "line", "fcm"]) await connect(dev, provider);
        await dev.request("PUT", "/v1/people/ann", {
            attributes: { first_name: "Ann" },
            addresses: { email: "ann@customers.example" },
            locale: "th",
        });
        page = await viewer.open();
    });
    after(async () => {
        await viewer.close();
        await dev.stop();
    });

    const field = (name: string) => page.getByRole("textbox", { name, exact: true });
    const type = async (name: string, text: string) => {
        await field(name).click();
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText(text);
    };
    const save = () => page.getByRole("button", { name: "Save", exact: true });

    test("the sandbox inbox is empty at first, and says what fills it", async () => {
        await signIn(page, dev, "/messages/sandbox");
        await page.getByText("Nothing was sent to the sandbox yet").waitFor();
        await checkAccess(page);
        viewer.check();
    });

    test("a template is written, previewed and saved", async () => {
        await page.getByRole("link", { name: "Templates" }).click();
        await page.getByText("No template yet").waitFor();
        await page.getByRole("button", { name: "New template" }).first().click();
        await page.getByLabel("Name").fill("welcome");
        await page.getByRole("button", { name: "Write it" }).click();
        await page.waitForURL("**/messages/templates/welcome");
        await field("Subject").fill("Welcome, {{ user.first_name }}");
        await type(
            "HTML",
            '<style>h1 {color: #b03}</style><h1>Hi {{ user.first_name }}</h1><p style="color: #070">Green</p>' +
                "<img src=https://elsewhere.example/x.png alt=Logo><script>window.hacked=1</script>" +
                '<a href="https://shop.example">Shop</a>',
        );
        const mail = page.frameLocator("iframe[title='The mail']");
        await mail.getByRole("heading", { name: "Hi Ann" }).waitFor();
        await mail.getByText("Logo").waitFor();
        assert.equal(await mail.locator("script, img, [style], [href]").count(), 0);
        const green = await mail
            .getByText("Green")
            .evaluate((element) => getComputedStyle(element).color);
        assert.equal(green, "rgb(0, 119, 0)");
        await checkAccess(page);
        await shoot(page, "template-light");
        viewer.check();
    });

    test("an unknown placeholder is shown where it is, and is not saved", async () => {
        await page.getByRole("tab", { name: "Text" }).click();
        await type("Text of SMS and LINE, and of mail without HTML", "Hi {{ usr.first_name }}");
        await page.getByText("It cannot be saved like this").waitFor();
        await page.locator(".cm-lintRange-error", { hasText: "usr.first_name" }).waitFor();
        assert.ok(await save().isDisabled());
        await checkAccess(page);
        await shoot(page, "template-wrong-light");
        await type(
            "Text of SMS and LINE, and of mail without HTML",
            "Hi {{ user.first_name }}, welcome to the shop with the long name.",
        );
        await page.getByText("1 SMS · 47 characters · GSM7").waitFor();
        await page.getByRole("tab", { name: "LINE" }).click();
        await type("Messages of LINE, as JSON", '[{"type": "text"');
        await page.getByText("is not JSON").first().waitFor();
        assert.ok(await save().isDisabled());
        const flex = {
            type: "flex",
            altText: "Hi",
            contents: {
                type: "bubble",
                body: {
                    type: "box",
                    layout: "vertical",
                    contents: [
                        { type: "text", text: "Hi {{ user.first_name }}", weight: "bold" },
                        { type: "text", text: hostile[0], color: "#cc0000" },
                    ],
                },
                footer: {
                    type: "box",
                    layout: "vertical",
                    contents: [
                        {
                            type: "button",
                            style: "primary",
                            action: {
                                type: "uri",
                                label: "To the shop",
                                uri: "https://shop.example",
                            },
                        },
                    ],
                },
            },
        };
        await type("Messages of LINE, as JSON", JSON.stringify([flex]));
        await page.getByText("To the shop", { exact: true }).waitFor();
        await page.getByText("Hi Ann", { exact: true }).waitFor();
        await page.getByText(hostile[0]!, { exact: true }).waitFor();
        await shoot(page, "template-line-light");
        await page.getByRole("tab", { name: "Push" }).click();
        await field("Title").fill("Hello");
        await type("Text", "Come in, {{ user.first_name }}");
        await page.getByText("Come in, Ann").waitFor();
        await checkAccess(page);
        viewer.check();
    });

    test("languages are added, and each is saved", async () => {
        await page.getByRole("button", { name: "Add a language" }).click();
        await page.getByRole("textbox", { name: "Language" }).fill("th");
        await page.getByRole("button", { name: "Add", exact: true }).click();
        await page.waitForURL(/language=th/);
        await page.getByRole("tab", { name: "Text" }).click();
        await type("Text of SMS and LINE, and of mail without HTML", "สวัสดี {{ user.first_name }}");
        await page.getByText("สวัสดี Ann", { exact: true }).waitFor();
        await page.getByText("1 SMS · 10 characters · UCS2").waitFor();
        // By a part of the address; the field says who it is.
        const reader = page.getByRole("combobox", { name: "For the person" });
        await reader.fill("ann@customers");
        await reader.press("Enter");
        await page.waitForURL(/person=ann(&|$)/);
        await eventually(async () => assert.equal(await reader.inputValue(), "Ann"));
        await page.waitForURL(/person=ann/);
        await save().click();
        await page.getByText("Saved as version 1").waitFor();
        const kept = await dev.request<{ languages: Record<string, { text: string }> }>(
            "GET",
            "/v1/templates/welcome",
        );
        assert.equal(kept.languages["th"]?.text, "สวัสดี {{ user.first_name }}");
        viewer.check();
    });

    test("a test goes to the sandbox, and is seen there", async () => {
        await go(page, "/messages/templates/welcome?language=en");
        const send = async (channel: string, to: string) => {
            await page.getByRole("button", { name: "Send a test" }).click();
            const dialog = page.getByRole("dialog");
            await dialog.getByRole("combobox", { name: "Channel" }).click();
            await page.getByRole("option", { name: channel }).click();
            await dialog.getByLabel("Address").fill(to);
            await dialog.getByRole("button", { name: "Send", exact: true }).click();
            await dialog.locator("[data-status=sent]").waitFor();
            if (channel === "email") await checkAccess(page);
            await dialog.getByRole("button", { name: "Close" }).last().click();
            await dialog.waitFor({ state: "detached" });
        };
        await send("line", `U${"0123456789abcdef".repeat(2)}`);
        await send("push", "device-0123456789abcdef0123456789abcdef01234567");
        await send("sms", "+66812345678");
        await send("email", "me@shop.example");
        await page.getByRole("link", { name: "Messages" }).first().click();
        await page.getByRole("link", { name: "Sandbox inbox" }).click();
        const list = page.getByRole("list", { name: "Sandbox inbox" });
        await eventually(async () => assert.equal(await list.getByRole("listitem").count(), 4));
        const mail = page.frameLocator("iframe[title='The mail']");
        await mail.getByRole("heading", { name: "Hi Ann" }).waitFor();
        await page.getByText("Welcome, Ann").first().waitFor();
        await checkAccess(page);
        await shoot(page, "sandbox-mail-light");
        await list.getByRole("button").filter({ hasText: "+66812345678" }).click();
        await page.getByText("Hi Ann, welcome to the shop with the long name.").last().waitFor();
        await list.getByRole("button").filter({ hasText: "line" }).click();
        await page.getByText("To the shop", { exact: true }).waitFor();
        await shoot(page, "sandbox-line-light");
        await list.getByRole("button").filter({ hasText: "fcm" }).click();
        await page.getByText("Come in, Ann").waitFor();
        await page.getByRole("button", { name: "Show the request" }).click();
        await page.getByText('"Come in, Ann"').waitFor();
        await checkAccess(page);
        viewer.check();
    });

    test("a new version is one more, and an old one can be brought back", async () => {
        await go(page, "/messages/templates/welcome");
        await field("Subject").fill("Hello, {{ user.first_name }}");
        // What is not saved is not left behind without a word.
        await page.getByRole("combobox", { name: "Category" }).waitFor();
        await page.getByRole("tab", { name: "Text" }).click();
        await page.getByRole("tab", { name: "Email" }).click();
        await page.getByRole("link", { name: "Templates" }).first().click();
        const asked = page.getByRole("dialog", { name: "What you changed is not saved" });
        await checkAccess(page);
        await asked.getByRole("button", { name: "Stay here" }).click();
        await asked.waitFor({ state: "detached" });
        assert.equal(await field("Subject").inputValue(), "Hello, {{ user.first_name }}");
        await eventually(async () => assert.ok(await save().isEnabled()));
        await save().click();
        await page.getByText("Saved as version 2").waitFor();
        await page.getByRole("combobox", { name: "Version" }).click();
        await page.getByRole("option", { name: "1", exact: true }).click();
        await page.waitForURL(/version=1/);
        await page.getByText("This is version 1. Saving makes it the newest one.").waitFor();
        assert.equal(await field("Subject").inputValue(), "Welcome, {{ user.first_name }}");
        await eventually(async () => assert.ok(await save().isEnabled()));
        await save().click();
        await page.getByText("Saved as version 3").waitFor();
        viewer.check();
    });

    test("hostile mail stays in its frame", async () => {
        const html = hostile.map((text) => `<p>${text}</p>`).join("");
        const styles =
            "<style>@import url(https://x.example/a.css); body{background:url(https://x.example/b)}</style>" +
            "<meta http-equiv=refresh content='0;url=https://x.example'>" +
            "<form action=https://x.example><button>Send</button></form>" +
            "<svg onload=window.hacked=1></svg><a href='javascript:window.hacked=1'>click</a>" +
            "<p style='background:url(https://x.example/c)}</style><script>window.hacked=1</script>'>x</p>";
        await dev.request("PUT", "/v1/templates/hostile", {
            languages: { en: { subject: hostile[0], html: styles + html.replaceAll("{{", "{ {") } },
        });
        await go(page, "/messages/templates/hostile");
        const mail = page.frameLocator("iframe[title='The mail']");
        await mail.getByText("click").waitFor();
        await mail.getByText("click").click();
        assert.equal(await mail.locator("script, svg, meta[http-equiv], [href], [src]").count(), 0);
        await page.getByText(hostile[0]!, { exact: true }).first().waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        assert.equal(
            page.frames().every((frame) => !frame.url().includes("x.example")),
            true,
        );
        viewer.check();
    });

    test("a skipped message says why, and filters stay in the address", async () => {
        await dev.request("PUT", "/v1/people/bob", { attributes: { first_name: "Bob" } });
        await dev.request("POST", "/v1/workflows", {
            name: "greet",
            steps: [{ name: "mail", message: { channel: "email", template: "welcome" } }],
        });
        await go(page, "/messages");
        const rows = page.locator("[role=grid] [role=row][aria-rowindex]");
        await eventually(async () => assert.equal(await rows.count(), 5));
        await dev.request("POST", "/v1/runs", { workflow: "greet", subject: "bob" });
        await page.getByRole("button", { name: "1 new" }).click();
        await eventually(async () => assert.equal(await rows.count(), 6));
        await page.getByRole("combobox", { name: "State" }).click();
        await page.getByRole("option", { name: "skipped" }).click();
        await page.waitForURL(/state=skipped/);
        // By name; the list says who it is, the address keeps the key.
        const person = page.getByRole("combobox", { name: "Person: name or address" });
        await person.fill("Bob");
        await page.keyboard.press("Enter");
        await page.waitForURL(/person=bob/);
        assert.equal(await person.inputValue(), "Bob");
        await eventually(async () => assert.equal(await rows.count(), 2));
        // A field for the person and one for the workflow, whatever they hold.
        assert.equal(await page.getByRole("textbox").count(), 1);
        await rows.nth(1).locator('[title="bob"]', { hasText: "Bob" }).waitFor();
        // The word of the server is what the pointer shows.
        await page.locator('[title="no_address"]', { hasText: "no address" }).waitFor();
        await shoot(page, "messages-light");
        await rows.nth(1).click();
        await page.waitForURL(/messages\/[0-9a-f-]{36}\?/);
        const dialog = page.getByRole("dialog");
        await dialog.getByText("Why did Bob not get it?").waitFor();
        await dialog.getByText("There is no address for email, or the person is gone.").waitFor();
        await checkAccess(page);
        await shoot(page, "message-light");
        await page.keyboard.press("Escape");
        await person.fill("ann@customers");
        await page.getByRole("option", { name: /Ann/ }).click();
        await page.waitForURL(/person=ann/);
        await person.fill(hostile[0]!);
        await page.keyboard.press("Enter");
        await page.getByText("No message matches").waitFor();
        viewer.check();
    });

    test("a sent message shows what it said, in a frame without script", async () => {
        await dev.request("POST", "/v1/runs", { workflow: "greet", subject: "ann" });
        const sent = await eventually(async () => {
            const path = "/v1/messages?person=ann&workflow=greet";
            const { data } = await dev.request<{ data: { id: string; sent_at: string | null }[] }>(
                "GET",
                path,
            );
            assert.ok(data[0]?.sent_at);
            return data[0];
        });
        await go(page, `/messages/${sent.id}`);
        const said = page.getByRole("dialog").locator("[data-content]");
        await said.getByText("Ann").first().waitFor();
        await said.locator('iframe[sandbox=""]').waitFor();
        await checkAccess(page);
        await shoot(page, "message-content-light");
        await page.keyboard.press("Escape");
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        await go(page, "/messages/templates/welcome");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.locator("iframe").waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "template-thai-dark-360");
        await go(page, "/messages/sandbox");
        await page.getByRole("listitem").first().waitFor();
        await checkAccess(page);
        await shoot(page, "sandbox-thai-dark-360");
        await page.getByRole("listitem").first().getByRole("button").click();
        await page.locator("iframe").waitFor();
        await checkWidth(page);
        await page.getByRole("combobox", { name: "แจ้ง hook ของบัญชี" }).click();
        await page.getByRole("option", { name: "ร้องเรียน" }).click();
        await page.locator("[data-status=complained]").getByText("ร้องเรียน").waitFor();
        await shoot(page, "sandbox-mail-thai-dark-360");
        viewer.check();
    });
});

describe("messages without a sandbox", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    test("the inbox says that there is none", async () => {
        await pawl.start();
        const page = await viewer.open();
        await signIn(page, pawl, "/messages/sandbox");
        await page.getByText("There is no sandbox here").waitFor();
        await checkAccess(page);
        viewer.check();
    });
});
