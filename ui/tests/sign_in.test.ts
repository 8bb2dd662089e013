import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { Provider } from "../../tests/api/support/provider.ts";
import { checkAccess } from "./support/access.ts";
import { go, shoot, Viewer } from "./support/browser.ts";
import { Pawl } from "./support/serve.ts";

describe("sign in", () => {
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

    test("a stranger is asked for a key, and a wrong one is refused", async () => {
        await page.goto(`${pawl.url}/runs?status=failed`);
        await page.getByLabel("API key").fill("pawl_wrong");
        await checkAccess(page);
        await shoot(page, "sign-in-light");
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("alert").waitFor();
    });

    test("the right key leads to where the link went", async () => {
        await page.getByLabel("API key").fill(pawl.key);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForURL("**/runs?status=failed");
        viewer.check();
    });

    test("a session that ends while a page is open is said, and so is a link used twice", async () => {
        // As from another tab.
        const { request } = page.context();
        const { csrf } = (await (await request.get(`${pawl.url}/v1/session`)).json()) as {
            csrf: string;
        };
        const headers = { "X-Pawl-Csrf": csrf };
        assert.ok((await request.delete(`${pawl.url}/v1/sessions`, { headers })).ok());
        await go(page, "/workflows");
        await page.waitForURL(/sign-in\?next=.*workflows/);
        await page.getByText("Your session has ended").waitFor();
        await page.getByLabel("API key").fill(pawl.key);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForURL("**/workflows");
        const other = await viewer.open();
        await other.goto(`${pawl.url}/?ticket=used`);
        await other.waitForURL(/sign-in/);
        await other.getByText("This link has signed in once already").waitFor();
        await checkAccess(other);
        viewer.check();
    });

    test("the link with a ticket signs in once", async () => {
        const ticket = randomBytes(32).toString("base64url");
        const hash = createHash("sha256").update(ticket).digest("hex");
        pawl.sql(
            `insert into pawl.session_ticket (hash, tenant, key, expires_at)
             select '\\x${hash}', k.tenant, k.id, now() + interval '1 hour'
               from pawl.api_key k where k.tenant = 1 and k.revoked_at is null order by k.id limit 1`,
        );
        const guest = await viewer.open();
        await guest.goto(`${pawl.url}/?ticket=${ticket}`);
        await guest.getByRole("heading", { level: 1 }).first().waitFor();
        assert.ok(!guest.url().includes(ticket));
        assert.equal(pawl.sql("select count(*) from pawl.session_ticket"), "0");
        await guest.context().clearCookies();
        await guest.goto(`${pawl.url}/?ticket=${ticket}`);
        await guest.waitForURL(/sign-in/);
        assert.ok(!guest.url().includes(ticket));
        viewer.check();
    });

    test("a link does not lead to another site", async () => {
        const other = await viewer.open({ width: 360, scheme: "dark", language: "th" });
        await other.goto(`${pawl.url}/sign-in?next=${encodeURIComponent("//evil.example/")}`);
        await other.getByLabel(/API/).fill(pawl.key);
        await other.locator("form button[type=submit]").click();
        await other.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
        // The heading of the page it leads to, not that of the one it leaves.
        await other.locator("form button[type=submit]").waitFor({ state: "detached" });
        await other.getByRole("heading", { level: 1 }).first().waitFor();
        assert.equal(new URL(other.url()).origin, new URL(pawl.url).origin);
        await checkAccess(other);
        viewer.check();
    });
});

describe("sign in by an identity provider", () => {
    const provider = new Provider();
    const viewer = new Viewer();
    let pawl: Pawl;
    before(async () => {
        await provider.start();
        const options = ["--oidc-issuer", provider.url, "--oidc-client-id", provider.clientId];
        pawl = new Pawl(options, { PAWL_OIDC_SECRET: provider.clientSecret });
        await pawl.start();
        await pawl.request("PUT", "/v1/members/ann@example.com", { role: "approver" });
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
        provider.stop();
    });

    test("a button leads there, and back to where the link went", async () => {
        provider.claims = { sub: "42", email: "ann@example.com", email_verified: true };
        const page = await viewer.open();
        await page.goto(`${pawl.url}/inbox?view=mine`);
        const button = page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ });
        await button.waitFor();
        await checkAccess(page);
        await shoot(page, "sign-in-provider-light");
        await button.click();
        await page.waitForURL(/\/inbox\?view=mine/);
        await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
        const { subject } = await page.evaluate(
            async () => (await (await fetch("/v1/session")).json()) as { subject: string },
        );
        assert.equal(subject, "ann@example.com");
        viewer.check();
    });
});
