import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page, Response } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { go, pressOn, shoot, signIn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl, root } from "./support/serve.ts";

describe("shell", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let run = "";
    before(async () => {
        await pawl.start();
        await pawl.define("waits", [{ name: "paid", wait: { signal: "paid", timeout: "3d" } }]);
        run = await pawl.startRun("waits", {}, { correlation_id: "order-7001" });
        await pawl.until(run, "waiting");
        page = await viewer.open();
        await signIn(page, pawl, "/");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    /** Types into Ctrl+K. */
    const search = async (text: string) => {
        const field = page.getByPlaceholder("Paste an id, or type where to go");
        // The keys are heard once the shell is there, which a slow machine may take its time for.
        await eventually(async () => {
            await page.keyboard.press("Control+k");
            await field.waitFor({ timeout: 2_000 });
        });
        await field.fill(text);
    };

    test("a pasted id leads to what it names", async () => {
        for (const text of [run, "order-7001"]) {
            await search(text);
            const found = page.getByRole("button", { name: /waits · waiting/ }).first();
            await found.waitFor();
            await page.keyboard.press("Enter");
            await page.waitForURL(`**/runs/${run}`);
            await page.getByRole("link", { name: "Home" }).click();
            await page.waitForURL((url) => url.pathname === "/");
        }
        viewer.check();
    });

    test("a pasted fingerprint leads to the runs that failed alike", async () => {
        const step = { name: "step", transform: { jq: `error(${JSON.stringify(hostile[0])})` } };
        await pawl.define("breaks", [step]);
        await pawl.until(await pawl.startRun("breaks"), "failed");
        const { data } = await pawl.request<{ data: { fingerprint: string }[] }>(
            "GET",
            "/v1/dead-letters/groups",
        );
        await search(data[0]!.fingerprint);
        await page.getByRole("button", { name: /^breaks · / }).waitFor();
        await page.keyboard.press("Enter");
        await page.waitForURL(`**/failures?group=${data[0]!.fingerprint}`);
        await page.getByRole("dialog").getByText(hostile[0]!).first().waitFor();
        await page.keyboard.press("Escape");
        viewer.check();
    });

    /** What is found for a text, and how many questions were answered with an error. */
    const findings = async (text: string) => {
        let refused = 0;
        const count = (response: Response) => {
            if (response.status() >= 400) refused++;
        };
        page.on("response", count);
        await search(text);
        // The list of what is found is above all others.
        const found = page.locator("[data-action]").first();
        await found.getByText(/Run|Person|Message|Runs about/).waitFor();
        page.off("response", count);
        const said = await found.evaluate((element) =>
            [...element.querySelectorAll("span, div")]
                .filter((part) => part.children.length === 0)
                .map((part) => part.textContent),
        );
        await page.keyboard.press("Enter");
        return { said, refused };
    };

    test("what rows show of an id leads to its run, in Ctrl+K and in the list", async () => {
        for (const part of [run.slice(-8), run.slice(-8).toUpperCase(), run.slice(0, 18)]) {
            await go(page, "/");
            const { said, refused } = await findings(part);
            assert.deepEqual(said, ["waits · waiting", "Run"]);
            assert.equal(refused, 0);
            await page.waitForURL(`**/runs/${run}`);
        }
        await go(page, "/runs");
        const box = page.getByRole("textbox", { name: "Filter runs" });
        await box.fill("00000000");
        await box.press("Enter");
        await page.getByText("No run has “00000000” in its id").waitFor();
        await box.fill(run.slice(-8));
        await box.press("Enter");
        await page.waitForURL(`**/runs/${run}`);
        viewer.check();
    });

    test("addresses, names, subjects and ids of providers lead to what has them", async () => {
        const attributes = { first_name: "Ann", last_name: "Ayutthaya" };
        const addresses = { email: "ann@siam.example", sms: "+66812345678" };
        await pawl.request("PUT", "/v1/people/7f3a-ann", { attributes, addresses });
        for (const text of ["ann@siam.example", "+66812345678", "Ayutthaya"]) {
            const { said, refused } = await findings(text);
            assert.deepEqual(said, ["Ann Ayutthaya · 7f3a-ann", "Person"]);
            assert.equal(refused, 0);
            await page.waitForURL("**/people/7f3a-ann");
        }
        await pawl.startRun("waits", {}, { subject: "order:b/77" });
        const { said, refused } = await findings("order:b/77");
        assert.deepEqual(said, ["order:b/77", "Runs about this subject"]);
        assert.equal(refused, 0);
        await page.waitForURL((url) => url.searchParams.get("subject") === "order:b/77");
        viewer.check();
    });

    test("what names nothing is no error", async () => {
        await go(page, "/");
        let refused = 0;
        const count = (response: Response) => {
            if (response.status() >= 400) refused++;
        };
        page.on("response", count);
        for (const text of ["no-such-thing", "0123abcd", "who@example.com"]) {
            await search(text);
            await page.getByText("Nothing found").waitFor();
            await page.keyboard.press("Escape");
            await page.getByText("Nothing found").waitFor({ state: "detached" });
        }
        page.off("response", count);
        assert.equal(refused, 0);
        viewer.check();
    });

    test("keys lead to every page, and the sheet shows them", async () => {
        await page.keyboard.press("g");
        await page.keyboard.press("r");
        await page.waitForURL("**/runs");
        await page.getByRole("grid").waitFor();
        await page.keyboard.press("?");
        await page.getByRole("dialog").getByText("Filter runs").waitFor();
        await checkAccess(page);
        await shoot(page, "keys-light");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        viewer.check();
    });

    test("keys are where they are on a Thai keyboard", async () => {
        await pressOn(page, [
            ["KeyG", "เ"],
            ["KeyW", "ไ"],
        ]);
        await page.waitForURL("**/workflows");
        await pressOn(page, [["KeyK", "า", "Control"]]);
        await page.getByPlaceholder("Paste an id, or type where to go").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        // And on a Cyrillic one.
        await pressOn(page, [
            ["KeyG", "п"],
            ["KeyR", "к"],
        ]);
        await page.waitForURL("**/runs");
        await page.getByRole("grid").waitFor();
        await pressOn(page, [["KeyJ", "о"]]);
        await page.locator("[role=row][data-focused]").waitFor();
        viewer.check();
    });

    test("j walks the rows from anywhere, and Enter opens one", async () => {
        await page.getByRole("heading", { level: 1 }).click();
        await page.keyboard.press("j");
        await page.locator("[role=row][data-focused]").waitFor();
        const grid = page.locator("[role=grid][aria-activedescendant]");
        assert.ok(await grid.evaluate((element) => element === document.activeElement));
        await checkAccess(page);
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
        await page.goBack();
        await page.getByRole("grid").waitFor();
        viewer.check();
    });

    test("who may little is offered what they may, and told what they may not", async () => {
        const few = await viewer.open();
        await signIn(few, pawl, "/", pawl.createKey("tasks:read", "tasks:write"));
        await few.waitForURL("**/inbox");
        assert.equal(await few.locator("aside nav a").count(), 1);
        await go(few, "/runs");
        await few.getByText("It needs the right “runs:read”").waitFor();
        await few.keyboard.press("?");
        const sheet = few.getByRole("dialog", { name: "Keyboard" });
        await sheet.getByText("Inbox").waitFor();
        assert.equal(await sheet.getByText("Workflows").count(), 0);
        await signIn(few, pawl, "/operations?tab=webhooks", pawl.createRoleKey("viewer"));
        await few.getByText("It needs the right “admin”").waitFor();
        await checkAccess(few);
        await shoot(few, "not-allowed-light");
        for (const path of ["/settings?tab=keys", "/workflows/waits/edit", "/new-workflow"]) {
            await go(few, "/people");
            await few.getByText("It needs the right").waitFor({ state: "detached" });
            await go(few, path);
            await few.getByText("It needs the right").waitFor();
        }
        viewer.check();
    });

    test("a list is copied as curl, without the key", async () => {
        await page.getByRole("button", { name: "Copy as" }).click();
        await page.getByRole("menuitem", { name: "curl" }).click();
        const text = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(
            text,
            /^curl -sS -H "Authorization: Bearer \$PAWL_API_KEY" 'http.*\/v1\/runs'$/,
        );
        assert.ok(!text.includes(pawl.key));
        viewer.check();
    });

    test("commands that pages show are commands", () => {
        const source = `${root}ui/src/`;
        const files = readdirSync(source, { recursive: true, encoding: "utf8" })
            .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("words/"))
            .map((name) => readFileSync(source + name, "utf8"))
            .join("\n");
        const shown =
            /(?:\bcli[=:] ?\{?["`]|command="pawl |\(name\) => `(?!user\.))([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g;
        const commands = new Set([...files.matchAll(shown)].map((found) => found[1]!));
        assert.ok(commands.size > 40, [...commands].join());
        for (const words of commands) {
            const help = pawl.command(...words.split(" "), "--help");
            // What is no command shows the help of its group.
            assert.doesNotMatch(help, /^Usage: pawl .* COMMAND$/m, words);
        }
    });

    test("the language and the appearance change at once", async () => {
        await page.locator("aside button[aria-haspopup=dialog]").first().click();
        await page.getByRole("dialog", { name: "Account" }).waitFor();
        await page.locator("aside").getByText("ui admin", { exact: true }).waitFor();
        await checkAccess(page);
        await shoot(page, "account-menu");
        await page.getByText("Dark", { exact: true }).click();
        await page.getByText("ไทย", { exact: true }).click();
        await page.getByRole("heading", { name: "รัน" }).waitFor();
        const scheme = page.locator("html[data-mantine-color-scheme=dark][lang=th]");
        await scheme.waitFor({ state: "attached" });
        await checkAccess(page);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.getByRole("grid").waitFor();
        await checkAccess(page);
        await shoot(page, "runs-thai-dark");
        viewer.check();
    });

    test("signing out leaves nothing behind", async () => {
        await page.locator("aside button[aria-haspopup=dialog]").first().click();
        await page.getByRole("button", { name: "ออกจากระบบ" }).click();
        await page.waitForURL("**/sign-in");
        await page.goto(`${pawl.url}/runs`);
        await page.waitForURL(/sign-in/);
        viewer.check();
    });
});
