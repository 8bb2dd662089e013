import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { stringify as yaml } from "yaml";
import { signIn, Viewer } from "./support/browser.ts";
import { binary, eventually, Pawl } from "./support/serve.ts";

const run = promisify(execFile);

// Whatever is in a name, it is one word of a command and one text of SQL.
const person = `ann's "$(touch hacked)"; drop`;
const workflow = "order.v-2_";

/** What is copied from each page works as it is: in a shell, on the command line, in psql. */
describe("copies", () => {
    const pawl = new Pawl();
    const viewer = new Viewer();
    const folder = mkdtempSync(`${tmpdir()}/pawl-ui-`);
    let page: Page;
    let first = "";
    let second = "";
    before(async () => {
        await pawl.start();
        symlinkSync(binary(), `${folder}/pawl`);
        await pawl.define(workflow, [{ name: "paid", wait: { signal: "paid", timeout: "3d" } }], {
            person: true,
            triggers: [{ event: "signed_up" }],
        });
        const about = { subject: person, correlation_id: person };
        first = await pawl.startRun(workflow, { total: 5 }, about);
        second = await pawl.startRun(workflow, {}, { subject: "bo" });
        await pawl.until(first, "waiting");
        const path = `/v1/people/${encodeURIComponent(person)}`;
        await pawl.request("PUT", path, { attributes: { first_name: "Ann" } });
        page = await viewer.open();
        await signIn(page, pawl, "/");
    });
    after(async () => {
        await viewer.close();
        await pawl.stop();
        rmSync(folder, { recursive: true });
    });

    const shell = async (text: string) => {
        const path = `${folder}:${process.env["PATH"]}`;
        const env = { ...process.env, DATABASE_URL: pawl.databaseUrl, PAWL_API_KEY: pawl.key };
        const { stdout } = await run("bash", ["-c", text], {
            cwd: folder,
            env: { ...env, PATH: path },
        });
        return stdout;
    };
    const works = {
        curl: (text: string) => shell(text.replaceAll("curl -sS", "curl -sSf")),
        // It finds something in a database for tests, and says so by its exit code.
        CLI: (text: string) => shell(text === "pawl doctor" ? `${text} || [ $? = 1 ]` : text),
        SQL: async (text: string) => pawl.sql(text),
        // The thing itself: there is nothing to run.
        YAML: async (text: string) => text,
        JSON: async (text: string) => text,
    };
    type Door = keyof typeof works;

    /** Copies by each door of the menu, and runs what was copied. */
    const copied = async (within = page.locator("body")) => {
        const answers: Partial<Record<Door, string>> = {};
        const button = within.getByRole("button", { name: /^(Copy as|Copied)$/ }).last();
        for (const door of Object.keys(works) as Door[]) {
            await button.click();
            const menu = page.getByRole("menu");
            await menu.getByRole("menuitem").first().waitFor();
            const item = menu.getByRole("menuitem", { name: door === "CLI" ? "pawl" : door });
            if ((await item.count()) === 0) {
                // The menu hears the key once it has the focus.
                await page.locator("[role=menu]:focus-within").waitFor();
                await page.keyboard.press("Escape");
                await menu.waitFor({ state: "detached" });
                continue;
            }
            await item.click();
            await menu.waitFor({ state: "detached" });
            const text = await page.evaluate(() => navigator.clipboard.readText());
            answers[door] = await works[door](text).catch((error: Error) => {
                throw new Error(`${page.url()}: ${text}\n${error.message}`);
            });
        }
        return answers;
    };

    const name = encodeURIComponent(workflow);
    const key = encodeURIComponent(person);
    const filter = `workflow=${name}&correlation=${key}`;
    const pages: [string, string][] = [
        ["/", "curl CLI SQL"],
        ["/workflows", "curl CLI SQL"],
        [`/workflows/${name}`, "curl CLI SQL"],
        [`/workflows/${name}?tab=runs`, "curl CLI SQL"],
        [`/workflows/${name}?tab=funnel`, "curl CLI SQL"],
        [`/workflows/${name}?tab=versions`, "curl CLI"],
        [`/workflows/${name}?tab=triggers`, "curl CLI"],
        [`/workflows/${name}?tab=text`, "curl CLI"],
        ["/runs", "curl CLI SQL"],
        [`/runs?workflow=${name}&subject=${key}&status=waiting`, "curl CLI"],
        [`/runs?${filter}&after=2h`, "curl SQL"],
        ["/runs?error=50%25&status=failed", "curl CLI SQL"],
        ["/inbox", "curl CLI"],
        ["/inbox?view=mine", "curl CLI"],
        ["/people", "curl"],
        [`/people/${key}`, "curl CLI SQL"],
        ["/messages", "curl CLI SQL"],
        [`/messages?person=${key}&state=bounced`, "curl CLI SQL"],
        [`/messages?workflow=${name}`, "curl SQL"],
        ["/failures", "curl CLI SQL"],
        ["/operations?tab=overview", "curl CLI"],
        ["/operations?tab=queues", "curl SQL"],
        ["/operations?tab=schedules", "curl CLI"],
        ["/operations?tab=limits", "curl CLI"],
        ["/operations?tab=targets", "curl SQL"],
        ["/operations?tab=webhooks", "curl CLI"],
        ["/operations?tab=jobs", "curl CLI"],
        ["/operations?tab=workers", "curl SQL"],
        ["/settings?tab=keys", "curl CLI"],
        ["/settings?tab=connectors", "curl CLI"],
        ["/settings?tab=audit", "curl SQL"],
        ["/settings?tab=tenants", "curl CLI"],
    ];
    for (const [path, doors] of pages) {
        test(`${path} by ${doors}`, async () => {
            await page.goto(pawl.url + path);
            const answers = await copied();
            assert.equal(Object.keys(answers).join(" "), doors);
            viewer.check();
        });
    }

    test("a run and two runs", async () => {
        await page.goto(`${pawl.url}/runs/${first}`);
        const one = await copied();
        for (const answer of Object.values(one)) assert.ok(answer.includes(first));
        assert.equal(Object.keys(one).length, 3);
        await page.goto(`${pawl.url}/runs/${first}/compare?with=${second}`);
        const two = await copied();
        for (const answer of Object.values(two)) assert.ok(answer.includes("paid"), answer);
        assert.equal(Object.keys(two).length, 3);
    });

    test("the same by each door: runs of a subject, what is known of a person", async () => {
        await page.goto(`${pawl.url}/runs?${filter}`);
        for (const answer of Object.values(await copied())) {
            assert.ok(answer.includes(first), answer);
            assert.ok(!answer.includes(second), answer);
        }
        // Who waits where is written down behind the log.
        const inside = `select count(*) from pawl.people_inside where run_id = '${first}'`;
        await eventually(async () => assert.equal(pawl.sql(inside), "1"));
        await page.goto(`${pawl.url}/people/${key}`);
        const answers = await copied();
        assert.match(answers.curl!, /Ann/);
        assert.match(answers.CLI!, /Ann/);
        assert.ok(answers.SQL!.includes(first), answers.SQL);
    });

    test("the builder: a draft as it is saved, published, simulated, and as text", async () => {
        const tricky = `it's "1 | 2"; $(touch hacked)`;
        const name = "drawn";
        const drawn = {
            name,
            description: tricky,
            triggers: [{ event: "signed_up" }],
            nodes: [
                { id: "begin", type: "trigger", config: {} },
                { id: "rest", type: "wait", config: { duration: "1d" } },
            ],
            edges: [{ from: "begin", to: "rest" }],
        };
        await pawl.request("PUT", `/v1/workflows/${name}/draft`, { text: yaml(drawn) });
        await page.goto(`${pawl.url}/workflows/${name}/edit?panel=simulate`);
        await page.locator("[data-step=rest]").waitFor();
        await page.locator("[role=tab][data-checking=false]").getByText("No problems").waitFor();
        const head = page.locator("header");
        const { curl, YAML, JSON: json, ...others } = await copied(head);
        assert.deepEqual(others, {});
        assert.equal(JSON.parse(curl!).name, name);
        assert.match(YAML!, /^name: drawn$/m);
        assert.equal(JSON.parse(json!).description, tricky);
        const simulated = await copied(page.getByRole("region", { name: "Simulate" }));
        assert.equal(Object.keys(simulated).join(" "), "curl CLI");
        await head.getByRole("button", { name: "Publish" }).click();
        const published = await copied(page.getByRole("dialog"));
        assert.equal(Object.keys(published).join(" "), "curl CLI SQL");
        // SQL keeps what is written, the others what is meant: the same steps each time.
        const path = `/v1/workflows/${name}`;
        const { data } = await pawl.request<{ data: { version: number }[] }>(
            "GET",
            `${path}/versions`,
        );
        for (const { version } of data) {
            const { definition } = await pawl.request<{ definition: typeof drawn }>(
                "GET",
                `${path}/versions/${version}`,
            );
            assert.equal(definition.description, tricky);
            assert.deepEqual(
                definition.nodes.map((node) => [node.id, node.type]),
                drawn.nodes.map((node) => [node.id, node.type]),
            );
        }
        viewer.check();
    });

    test("dialogs: an event that is sent, a person who is added", async () => {
        await page.goto(`${pawl.url}/workflows/${name}?tab=triggers`);
        await page.getByRole("button", { name: "Send an event" }).first().click();
        const send = page.getByRole("dialog");
        await send.getByLabel("Key or subject").fill(person);
        assert.equal(Object.keys(await copied(send)).length, 3);
        const events = await pawl.request<{ data: { name: string; subject: string }[] }>(
            "GET",
            "/v1/events?name=signed_up",
        );
        assert.deepEqual(
            events.data.map((one) => one.subject),
            [person, person, person],
        );
        await page.goto(`${pawl.url}/people`);
        await page.getByRole("button", { name: "Add a person" }).first().click();
        const add = page.getByRole("dialog");
        await add.getByLabel("Key").fill(`${person} 2`);
        await add.getByLabel("First name").fill("'Bo'");
        assert.equal(Object.keys(await copied(add)).join(" "), "curl CLI");
        const bo = `/v1/people/${encodeURIComponent(`${person} 2`)}`;
        assert.match(await pawl.requestText("GET", bo), /'Bo'/);
        viewer.check();
    });
});
