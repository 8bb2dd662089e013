import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { source } from "./support/paths.js";
import { metricsIn, parseMetrics, type Family } from "./support/prometheus.js";
import { pawlCommand } from "./support/process.js";
import { database, databaseUrl, define, pawl, request, runToEnd, sink } from "./support/server.js";
import { fails, ok } from "./support/sink.js";
import { until } from "./support/until.js";

async function metrics(): Promise<Map<string, Family>> {
    const response = await request("GET", "/metrics");
    assert.equal(response.status, 200);
    return parseMetrics(await response.text());
}

/** The value of a sample whose labels hold all of these. */
function valueOf(family: Family | undefined, ...labels: string[]): number | undefined {
    return family?.samples.find((one) => labels.every((label) => one.labels.includes(label)))
        ?.value;
}

/** The names in the first column of the page's tables. */
function documented(): Map<string, string> {
    const page = readFileSync(`${source}docs/metrics.md`, "utf8");
    const rows = page.matchAll(/^\| `([a-z_:]+)` \| (counter|gauge|histogram) \|/gm);
    return new Map(Array.from(rows, (row) => [row[1]!, row[2]!]));
}

/** Where an expression stands, and what it says. */
function expressions(): [string, string][] {
    const found: [string, string][] = [];
    const folder = `${source}deploy/grafana`;
    for (const file of readdirSync(folder)) {
        const board = JSON.parse(readFileSync(`${folder}/${file}`, "utf8"));
        for (const panel of board.panels) {
            assert.ok(panel.targets.length > 0, `${file}: ${panel.title} shows something`);
            for (const target of panel.targets)
                found.push([`${file}: ${panel.title}`, target.expr]);
        }
    }
    const rules = readFileSync(`${source}deploy/prometheus/alerts.yaml`, "utf8");
    for (const rule of rules.split(/^ +- alert: /m).slice(1)) {
        const name = rule.slice(0, rule.indexOf("\n"));
        const expression = /expr: (?:>\n((?: {10}.*\n)+)|(.*)\n)/.exec(rule);
        assert.ok(expression, `${name} has an expression`);
        found.push([`alert ${name}`, (expression[1] ?? expression[2])!]);
    }
    return found;
}

