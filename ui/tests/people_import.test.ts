import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

interface Person {
    key: string;
    attributes: Record<string, string>;
    addresses: Record<string, string>;
    locale: string | null;
    timezone: string | null;
}

/** Field of a CSV file with semicolons. */
const field = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe("import of people", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    let page: Page;
    let dialog: Locator;
    before(async () => {
        await pawl.start();
        page = await viewer.open();
        dialog = page.getByRole("dialog", { name: "Import people" });
        await signIn(page, pawl, "/people");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const choose = async (name: string, text: string | Buffer) => {
        const buffer = Buffer.from(text);
        await dialog
            .locator("input[type=file]")
            .or(page.locator("input[type=file]"))
            .first()
            .setInputFiles({ name, mimeType: "text/csv", buffer });
    };
    const open = async () => {
        await page.getByRole("button", { name: "Import", exact: true }).first().click();
        await dialog.getByText("A CSV file with a row for each person").waitFor();
    };
    const person = (key: string) =>
        pawl.request<Person>("GET", `/v1/people/${encodeURIComponent(key)}`);
    const countPeople = () => Number(pawl.sql("select count(*) from pawl.person"));

    test("a file is looked at before anything is sent", async () => {
        await page.getByText("No people yet").waitFor();
        await open();
        await checkAccess(page);
        await choose("empty.csv", "\n\n");
        await dialog.getByText("The file has no rows.").waitFor();
        await choose("people.xlsx", Buffer.from("PK\u0003\u0004"));
        await dialog.getByText("This is an Excel workbook.").waitFor();
        await choose("people.csv", 'name,phone,sms\nAnn,1,2\n"Bob\nB",3\nCid,4,5\n');
        await dialog.getByText("3 rows in people.csv").waitFor();
        await dialog.getByText("Say which column is the key").waitFor();
        await dialog.getByText("These columns become the same: phone, sms").waitFor();
        await dialog.getByText("1 row has another number of fields").waitFor();
        await dialog.getByText(/: line 3$/).waitFor();
        await checkAccess(page);
        await shoot(page, "people-import-problems-light");
        const submit = dialog.getByRole("button", { name: /^Import/ });
        assert.ok(await submit.isDisabled());
        await dialog.getByLabel("What phone becomes").selectOption("Key");
        await submit.and(page.locator(":enabled")).waitFor();
        assert.equal(await submit.textContent(), "Import 2 rows");
        assert.equal(countPeople(), 0);
        await dialog.getByRole("button", { name: "Another file" }).click();
        viewer.check();
    });

    test("1,200 rows: one that is refused stops no other, and hostile text is text", async () => {
        const names = [...hostile.slice(0, 7), "=cmd()", 'Lee; Ann, the "first"\r\nof her name'];
        const rows = Array.from({ length: 1200 }, (_, index) => {
            const name = names[index % names.length]!;
            const zone = index === 733 ? "Mars/Olympus" : "Asia/Bangkok";
            return [`k-${index}`, `p${index}@x.example`, zone, name, ""].map(field).join(";");
        });
        const text = `\ufeffkey;Email;timezone;name;tier\r\n${rows.join("\r\n")}\r\n`;
        const line = 2 + rows.slice(0, 733).join("\r\n").split("\n").length;
        await choose("customers.csv", text);
        await dialog.getByText("1,200 rows in customers.csv").waitFor();
        await dialog.getByRole("cell", { name: names[0]!, exact: true }).first().waitFor();
        assert.equal(await dialog.getByLabel("What Email becomes").inputValue(), "address.email");
        await dialog.getByLabel("What tier becomes").selectOption("Leave out");
        await checkAccess(page);
        await shoot(page, "people-import-light");
        await dialog.getByRole("button", { name: "Import 1,200 rows" }).click();
        await dialog.getByText("The server refuses 1 row").waitFor();
        await dialog.getByText(`line ${line}: timezone must be a time zone`).waitFor();
        await dialog.getByText("1,000 of 1,200 rows").waitFor();
        await checkAccess(page);
        await shoot(page, "people-import-refused-light");
        // The keyboard is in the dialog.
        await page.keyboard.press("Tab");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await dialog.getByText("The import is done").waitFor();
        await dialog.getByText("1,199 people saved · 1 row left out").waitFor();
        await checkAccess(page);
        await shoot(page, "people-import-done-light");
        assert.equal(countPeople(), 1199);
        const last = await person("k-1196");
        assert.deepEqual(last.attributes, { name: names[1196 % names.length] });
        const quoted = await person(`k-${names.length - 1}`);
        assert.equal(quoted.attributes["name"], names.at(-1));
        assert.deepEqual(quoted.addresses, { email: `p${names.length - 1}@x.example` });
        assert.equal(quoted.timezone, "Asia/Bangkok");
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        viewer.check();
    });

    test("what was left out is a file that can be mended and imported", async () => {
        const coming = page.waitForEvent("download");
        await dialog.getByRole("button", { name: "Download the rows left out" }).click();
        const file = await coming;
        assert.equal(file.suggestedFilename(), "customers.left-out.csv");
        const text = readFileSync(await file.path(), "utf8");
        assert.match(
            text,
            /^\ufeffproblem;key;Email;timezone;name;tier\r\nline \d+: timezone must/,
        );
        await dialog.getByRole("button", { name: "Close" }).last().click();
        await page.getByText("k-0", { exact: true }).waitFor();
        await open();
        await choose("mended.csv", text.replace("Mars/Olympus", "Asia/Tokyo"));
        await dialog.getByRole("button", { name: "Import 1 row" }).click();
        await dialog.getByText("1 person saved · 0 rows left out").waitFor();
        assert.equal((await person("k-733")).timezone, "Asia/Tokyo");
        assert.equal((await person("k-733")).attributes["problem"], undefined);
        await dialog.getByRole("button", { name: "Close" }).last().click();
        viewer.check();
    });

    test("a server that is busy is asked again, and the import can be stopped", async () => {
        const kept = countPeople();
        let asked = 0;
        // The first request is answered by the server, the next is told to wait.
        await page.route("**/v1/people", async (route) => {
            if (route.request().method() !== "POST" || ++asked === 1) return route.continue();
            await route.fulfill({
                status: 503,
                headers: { "Retry-After": "20" },
                json: { title: "Service unavailable", status: 503, detail: "busy" },
            });
        });
        await page.getByRole("link", { name: "Runs", exact: true }).click();
        await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
        await page.getByRole("link", { name: "People", exact: true }).click();
        const rows = Array.from({ length: 1100 }, (_, index) => `s-${index},x`).join("\n");
        await open();
        await choose("long.csv", `key,name\n${rows}`);
        await dialog.getByRole("button", { name: "Import 1,100 rows" }).click();
        await dialog.getByText("Trying again in 20s").waitFor();
        await dialog.getByText("500 of 1,100 rows").waitFor();
        await checkAccess(page);
        await page.keyboard.press("Escape");
        await page.evaluate(() => history.back());
        const leaving = page.getByRole("dialog", { name: "The import is not done" });
        await leaving.getByRole("button", { name: "Stay here" }).click();
        await leaving.waitFor({ state: "detached" });
        await dialog.getByRole("button", { name: "Stop the import" }).click();
        await dialog.getByText("The import was stopped").waitFor();
        await dialog.getByText("500 people saved").waitFor();
        await page.unroute("**/v1/people");
        assert.equal(countPeople(), kept + 500);
        await dialog.getByRole("button", { name: "Close" }).last().click();
        viewer.check();
    });

    test("what is refused as a whole can be tried again", async () => {
        let refuse = true;
        await page.route("**/v1/people", async (route) => {
            if (route.request().method() !== "POST" || !refuse) return route.continue();
            const detail = "the people of this tenant are in the table x: write there";
            await route.fulfill({ status: 409, json: { title: "Conflict", status: 409, detail } });
        });
        await open();
        await page.evaluate(() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "id\tname\npasted\t=cmd()\n");
            window.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
        });
        await dialog.getByText("1 row in pasted rows").waitFor();
        await dialog.getByRole("button", { name: "Import 1 row" }).click();
        await dialog.getByText("are in the table x").waitFor();
        await checkAccess(page);
        refuse = false;
        await dialog.getByRole("button", { name: "Try again" }).click();
        await dialog.getByText("1 person saved").waitFor();
        await page.unroute("**/v1/people");
        assert.deepEqual((await person("pasted")).attributes, { name: "=cmd()" });
        await dialog.getByRole("button", { name: "Close" }).last().click();
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await page.getByRole("button", { name: "นำเข้า", exact: true }).click();
        dialog = page.getByRole("dialog", { name: "นำเข้าบุคคล" });
        await dialog.getByText("ไฟล์ CSV ที่มีหนึ่งแถว").waitFor();
        await checkAccess(page);
        const cells = ["ลูกค้า-1", "ann@x.example", hostile[7]!.slice(0, 300), "x", "y", "z"];
        await choose("ลูกค้า.csv", `key,email,name,a,b,c\n${cells.join()}\nkey-2\n`);
        await dialog.getByText("2 แถวใน ลูกค้า.csv").waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "people-import-thai-dark-360");
        await dialog.getByRole("button", { name: "นำเข้า 1 แถว" }).click();
        await dialog.getByText("นำเข้าเสร็จแล้ว").waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "people-import-done-thai-dark-360");
        await turn(page, {});
        viewer.check();
    });

    test("a role that may not write people sees no button", async () => {
        const other = await viewer.open();
        await signIn(other, pawl, "/people", pawl.createRoleKey("viewer"));
        await other.getByText("k-0", { exact: true }).waitFor();
        assert.equal(await other.getByRole("button", { name: "Import", exact: true }).count(), 0);
        await other.close();
        pawl.sql(
            `create table public.customers (id text primary key, email text);
             select pawl.set_person_source('public.customers', key => 'id',
                 address => '{"email": "email"}')`,
        );
        await go(page, "/people");
        await page.reload();
        await page.getByText("No people yet").waitFor();
        await eventually(async () =>
            assert.equal(
                await page.getByRole("button", { name: "Import", exact: true }).count(),
                0,
            ),
        );
        viewer.check();
    });
});
