import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile, hostileData } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

describe("people", () => {
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

    const rows = () => page.locator("[role=grid] [role=row][aria-rowindex]");
    const search = () => page.getByLabel("Find by key, name or address");

    test("no people yet", async () => {
        await signIn(page, pawl, "/people");
        await page.getByText("No people yet").waitFor();
        await checkAccess(page);
        viewer.check();
    });

    test("a person is added by hand", async () => {
        await page.getByRole("button", { name: "Add a person" }).click();
        const dialog = page.getByRole("dialog", { name: "Add a person" });
        await dialog.getByLabel("Key").fill("zoe");
        await dialog.getByLabel("First name").fill(hostile[1]!);
        await dialog.getByLabel("Email").fill("zoe@customers.example");
        await checkAccess(page);
        await dialog.getByRole("button", { name: "Save" }).click();
        await page.waitForURL("**/people/zoe");
        await page.getByRole("heading", { level: 1, name: hostile[1]! }).waitFor();
        await page.getByText("zoe@customers.example", { exact: true }).waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        await go(page, "/people");
        viewer.check();
    });

    test("a person is found by key, name or address", async () => {
        const people = Array.from({ length: 300 }, (_, index) => ({
            key: `c-${1000 + index}`,
            attributes: { first_name: `Name${index}`, last_name: "Lee" },
            addresses: { email: `p${index}@customers.example` },
        }));
        people.push({
            key: "ann",
            attributes: { first_name: "Ann", last_name: hostile[0]! },
            addresses: { email: "ann@customers.example" },
        });
        await pawl.request("POST", "/v1/people", { people });
        await page.reload();
        await eventually(async () => assert.ok((await rows().count()) > 10));
        await search().fill("p271@");
        await page.waitForURL(/q=p271/);
        await eventually(async () => assert.equal(await rows().count(), 2));
        await search().fill("ONERROR");
        await eventually(async () => assert.equal(await rows().count(), 2));
        await page.getByText(`Ann ${hostile[0]}`).waitFor();
        await checkAccess(page);
        await shoot(page, "people-light");
        await search().fill(hostile[4]!);
        await page.getByText("No person matches").waitFor();
        await search().fill("ann");
        await eventually(async () => assert.equal(await rows().count(), 2));
        await search().press("Enter");
        await page.waitForURL("**/people/ann");
        viewer.check();
    });

    test("one person: what happened, and why a message was skipped", async () => {
        await pawl.define("series", [
            { name: "mail", message: { channel: "sms", text: "Hi" }, on_failure: "continue" },
            { name: "later", wait: { signal: "x", timeout: "3d" } },
        ]);
        const run = await pawl.startRun("series", {}, { subject: "ann" });
        await pawl.until(run, "waiting");
        await page.reload();
        await page.getByRole("link", { name: "series" }).first().waitFor();
        await page.getByRole("button", { name: "Suppress: ann@customers.example" }).click();
        await page.getByText("gets nothing: by hand").waitFor();
        await page.getByRole("button", { name: "Unsubscribe from all" }).click();
        await page.getByText("Wants no message at all").waitFor();
        await checkAccess(page);
        await shoot(page, "person-light");
        await page.getByRole("button", { name: "Lift: ann@customers.example" }).click();
        await page.getByRole("button", { name: "Suppress: ann@customers.example" }).waitFor();
        await page.getByRole("button", { name: "Subscribe again" }).click();
        await page.getByText("The person has unsubscribed from nothing.").waitFor();
        await page.getByText("Messages", { exact: true }).last().click();
        await page.waitForURL(/show=message/);
        viewer.check();
    });

    test("she leaves all journeys", async () => {
        await go(page, "/people/ann");
        await page.getByRole("button", { name: "Exit all journeys" }).click();
        await page.getByText("1 run would be cancelled").waitFor();
        await checkAccess(page);
        await page.getByRole("dialog").getByLabel("Reason").fill(hostile[1]!);
        await page.getByRole("dialog").getByRole("button", { name: "Exit all journeys" }).click();
        await page.getByText("1 of 1 done").waitFor();
        await eventually(async () => {
            const { data } = await pawl.request<{ data: { status: string }[] }>(
                "GET",
                "/v1/runs?subject=ann",
            );
            assert.deepEqual(
                data.map((one) => one.status),
                ["cancelled"],
            );
        });
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
        viewer.check();
    });

    test("she is erased, after it was said what goes", async () => {
        await page.getByRole("button", { name: "Erase", exact: true }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("What is known: attributes, addresses, linked LINE users").waitFor();
        await checkAccess(page);
        await shoot(page, "person-erase-light");
        const erase = dialog.getByRole("button", { name: "Erase", exact: true });
        assert.ok(await erase.isDisabled());
        await dialog.getByLabel("Type ann to erase").fill("ann");
        await dialog.getByText("Also forget closed runs with their logs").click();
        await erase.click();
        await page.getByText("ann is erased").waitFor();
        await page.waitForURL((url) => url.pathname === "/people");
        await go(page, "/people/ann");
        await page.getByText("No such person is known").waitFor();
        await page.getByText("Nothing happened yet").waitFor();
        const gap = await page
            .getByRole("group", { name: "Show" })
            .evaluate(
                (chips) =>
                    chips.nextElementSibling!.getBoundingClientRect().top -
                    chips.getBoundingClientRect().bottom,
            );
        assert.ok(gap >= 8, `${gap} px`);
        await checkAccess(page);
        const { data } = await pawl.request<{ data: unknown[] }>("GET", "/v1/runs?subject=ann");
        assert.deepEqual(data, []);
        viewer.check();
    });

    test("who has a long key is erased by name or by its end", async () => {
        const attributes = { first_name: "Dao", last_name: "Sukjai" };
        for (const [key, typed, person] of [
            ["01de7a25-0000-7000-8000-0000003b2c4d", "Dao Sukjai", { attributes }],
            ["01de7a25-0000-7000-8000-0000003b2c4e", "3b2c4e", { attributes }],
            ["01de7a25-0000-7000-8000-0000003b2c4f", "3b2c4f", { attributes: {} }],
        ] as const) {
            await pawl.request("PUT", `/v1/people/${key}`, { ...person, addresses: {} });
            await go(page, `/people/${key}`);
            await page.getByRole("button", { name: "Erase", exact: true }).click();
            const dialog = page.getByRole("dialog");
            const asked =
                typed === "3b2c4f"
                    ? "Type 3b2c4f, the end of the key, to erase"
                    : `Type Dao Sukjai, or ${key.slice(-6)}, the end of the key, to erase`;
            const erase = dialog.getByRole("button", { name: "Erase", exact: true });
            await dialog.getByLabel(asked).fill("Dao");
            assert.ok(await erase.isDisabled());
            await dialog.getByLabel(asked).fill(typed);
            await erase.click();
            await dialog.waitFor({ state: "detached" });
            await page.waitForURL((url) => url.pathname === "/people");
        }
        viewer.check();
    });

    test("hostile people are text", async () => {
        for (const [index, text] of hostile.entries()) {
            // Keys hold no control characters; all else of a person may.
            const key = encodeURIComponent(text.slice(0, 120).replace("\u0007", ""));
            await pawl.request("PUT", `/v1/people/${key}`, {
                attributes: { name: text, ...hostileData },
                addresses: { email: `h${index}@x.example`, odd: text.slice(0, 200) },
            });
            await go(page, `/people/${key}`);
            await page.getByText(`h${index}@x.example`).first().waitFor();
        }
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        await go(page, "/people");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.getByRole("grid").waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "people-thai-dark-360");
        await go(page, "/people/c-1001");
        await page.getByText("p1@customers.example").waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "person-thai-dark-360");
        viewer.check();
    });

    test("people of a table of one's own are found by name, and by key", async () => {
        pawl.sql(
            `create table public.customers (id text primary key, name text, email text);
             insert into public.customers values ('dee', 'Dee', 'dee@customers.example'),
                 ('eve', '<b>Eve</b>', 'eve@customers.example');
             select pawl.set_person_source('public.customers', key => 'id',
                 address => '{"email": "email"}', columns => '{name}')`,
        );
        await turn(page, {});
        await go(page, "/people");
        await page.reload();
        await page.getByRole("row").filter({ hasText: "<b>Eve</b>" }).waitFor();
        assert.equal(await page.getByRole("row").filter({ hasText: "@customers" }).count(), 2);
        await checkAccess(page);
        await shoot(page, "people-elsewhere-light");
        await page.getByLabel("Find by key, name or address").fill("DEE");
        await page.getByRole("row").filter({ hasText: "Eve" }).waitFor({ state: "detached" });
        await page.getByRole("row").filter({ hasText: "Dee" }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByText("dee@customers.example").first().waitFor();
        viewer.check();
    });

    test("who may write sees where people of such a table are, and no button", async () => {
        const refusal = /The people are in the table public\.customers: add and change them there/;
        for (const role of ["admin", "editor", "operator"]) {
            const other = await viewer.open();
            await signIn(other, pawl, "/people", pawl.createRoleKey(role));
            await other.getByText(refusal).waitFor();
            assert.equal(await other.getByRole("button", { name: /^(Import|Add)/ }).count(), 0);
            await other.close();
        }
        viewer.check();
    });

    test("where the table is empty, too; who may not ask learns it from the refusal", async () => {
        pawl.sql("delete from public.customers");
        const elsewhere = "The people are in the table public.customers. Who is added there";
        for (const role of ["admin", "editor"]) {
            const other = await viewer.open();
            await signIn(other, pawl, "/people", pawl.createRoleKey(role));
            if (role === "editor") {
                await other.getByRole("button", { name: "Add a person" }).click();
                await other.getByRole("dialog").getByLabel("Key").fill("ann");
                await other.getByRole("button", { name: "Save" }).click();
                await other.getByText(/the people of this tenant are in the table/).waitFor();
                await other.keyboard.press("Escape");
            }
            await other.getByText(elsewhere).waitFor();
            assert.equal(await other.getByRole("button", { name: /^(Import|Add)/ }).count(), 0);
            assert.equal(await other.getByText("Import a CSV file").count(), 0);
            assert.equal(await other.getByText("pawl people import").count(), 0);
            await checkAccess(other);
            await other.close();
        }
        viewer.check();
    });
});