describe("metrics", () => {
    let workflow = "";
    let exported = new Map<string, Family>();

    before(async () => {
        const step = sink.function().will(fails(503), ok());
        const broken = sink.function().will(fails(400));
        const retry = { attempts: 3, base: "10ms" };
        workflow = await define([{ name: "call", function: step.name, action: "x", retry }]);
        await runToEnd(workflow);
        const fatal = await define([{ name: "call", function: broken.name, action: "x", retry }]);
        await runToEnd(fatal);
        const asks = await define([
            { name: "ask", type: "human", title: "May we?", assignee: "ann" },
        ]);
        await pawl.start(asks);
        // No server listens there: after a few attempts it is left alone.
        const nowhere = { url: "http://127.0.0.1:1/", method: "GET" };
        const often = { attempts: 30, base: "10ms", factor: 1 };
        await pawl.start(await define([{ name: "call", http: nowhere, retry: often }]));
        await database.query(
            `insert into queues.task (task_type, payload)
             values ('db_function', '{"db_function": "no.such"}')`,
        );
        // What the database holds is counted every 15 seconds; for us, now.
        await until("the task is dealt with", async () =>
            (await metrics()).get("pawl_tasks_total")?.samples.length ? true : undefined,
        );
        await until("the figures are there", async () => {
            await database.query("update pawl.figures set taken_at = '-infinity'");
            exported = await metrics();
            const open = valueOf(exported.get("pawl_human_tasks_open"), asks);
            const dead = valueOf(exported.get("pawl_dead_letters_open"), fatal);
            const broken = valueOf(exported.get("pawl_circuits_open"), '"http://127.0.0.1:1"');
            return open === 1 && dead === 1 && broken ? true : undefined;
        });
    });

    test("count by workflow, and under the document's names", () => {
        const steps = exported.get("pawl_steps_total");
        assert.equal(valueOf(steps, workflow, 'outcome="retried"'), 1);
        assert.equal(valueOf(steps, workflow, 'outcome="completed"'), 1);
        const closed = exported.get("pawl_runs_closed_total");
        assert.equal(valueOf(closed, workflow, 'status="completed"'), 1);
        assert.equal(valueOf(exported.get("workflow_runs_started_total"), workflow), 1);
        assert.equal(valueOf(exported.get("workflow_steps_executed_total"), workflow), 2);
        assert.equal(valueOf(exported.get("workflow_steps_failed_total"), workflow), 1);
        assert.ok(valueOf(exported.get("workers_active"))! >= 1);
        assert.ok(valueOf(exported.get("pawl_table_bytes"), '"live_run"')! > 0);
        assert.ok(exported.get("pawl_queue_messages")!.samples.length >= 2);
        const opened = exported.get("pawl_circuits_opened_total");
        assert.ok(valueOf(opened, '"http://127.0.0.1:1"')! >= 1);
        assert.equal(valueOf(exported.get("pawl_outbox_pending"), '"notify"'), 0);
    });

    test("runs that SQL and the command line start are counted", async () => {
        const name = await define([{ name: "s", code: "noop" }]);
        await database.query("select pawl.start($1)", [name]);
        await database.query("select pawl.start_many($1, '[{}, {}]')", [name]);
        await pawlCommand(["run", name, "--wait"], { DATABASE_URL: databaseUrl });
        await until("they are counted", async () => {
            const page = await metrics();
            return valueOf(page.get("workflow_runs_started_total"), name) === 4;
        });
    });

    test("are documented, all of them, with their type", () => {
        const page = documented();
        for (const [name, family] of exported) {
            assert.equal(page.get(name), family.type, `${name} in docs/metrics.md`);
            assert.notEqual(family.help, "", name);
        }
    });

    test("that are documented exist and have values", () => {
        for (const name of documented().keys()) {
            assert.ok(exported.get(name)?.samples.length, `${name} is exported`);
        }
    });

    test("in dashboards and alerts exist", () => {
        const all = expressions();
        assert.ok(all.length > 60);
        for (const [where, expression] of all) {
            const names = metricsIn(expression);
            assert.ok(names.length > 0, `${where} names a metric`);
            for (const name of names) {
                if (name === "up") continue; // Prometheus's own
                const base = name.replace(/_(bucket|sum|count)$/, "");
                const family = exported.get(name) ?? exported.get(base);
                assert.ok(family, `${where}: ${name} is exported`);
                assert.equal(family.type === "histogram", name !== base, `${where}: ${name}`);
            }
        }
    });

    test("names in expressions are found", () => {
        assert.deepEqual(
            metricsIn(
                'histogram_quantile(0.9, sum by (le, x) (rate(a_b_bucket{y="sum(c)"}[5m]))) > 1e9' +
                    " and on (z) max(d offset 5m) / 2",
            ),
            ["a_b_bucket", "d"],
        );
    });

    test("alerts lead to the runbook", () => {
        const rules = readFileSync(`${source}deploy/prometheus/alerts.yaml`, "utf8");
        const book = readFileSync(`${source}docs/runbook.md`, "utf8");
        const headings = Array.from(book.matchAll(/^## (.*)$/gm), (heading) =>
            heading[1]!
                .toLowerCase()
                .replace(/[^a-z0-9 -]/g, "")
                .replaceAll(" ", "-"),
        );
        const links = Array.from(rules.matchAll(/runbook: docs\/runbook\.md#(\S+)/g));
        assert.equal(links.length, rules.match(/- alert:/g)!.length);
        for (const [, link] of links) assert.ok(headings.includes(link!), `#${link}`);
    });
});
