import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { checkAccess } from "./support/access.ts";
import { checkWidth, go, shoot, signIn, turn, Viewer } from "./support/browser.ts";
import { hostile, hostileData } from "./support/hostile.ts";
import { eventually, Pawl } from "./support/serve.ts";

const form = {
    type: "object",
    required: ["subject", "text", "urgent"],
    properties: {
        subject: { type: "string", maxLength: 100 },
        text: { type: "string", maxLength: 5000 },
        amount: { type: "integer", minimum: 0, maximum: 100 },
        urgent: { type: "boolean" },
    },
};
const draft = {
    subject: "Your order",
    text: "It left our house.\nBest regards",
    amount: 5,
    urgent: true,
};

interface Who {
    key: string;
    /** How tasks call the one who has the key. */
    subject: string;
}

async function whoHas(pawl: Pawl, name: string): Promise<Who> {
    const scopes = ["--scope", "tasks:read", "--scope", "tasks:write", "--scope", "runs:read"];
    const made = pawl.command("keys", "create", "--name", name, "-o", "json", ...scopes);
    const { key } = JSON.parse(made) as { key: string };
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${pawl.api}/v1/session`, { headers });
    return { key, subject: ((await response.json()) as { subject: string }).subject };
}

describe("inbox", () => {
    const pawl = new Pawl([], { PAWL_LINK_SECRET: "a secret that only tests of links have" });
    const viewer = new Viewer();
    let page: Page;
    let ann: Who;
    let bob: Who;
    let hers: Page;
    let his: Page;
    before(async () => {
        await pawl.start();
        ann = await whoHas(pawl, "ann");
        bob = await whoHas(pawl, "bob");
        await pawl.define("reply", [
            {
                name: "review",
                human: {
                    title: "Send this to {{ who }}?",
                    description: "{{ about }}",
                    data: draft,
                    form,
                    group: "support",
                    due: "2d",
                },
            },
        ]);
        await pawl.define("plain", [{ name: "ask", human: { title: "Go on with {{ what }}?" } }]);
        await pawl.define("brief", [{ name: "ask", human: { title: "Quick!", due: "1s" } }]);
        await pawl.define("votes", [
            {
                name: "vote",
                human: {
                    title: "All agree?",
                    approvers: [ann.subject, bob.subject, "cid"],
                    approvals: 2,
                },
            },
        ]);
        page = await viewer.open();
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
    });

    const rows = (on: Page) => on.locator("[role=grid] [role=row][aria-rowindex]");
    const waiting = async (run: string) => {
        await pawl.until(run, "waiting");
        const found = await pawl.request<{ data: { id: string }[] }>("GET", `/v1/tasks?run=${run}`);
        return found.data[0]!.id;
    };

    test("an empty inbox says what fills it", async () => {
        await signIn(page, pawl, "/inbox");
        await page.getByText("Nothing waits for a decision").waitFor();
        await checkAccess(page);
        viewer.check();
    });

    test("a value that the form refuses is said at its field", async () => {
        const filler = Object.fromEntries(
            Array.from({ length: 30 }, (_, nth) => [`line_${nth}`, `${nth}`]),
        );
        const properties = {
            amount: { type: "integer", minimum: 0, maximum: 500 },
            address: { type: "object", properties: { city: { type: "string", maxLength: 4 } } },
        };
        const human = { title: "Refund?", data: { amount: 600, ...filler }, form: { properties } };
        await pawl.define("refund", [{ name: "ask", human }]);
        const task = await waiting(await pawl.startRun("refund"));
        await go(page, `/inbox?task=${task}`);
        await page.getByRole("textbox", { name: "City" }).fill("Ayutthaya");
        await page.getByRole("textbox", { name: "Line 29" }).press("Control+Enter");
        const amount = page.getByRole("textbox", { name: "Amount" });
        await page.getByText("must be at most 500", { exact: true }).waitFor();
        await page.getByText("It was not sent: 2 fields are marked").waitFor();
        assert.equal(await page.getByText("/data/").count(), 0);
        assert.equal(await amount.getAttribute("aria-invalid"), "true");
        const city = page.locator("[data-wrong]").filter({ hasText: "City" });
        await city.getByRole("alert").getByText(/4/).waitFor();
        await page.locator("[aria-invalid=true]:focus").waitFor();
        await eventually(async () => {
            const box = await amount.boundingBox();
            assert.ok(box && box.y > 0 && box.y < 900, `it is at ${box?.y}`);
        });
        await checkAccess(page);
        await shoot(page, "inbox-refused-light");
        await amount.fill("400");
        await page.getByText("must be at most 500").waitFor({ state: "detached" });
        await page.getByRole("textbox", { name: "City" }).fill("Nan");
        await page.getByRole("button", { name: /^Approve/ }).click();
        await page.getByText("Approved", { exact: true }).waitFor();
        await page.reload();
        viewer.check();
    });

    test("a draft is edited, compared with what was suggested, and approved", async () => {
        const run = await pawl.startRun("reply", { who: "ann", about: hostile.join("\n") });
        await waiting(run);
        await eventually(async () => assert.equal(await rows(page).count(), 2));
        await page.keyboard.press("j");
        await page.waitForURL(/task=/);
        await page.getByText(hostile[0]!).waitFor();
        await page
            .getByText(/1d 23h left/)
            .first()
            .waitFor();
        // e leads into the draft.
        await page.keyboard.press("e");
        await page.keyboard.press("Control+a");
        await page.keyboard.type("Your order 7");
        const text = page.getByRole("textbox", { name: "Text", exact: true });
        await text.fill(`It arrives tomorrow.\n${hostile[1]}`);
        // What is not so is said: it is not left out.
        await page.getByRole("switch", { name: "Urgent" }).click();
        await page.getByText("Changed by you").waitFor();
        await page.locator(".cm-deletedChunk").filter({ hasText: "It left our house." }).waitFor();
        await checkAccess(page);
        await shoot(page, "inbox-edit-light");
        await text.press("Control+Enter");
        await page.getByText("Approved", { exact: true }).waitFor();
        await pawl.until(run, "completed");
        const steps = JSON.stringify(await pawl.request("GET", `/v1/runs/${run}`));
        assert.ok(steps.includes("It arrives tomorrow.") && steps.includes('"urgent":false'));
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        viewer.check();
    });

    test("what the form refuses is said, and nothing is decided", async () => {
        const run = await pawl.startRun("reply", { who: "ann", about: "x" });
        const task = await waiting(run);
        await go(page, `/inbox?task=${task}`);
        await page.getByRole("textbox", { name: "Subject" }).fill("x".repeat(200));
        await page.getByRole("button", { name: "Approve as edited" }).click();
        const wrong = page.locator("[data-wrong]").filter({ hasText: "Subject" });
        await wrong.getByRole("alert").getByText(/100/).waitFor();
        const { state } = await pawl.request<{ state: string }>("GET", `/v1/tasks/${task}`);
        assert.equal(state, "open");
        // What was typed is not lost by a key or a link that leads elsewhere.
        await page.getByRole("link", { name: "Runs" }).click();
        const asked = page.getByRole("dialog", { name: "What you changed is not saved" });
        await asked.getByRole("button", { name: "Stay here" }).click();
        await asked.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "As it was" }).click();
        await page.getByRole("heading", { level: 2 }).first().click();
        await page.keyboard.press("r");
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("textbox").fill(hostile[0]!);
        await dialog.getByRole("button", { name: "Reject" }).click();
        await page.getByText("Rejected", { exact: true }).waitFor();
        await eventually(async () => {
            const after = await pawl.request<{ state: string; reason: string }>(
                "GET",
                `/v1/tasks/${task}`,
            );
            assert.deepEqual([after.state, after.reason], ["rejected", hostile[0]]);
        });
        viewer.check();
    });

    test("the sheet of keys has a name once, and none that is empty", async () => {
        const task = await waiting(await pawl.startRun("plain", { what: "keys" }));
        await go(page, `/inbox?task=${task}`);
        await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
        await page.keyboard.press("?");
        const sheet = page.getByRole("dialog", { name: "Keyboard" });
        await sheet.getByText("Next task").waitFor();
        await sheet.getByText("Approve").first().waitFor();
        const names = await sheet.getByRole("heading", { level: 3 }).allTextContents();
        assert.deepEqual(names.length, new Set(names).size, names.join());
        assert.ok(names.includes("Inbox") && !names.includes("Rows"), names.join());
        await page.keyboard.press("Escape");
        await sheet.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Approve", exact: true }).click();
        await page.getByText("Approved", { exact: true }).first().waitFor();
        await page.reload();
        viewer.check();
    });

    test("a dialog hears its own keys, what it covers does not", async () => {
        const task = await waiting(await pawl.startRun("plain", { what: "keys" }));
        const state = async () =>
            (await pawl.request<{ state: string }>("GET", `/v1/tasks/${task}`)).state;
        await go(page, `/inbox?task=${task}`);
        await page.getByRole("heading", { name: "Go on with keys?" }).click();
        await page.keyboard.press("?");
        const sheet = page.getByRole("dialog", { name: "Keyboard" });
        await sheet.getByText("Approve").first().waitFor();
        await page.keyboard.press("a");
        await page.keyboard.press("Control+Enter");
        await page.keyboard.press("?");
        await sheet.waitFor({ state: "detached" });
        // The second key of g r is not the key that rejects.
        await page.keyboard.press("g");
        await page.keyboard.press("r");
        await page.waitForURL(/\/runs/);
        assert.equal(await state(), "open");
        await page.goBack();
        await page.getByRole("heading", { name: "Go on with keys?" }).waitFor();
        // What cannot be read is not approved as something else.
        await page.getByRole("textbox", { name: "What is decided on" }).click();
        await page.keyboard.type('{"a": ');
        const approve = page.getByRole("button", { name: /^Approve/ });
        await eventually(async () => assert.ok(await approve.isDisabled()));
        await page.keyboard.press("Control+Enter");
        await page.getByRole("button", { name: "As it was" }).click();
        await eventually(async () => assert.ok(await approve.isEnabled()));
        assert.equal(await state(), "open");
        await page.getByRole("heading", { name: "Go on with keys?" }).click();
        await page.keyboard.press("r");
        const dialog = page.getByRole("dialog", { name: "Reject: why?" });
        await dialog.getByRole("textbox").fill("Not like this");
        await page.keyboard.press("Control+Enter");
        await page.getByText("You have decided it: rejected").waitFor();
        assert.equal(await state(), "rejected");
        viewer.check();
    });

    test("two people race: the later one sees the decision, and keeps what was typed", async () => {
        const run = await pawl.startRun("reply", { who: "ann", about: "race" });
        const task = await waiting(run);
        hers = await viewer.open();
        his = await viewer.open();
        await signIn(hers, pawl, `/inbox?task=${task}`, ann.key);
        await signIn(his, pawl, `/inbox?task=${task}`, bob.key);
        await his.getByRole("textbox", { name: "Text", exact: true }).fill("Bob's words");
        // Bob does not hear of it before he presses.
        await his.route("**/v1/tasks/*", (route) =>
            route.request().method() === "GET" ? route.abort("aborted") : route.continue(),
        );
        await hers.getByRole("button", { name: "Approve", exact: true }).click();
        await hers.getByText("You have decided it: approved").waitFor();
        await his.getByRole("button", { name: "Approve as edited" }).click();
        await his.locator("[role=alert]").first().waitFor();
        await his.unroute("**/v1/tasks/*");
        await his.getByText(`ann (${ann.subject}) has decided it meanwhile: approved`).waitFor();
        await his.getByText("Your own version was not sent").waitFor();
        await his.getByText('"Bob\'s words"').waitFor();
        await checkAccess(his);
        await shoot(his, "inbox-race-light");
        const { decided_by } = await pawl.request<{ decided_by: string }>(
            "GET",
            `/v1/tasks/${task}`,
        );
        assert.equal(decided_by, ann.subject);
        viewer.check();
    });

    test("claim, delegate, and n of m", async () => {
        const task = await waiting(await pawl.startRun("votes"));
        await signIn(hers, pawl, `/inbox?task=${task}`, ann.key);
        await hers.getByText("0 of 2 approvals").waitFor();
        await hers.getByRole("button", { name: "Approve", exact: true }).click();
        await hers.getByText("1 of 2 approvals").waitFor();
        await checkAccess(hers);
        const other = await waiting(await pawl.startRun("plain", { what: hostile[0] }));
        await go(hers, `/inbox?task=${other}`);
        await hers.getByRole("heading", { name: hostile[0]! }).waitFor();
        await hers.keyboard.press("c");
        await hers.getByText("You have claimed it").waitFor();
        await hers.getByRole("button", { name: "Delegate" }).click();
        await hers.getByLabel("To whom").fill(bob.subject);
        await hers.keyboard.press("Enter");
        await hers.getByText(`Delegated to ${bob.subject}`).waitFor();
        await signIn(his, pawl, "/inbox?view=mine", bob.key);
        await eventually(async () => assert.equal(await rows(his).count(), 2));
        viewer.check();
    });

    test("many are approved at once, and what is overdue is found", async () => {
        for (let i = 0; i < 3; i++) await waiting(await pawl.startRun("plain", { what: i }));
        const brief = await pawl.startRun("brief");
        await pawl.until(brief, "completed", "failed");
        await go(page, "/inbox");
        // Three, the one that is delegated to bob, and the vote.
        await eventually(async () => assert.equal(await rows(page).count(), 6));
        await shoot(page, "inbox-light");
        await page.getByLabel("Select all rows shown").check();
        await page.getByRole("button", { name: "Approve 5" }).click();
        await page.getByText("3 tasks done").waitFor();
        await page.getByText("2 could not be changed").waitFor();
        await checkAccess(page);
        await page.getByText("Overdue", { exact: true }).click();
        await page.getByText("Quick!").waitFor();
        await page.getByText("Decided", { exact: true }).click();
        await eventually(async () => assert.ok((await rows(page).count()) >= 6));
        viewer.check();
    });

    test("a link decides without login and without script", async () => {
        const task = await waiting(
            await pawl.startRun("reply", { who: "ann", about: hostile.slice(0, 2).join(" ") }),
        );
        const made = await pawl.request<{ url: string }>("POST", `/v1/tasks/${task}/links`, {
            by: "ann",
        });
        const bare = await viewer.open({ script: false });
        await bare.goto(pawl.api + new URL(made.url).pathname + new URL(made.url).search);
        await bare.getByText(hostile[0]!).waitFor();
        await shoot(bare, "task-link-light");
        await bare.locator("[name='data/subject']").fill("By link");
        await bare.getByRole("button", { name: "Approve" }).click();
        await bare.getByText("It is approved").waitFor();
        const { decided_by } = await pawl.request<{ decided_by: string }>(
            "GET",
            `/v1/tasks/${task}`,
        );
        assert.equal(decided_by, "ann");
    });

    test("hostile data is shown as text", async () => {
        // A definition may hold no such keys, what comes with a run may.
        await pawl.define("odd", [
            { name: "ask", human: { title: hostile[7]?.slice(0, 200), data: "{{ input }}" } },
        ]);
        const task = await waiting(await pawl.startRun("odd", hostileData));
        await go(page, `/inbox?task=${task}`);
        await page.getByRole("heading", { name: /longlong/ }).waitFor();
        assert.equal(await page.evaluate(() => "hacked" in window), false);
        await checkWidth(page);
        await shoot(page, "inbox-hostile-light");
        viewer.check();
    });

    test("narrow, dark and in Thai", async () => {
        const task = await waiting(await pawl.startRun("reply", { who: "ann", about: "hi" }));
        const long = "the customer who ordered two bicycles on Monday";
        await waiting(await pawl.startRun("plain", { what: long }));
        await go(page, "/inbox");
        await turn(page, { width: 360, scheme: "dark", language: "th" });
        await rows(page).nth(1).waitFor();
        // It goes on in a second line.
        const title = rows(page).getByText(long);
        const box = await title.boundingBox();
        assert.ok(box && box.height > 30 && box.height < 54, `it is ${box?.height} px high`);
        await checkAccess(page);
        await checkWidth(page);
        await shoot(page, "inbox-thai-dark-360");
        await go(page, `/inbox?task=${task}`);
        await page.getByRole("button", { name: "อนุมัติ", exact: true }).waitFor();
        await checkWidth(page);
        await checkAccess(page);
        await shoot(page, "inbox-task-thai-dark-360");
        viewer.check();
    });
});
