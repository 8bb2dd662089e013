import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { readProblem } from "./support/contract.js";
import { database, pawl, request } from "./support/server.js";
import { asked, post, result } from "./support/tasks.js";
import { until } from "./support/until.js";

// Links by which a person decides a task without a key, on a page without script.

const form = {
    type: "object",
    required: ["amount"],
    additionalProperties: false,
    properties: { amount: { type: "number", minimum: 0, maximum: 100 } },
};

describe("links", { concurrency: 4 }, () => {
    async function link(id: string, by: string, expiresIn?: string): Promise<string> {
        const made = await pawl.tasks.link(id, by, expiresIn ? { expiresIn } : {});
        return new URL(made.url).pathname + new URL(made.url).search;
    }
    const send = (path: string, fields: Record<string, string>): Promise<Response> =>
        request("POST", path, {
            key: undefined,
            headers: { "Content-Type": "application/x-www-form-urlencoded" },
            body: new URLSearchParams(fields).toString(),
        });
    const open = (path: string): Promise<Response> => request("GET", path, { key: undefined });

    test("show a page that asks, and decide by POST only", async () => {
        const { run, task } = await asked({
            title: "Refund <b>99</b>?",
            description: "Really & truly",
        });
        const path = await link(task.id, "ann");
        const page = await open(path);
        assert.equal(page.status, 200);
        assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
        assert.equal(page.headers.get("cache-control"), "no-store");
        const html = await page.text();
        assert.match(html, /Refund &lt;b&gt;99&lt;\/b&gt;\?/);
        assert.match(html, /Really &amp; truly/);
        assert.equal((await pawl.tasks.get(task.id)).state, "open");
        const done = await send(path, { decision: "approve", reason: "ja" });
        assert.equal(done.status, 200);
        assert.match(await done.text(), /It is approved/);
        const { by, reason } = await result(run);
        assert.deepEqual([by, reason], ["ann", "ja"]);
        for (const again of [await open(path), await send(path, { decision: "approve" })]) {
            assert.equal(again.status, 409);
            assert.match(await again.text(), /approved by ann/);
        }
    });

    test("speak the language of the browser, and say when it is due", async () => {
        const { run, task } = await asked({ title: "Refund?", due: "2h", form });
        const path = await link(task.id, "ann");
        const thai = { "Accept-Language": "th-TH,th;q=0.9,en;q=0.8" };
        const page = await request("GET", path, { key: undefined, headers: thai });
        const html = await page.text();
        assert.match(html, /<html lang="th">/);
        assert.match(html, /คุณตัดสินใจในนาม ann/);
        assert.match(html, /\(จำเป็น\)/);
        // In UTC; the only script that may run writes it in the zone of the reader.
        assert.match(html, /<time datetime="[^"]+Z">\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time>/);
        const script = /<script>(.+)<\/script>/.exec(html)![1]!;
        const hash = createHash("sha256").update(script).digest("base64");
        const policy = page.headers.get("content-security-policy")!;
        assert.ok(policy.includes(`script-src 'sha256-${hash}';`), policy);
        const english = await (await open(path)).text();
        assert.match(english, /<html lang="en">/);
        assert.match(english, /You decide as ann\. Due <time/);
        const sendThai = (fields: Record<string, string>): Promise<Response> =>
            request("POST", path, {
                key: undefined,
                headers: { ...thai, "Content-Type": "application/x-www-form-urlencoded" },
                body: new URLSearchParams(fields).toString(),
            });
        const wrong = await sendThai({ decision: "approve", "data/amount": "500" });
        assert.equal(wrong.status, 422);
        const said = await wrong.text();
        assert.match(said, /id="[^"]*amount-wrong">ต้องไม่เกิน 100</);
        assert.doesNotMatch(said, /must be|at most/);
        assert.match(
            await (await sendThai({ decision: "approve", "data/amount": "many" })).text(),
            />ต้องเป็นตัวเลข</,
        );
        const done = await sendThai({ decision: "approve", data: '{"amount": 5}' });
        assert.match(await done.text(), /ขอบคุณ งานนี้อนุมัติแล้ว/);
        assert.equal((await result(run)).by, "ann");
    });

    test("edit and reject on the page", async () => {
        const edited = await asked({ form });
        const path = await link(edited.task.id, "ann");
        assert.match(await (await open(path)).text(), /name="data\/amount"/);
        const wrong = await send(path, { decision: "approve", data: '{"amount": 500}' });
        assert.equal(wrong.status, 422);
        assert.match(await wrong.text(), /at most 100/);
        assert.equal((await send(path, { decision: "approve", data: "{" })).status, 422);
        await send(path, { decision: "approve", data: '{"amount": 5}' });
        assert.deepEqual((await result(edited.run))["data"], { amount: 5 });

        const rejected = await asked();
        const other = await link(rejected.task.id, "bob");
        assert.equal((await send(other, { decision: "reject" })).status, 422);
        assert.equal((await send(other, { decision: "what" })).status, 422);
        assert.equal((await send(other, { decision: "reject", reason: "no" })).status, 200);
        assert.equal((await pawl.tasks.get(rejected.task.id)).decided_by, "bob");
    });

    test("show the form as fields, and what is wrong beside them", async () => {
        const { run, task } = await asked({
            data: { name: "Ann <b>", hidden: [1, 2], ok: true },
            form: {
                type: "object",
                required: ["name", "amount"],
                properties: {
                    name: { type: "string", title: "Who & why", maxLength: 40 },
                    amount: { type: "integer", minimum: 1, description: "In cents" },
                    plan: { enum: ["basic", "pro", 3] },
                    ok: { type: "boolean" },
                    tags: { type: "array", items: { enum: ["a", "b"] } },
                    place: { type: "object", properties: { city: { type: "string" } } },
                },
            },
        });
        const path = await link(task.id, "ann");
        const html = await (await open(path)).text();
        assert.doesNotMatch(html, /<script|onerror|<b>/);
        assert.match(html, /Who &amp; why/);
        assert.match(html, /name="data\/name"[^>]* value="Ann &lt;b&gt;"/);
        assert.match(html, /<legend>Place<\/legend>\s*<label for="data\/place\/city">City/);
        assert.match(html, /type="checkbox"[^>]*name="data\/ok" value="true" checked/);
        const fields = {
            "data/": "",
            "data/name": 'Eve "the <i>boss"',
            "data/amount": "12x",
            "data/plan": "3",
            "data/tags": '"b"',
            "data/place/city": "Bangkok",
            decision: "approve",
        };
        const wrong = await send(path, fields);
        assert.equal(wrong.status, 422);
        const again = await wrong.text();
        assert.match(again, /id="data\/amount-wrong">must be [^<]*integer|whole number/);
        assert.match(again, /value="12x"/, "what was typed is still there");
        assert.match(again, /value="Eve &quot;the &lt;i&gt;boss&quot;"/);
        assert.match(again, /<option value="3" selected>/);
        assert.equal((await pawl.tasks.get(task.id)).state, "open");
        const done = await send(path, { ...fields, "data/amount": "9007199254740993" });
        assert.equal(done.status, 200, await done.text());
        const { rows } = await database.query(
            "select string_agg(data::text, ' ') as data from pawl.task_decision where task = $1",
            [task.id],
        );
        assert.match(rows[0].data, /9007199254740993/, "numbers are exact");
        assert.deepEqual((await result(run))["data"], {
            name: 'Eve "the <i>boss"',
            amount: 9007199254740993,
            plan: 3,
            ok: false,
            tags: ["b"],
            place: { city: "Bangkok" },
            hidden: [1, 2],
        });
    });

    test("are for one task and for a time", async () => {
        const [one, two] = [await asked(), await asked()];
        const path = await link(one.task.id, "ann");
        const foreign = path.replace(one.task.id, two.task.id);
        for (const wrong of [foreign, `${path}x`, path.replace(/token=.*/, "token=x")]) {
            for (const response of [
                await open(wrong),
                await send(wrong, { decision: "approve" }),
            ]) {
                assert.equal(response.status, 403);
                assert.match(await response.text(), /not valid/);
            }
        }
        const short = await link(two.task.id, "ann", "1ms");
        const late = await until("expired", async () => {
            const response = await open(short);
            return response.status === 410 ? response : undefined;
        });
        assert.match(await late.text(), /expired/);
        await pawl.cancel(one.run);
        await pawl.cancel(two.run);
    });

    test("of a person who is not asked do not help", async () => {
        const { task, run } = await asked({ assignee: "ann" });
        await readProblem(await post(task.id, "links", { by: "eve" }), 422);
        const path = await link(task.id, "ann");
        await pawl.tasks.delegate(task.id, "bob", { by: "ann" });
        const refused = await send(path, { decision: "approve" });
        assert.equal(refused.status, 403);
        await pawl.cancel(run);
    });
});
