import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { Sandbox } from "./support/sandbox.ts";
import { binary, eventually, Pawl } from "./support/serve.ts";
import { tabsOf } from "./support/tabs.ts";

type List<T> = { data: T[] };
type Connector = { name: string; credentials: { name: string; required: boolean }[] };

const hostileName = `<img src=x onerror="window.hacked=1">`;
const secretKey = Buffer.alloc(32, 5).toString("base64");

describe("settings", () => {
    const pawl = new Pawl(["--allow-outbound", "127.0.0.1"], { PAWL_SECRET_KEY: secretKey });
    const viewer = new Viewer();
    const sandbox = new Sandbox();
    let page: Page;
    let guest: Page;
    before(async () => {
        await sandbox.start();
        await pawl.start();
        page = await viewer.open();
        await signIn(page, pawl, "/settings");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
        sandbox.stop();
    });

    const { open, panel, act, closePanel } = tabsOf("/settings", () => page);
    /** Reads a secret that is shown once, and sees that it is gone afterwards. */
    const readOnce = async (title: string) => {
        const shown = page.getByRole("dialog", { name: title });
        const secret = ((await shown.locator("pre").textContent()) ?? "").trim();
        await checkAccess(page);
        await shown.getByRole("button", { name: "Copy" }).click();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
        await shown.getByRole("button", { name: "I have it" }).click();
        await shown.waitFor({ state: "detached" });
        assert.ok(!(await page.content()).includes(secret));
        return secret;
    };

    test("a key is made, shown once, works, and is revoked", async () => {
        const make = page.getByRole("button", { name: "New API key" });
        // What a page is for stands at its right end.
        const copyAs = await page.getByRole("button", { name: "Copy as" }).boundingBox();
        assert.ok(copyAs!.x < (await make.boundingBox())!.x);
        await make.click();
        const form = page.getByRole("dialog", { name: "New API key" });
        await form.getByLabel("What it is for").fill(hostileName);
        await checkAccess(page);
        await shoot(page, "settings-new-key");
        await form.getByRole("button", { name: "Create" }).click();
        const key = await readOnce("New API key");
        const mine = await fetch(`${pawl.api}/v1/session`, {
            headers: { Authorization: `Bearer ${key}` },
        });
        assert.equal(((await mine.json()) as { role: string }).role, "operator");
        await page.getByRole("grid").getByText(hostileName).click();
        const { data } = await pawl.request<List<{ name: string; prefix: string }>>(
            "GET",
            "/v1/keys",
        );
        const { prefix } = data.find((one) => one.name === hostileName)!;
        assert.ok(key.startsWith(prefix));
        await panel().getByText(prefix).waitFor();
        await checkAccess(page);
        await act("Revoke", prefix);
        await eventually(async () => {
            const now = await fetch(`${pawl.api}/v1/session`, {
                headers: { Authorization: `Bearer ${key}` },
            });
            assert.equal(now.status, 401);
        });
        await page.getByRole("grid").getByText("revoked").waitFor();
        await shoot(page, "settings-keys");
        assert.equal(await page.evaluate("window.hacked"), undefined);
        viewer.check();
    });

    test("members get a role, another one, and are removed", async () => {
        await open("members");
        await page.getByText("No members yet").waitFor();
        await checkAccess(page);
        await shoot(page, "settings-members-empty");
        await page.getByRole("button", { name: "Add a member" }).first().click();
        await page.getByLabel("Member").last().fill("ann+<b>@example.com");
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("grid").getByText("ann+<b>@example.com").click();
        await panel().getByRole("button", { name: "Change the role" }).click();
        const form = page.getByRole("dialog", { name: "Change the role" });
        await form.getByRole("combobox", { name: "Role" }).click();
        await page.getByRole("option", { name: "editor" }).click();
        await form.getByRole("button", { name: "Save" }).click();
        await form.waitFor({ state: "detached" });
        assert.equal(
            pawl.sql("select subject, role from pawl.member"),
            "ann+<b>@example.com|editor",
        );
        await act("Remove");
        await page.getByText("No members yet").waitFor();
        assert.equal(pawl.sql("select count(*) from pawl.member"), "0");
        viewer.check();
    });

    test("a credential is set, replaced and deleted, and its value is never seen", async () => {
        const first = `first-${randomBytes(8).toString("hex")}`;
        const second = `second-${randomBytes(8).toString("hex")}`;
        await open("credentials");
        await page.getByText("No credentials yet").waitFor();
        await page.getByRole("button", { name: "New credential" }).first().click();
        await page.getByLabel("Name").last().fill("billing_token");
        await page.getByRole("textbox", { name: "Secret" }).fill(first);
        await checkAccess(page);
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("grid").getByText("billing_token").click();
        assert.ok(!(await page.content()).includes(first));
        await panel().getByText("{{ credentials.billing_token }}").waitFor();
        const before = pawl.sql("select md5(box) from pawl.credential");
        await panel().getByRole("button", { name: "Replace the secret" }).click();
        await page.getByRole("textbox", { name: "Secret" }).fill(second);
        await page.getByRole("button", { name: "Save" }).click();
        await page
            .getByRole("dialog", { name: "Replace the secret" })
            .waitFor({ state: "detached" });
        assert.notEqual(pawl.sql("select md5(box) from pawl.credential"), before);
        assert.ok(!(await page.content()).includes(second));
        await shoot(page, "settings-credential");
        await act("Delete", "billing_token");
        await page.getByText("No credentials yet").waitFor();
        viewer.check();
    });

    test("an account is made from the connector's fields, tested and deleted", async () => {
        await pawl.request("PUT", "/v1/connectors/pigeon", {
            name: "pigeon",
            title: hostileName,
            channels: ["sms"],
            request: { url: "https://pigeon.example/send", json: { to: "{{ to }}" } },
            answers: [{ status: "2xx", means: "accepted" }],
        });
        const { data } = await pawl.request<List<Connector>>("GET", "/v1/connectors");
        const fields = data.find((one) => one.name === "twilio")!.credentials;
        assert.ok(fields.length >= 3);
        const { credentials, settings } = await sandbox.open("twilio");
        const base = String(settings?.["base_url"]);
        await open("connectors");
        await page.getByRole("grid").getByText(hostileName).waitFor();
        await page.getByRole("grid").getByText("Twilio SMS").click();
        await panel().getByText("No account yet").waitFor();
        await panel().getByRole("button", { name: "New account" }).click();
        const form = page.getByRole("dialog", { name: "New account" });
        assert.ok(await form.getByRole("button", { name: "Save" }).isDisabled());
        for (const { name } of fields) {
            await form.getByLabel(new RegExp(`^${name}`)).fill(String(credentials[name]));
        }
        await form.getByLabel("base_url").fill(base);
        await checkAccess(page);
        await shoot(page, "settings-account");
        await form.getByRole("button", { name: "Save" }).click();
        await form.waitFor({ state: "detached" });
        await panel().getByRole("region", { name: "default", exact: true }).waitFor();
        assert.ok(!(await page.content()).includes(String(credentials["auth_token"])));
        const accounts = await pawl.request<List<{ settings: { base_url: string } }>>(
            "GET",
            "/v1/connectors/twilio/accounts",
        );
        assert.equal(accounts.data[0]!.settings.base_url, base);
        await pawl.request("PUT", "/v1/templates/greeting", {
            category: "transactional",
            languages: { en: { text: "Hello" } },
        });
        await panel().getByRole("button", { name: "Test send" }).click();
        const test = page.getByRole("dialog", { name: "Test send" });
        await test.getByLabel("To").fill("+66812345678");
        await test.getByRole("button", { name: "Send" }).click();
        await test.getByText("Sent", { exact: true }).waitFor();
        const [got] = await sandbox.messages("twilio", "+66812345678");
        assert.equal(got?.text, "Hello");
        await checkAccess(page);
        await test.getByRole("button", { name: "Cancel" }).click();
        await test.waitFor({ state: "detached" });
        await act("Delete", "default");
        await panel().getByText("No account yet").waitFor();
        await closePanel();
        await shoot(page, "settings-connectors");
        assert.equal(await page.evaluate("window.hacked"), undefined);
        viewer.check();
    });

    test("the source of people is shown, with the statement that changes it", async () => {
        await open("people");
        await page.getByText("People are kept in Pawl").waitFor();
        await page.getByText("Nothing is redacted").waitFor();
        pawl.sql(`create table customers (id int unique, email text, "it's" text, "<b>" text)`);
        pawl.sql(
            `select pawl.set_person_source('public.customers', key => 'id',
                 address => '{"email": "email"}', columns => '{email, it''s}')`,
        );
        await page.reload();
        const said = (await page.locator("pre").first().textContent()) ?? "";
        assert.match(said, /^select pawl\.set_person_source\('public\.customers'/);
        pawl.sql(said);
        pawl.sql(`select pawl.redact(array['it''s', '<b>'])`);
        await page.reload();
        await page.getByText("it's", { exact: true }).waitFor();
        pawl.sql((await page.locator("pre").last().textContent()) ?? "");
        assert.equal(pawl.sql("select cardinality(pawl.columns_redacted(1))"), "2");
        await checkAccess(page);
        await shoot(page, "settings-people");
        viewer.check();
    });

    test("a tenant is made with its first key, and limited", async () => {
        await open("tenants");
        await page.getByRole("button", { name: "New tenant" }).click();
        await page.getByLabel("Tenant").last().fill("acme");
        await page.getByRole("button", { name: "Create" }).click();
        const key = await readOnce("New tenant");
        const session = await fetch(`${pawl.api}/v1/session`, {
            headers: { Authorization: `Bearer ${key}` },
        });
        assert.equal(((await session.json()) as { tenant: string }).tenant, "acme");
        const refused = await fetch(`${pawl.api}/v1/tenants`, {
            headers: { Authorization: `Bearer ${key}` },
        });
        assert.equal(refused.status, 403);
        await page.getByRole("grid").getByText("acme").click();
        await panel().getByRole("button", { name: "Change the limits" }).click();
        await page.getByLabel("Open runs").last().fill("1000");
        await page.getByRole("button", { name: "Save" }).click();
        await panel().getByText("1000").waitFor();
        assert.equal(pawl.sql("select open_runs_max from pawl.tenant where name = 'acme'"), "1000");
        await checkAccess(page);
        await shoot(page, "settings-tenant");
        await closePanel();
        viewer.check();
    });

    test("the audit list has who, what and from where, and is filtered", async () => {
        await pawl.request("PUT", "/v1/members/eve@example.com", { role: "viewer" });
        await pawl.request("DELETE", "/v1/members/eve@example.com");
        await open("audit");
        const said = (text: string) => page.getByRole("grid").getByText(text).first();
        await said("Member removed").waitFor();
        await page.getByRole("combobox", { name: "What" }).fill("signed in");
        await page.getByRole("option", { name: "Signed in" }).click();
        await page.waitForURL(/action=createSession/);
        await said("Member removed").waitFor({ state: "detached" });
        // A key is known by what it is for.
        await said("ui admin").waitFor();
        await said("Signed in").click();
        await panel().getByText("127.0.0.1").waitFor();
        await panel()
            .getByText(/^ui admin .[a-z2-7]{8}.$/)
            .waitFor();
        await panel().getByText("these pages", { exact: true }).waitFor();
        await checkAccess(page);
        await shoot(page, "settings-audit");
        await closePanel();
        viewer.check();
    });

    test("who has several tenants switches between them", async () => {
        pawl.command("tenants", "create", "north");
        const token = randomBytes(32).toString("base64url");
        const hash = createHash("sha256").update(token).digest("hex");
        pawl.sql(
            `insert into pawl.session (hash, tenant, subject, roles, idle, expires_at)
             values ('\\x${hash}', 1, 'ann@example.com', '{"default": "admin", "north": "viewer"}',
                     '1h', now() + interval '1 day')`,
        );
        guest = await viewer.open();
        await guest.context().addCookies([{ name: "pawl_session", value: token, url: pawl.url }]);
        await guest.goto(`${pawl.url}/settings?tab=keys`);
        await guest.getByRole("grid").getByText("ui admin").waitFor();
        await guest.locator("aside button[aria-haspopup=dialog]").click();
        const menu = guest.getByRole("dialog", { name: "Account" });
        assert.equal(await menu.locator("button[aria-current]").textContent(), "default");
        await checkAccess(guest);
        await shoot(guest, "tenant-switcher");
        await menu.getByRole("button", { name: "north" }).click();
        await guest.getByText("viewer · north").waitFor();
        await go(guest, "/settings");
        const tabs = guest.getByRole("navigation", { name: "Settings" });
        await eventually(async () => assert.equal((await tabs.allInnerTexts()).join(), "Sessions"));
        assert.equal(
            pawl.sql(
                "select t.name from pawl.session s join pawl.tenant t on t.id = s.tenant where s.subject = 'ann@example.com'",
            ),
            "north",
        );
        await guest.reload();
        await guest.getByText("viewer · north").waitFor();
        // What is copied works with a key of that tenant, and with no other.
        await go(guest, "/runs");
        await guest.getByRole("button", { name: "Copy as" }).click();
        await guest.getByRole("menuitem", { name: "pawl command" }).click();
        const copied = await guest.evaluate(() => navigator.clipboard.readText());
        assert.equal(copied, "pawl runs list --tenant north");
        const run = (key: string) =>
            spawnSync(binary(), copied.split(" ").slice(1), {
                env: { PATH: process.env["PATH"], PAWL_URL: pawl.api, PAWL_API_KEY: key },
                encoding: "utf8",
            });
        const own = run(pawl.createRoleKey("viewer", "north"));
        assert.equal(own.status, 0, own.stderr);
        assert.equal(run(pawl.key).status, 2);
        viewer.check();
    });

    test("a viewer sees their sessions alone, and signs out everywhere", async () => {
        const key = pawl.createRoleKey("viewer");
        await signIn(guest, pawl, "/settings", key);
        const two = await viewer.open({ width: 360, scheme: "dark", language: "th" });
        await signIn(two, pawl, "/settings", key);
        await guest.getByRole("navigation", { name: "Settings" }).waitFor();
        const tabs = await guest.getByRole("navigation", { name: "Settings" }).allInnerTexts();
        assert.equal(tabs.join(), "Sessions");
        for (const path of [
            "/v1/keys",
            "/v1/members",
            "/v1/credentials",
            "/v1/audit",
            "/v1/tenants",
        ]) {
            const response = await fetch(pawl.api + path, {
                headers: { Authorization: `Bearer ${key}` },
            });
            assert.equal(response.status, 403, path);
        }
        await guest.reload();
        await guest.getByText("this one").waitFor();
        assert.equal(await guest.getByRole("grid").locator("[role=row][aria-rowindex]").count(), 3);
        await checkAccess(guest);
        await shoot(guest, "settings-sessions");
        await checkAccess(two);
        await shoot(two, "settings-sessions-thai-dark-360");
        await guest.getByRole("button", { name: "Sign out everywhere" }).click();
        const dialog = guest.getByRole("dialog", { name: "Sign out everywhere" });
        await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
        await guest.waitForURL(/sign-in/);
        await eventually(async () => {
            await two.reload();
            await two.waitForURL(/sign-in/, { timeout: 1000 });
        });
        viewer.check();
    });

    test("every tab on a narrow screen, in Thai, in the dark", async () => {
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await go(page, "/settings?tab=sessions");
        // It is seen, also where not all tabs have room.
        await eventually(async () => {
            const box = await page.locator("nav a[aria-current=page][href*=tab]").boundingBox();
            assert.ok(box && box.x >= 0 && box.x + box.width <= 360, `it is at ${box?.x}`);
        });
        for (const tab of [
            "keys",
            "members",
            "credentials",
            "connectors",
            "people",
            "tenants",
            "audit",
            "sessions",
        ]) {
            await go(page, `/settings?tab=${tab}`);
            await page.locator(`nav a[aria-current=page][href*="tab=${tab}"]`).waitFor();
            await page.locator("[role=grid], h2, dl").first().waitFor();
            // Before the check, which scrolls what it looks at.
            await shoot(page, `settings-${tab}-thai-dark-360`);
            await checkAccess(page);
            await checkWidth(page);
        }
        viewer.check();
    });
});
