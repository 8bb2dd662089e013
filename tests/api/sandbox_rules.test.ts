import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { pawlExit } from "./support/process.js";
import { Sandbox, type SandboxAccount } from "./support/sandbox.js";

// What the providers of the sandbox refuse, in the words of the real ones.

const user = `U${"0123456789abcdef".repeat(2)}`;

describe("the rules of the sandbox's providers", () => {
    const sandbox = new Sandbox();
    const accounts: Record<string, SandboxAccount> = {};
    before(async () => {
        await sandbox.start();
        for (const one of ["line", "sms_8x8", "twilio", "sendgrid", "resend", "fcm", "smtp"]) {
            accounts[one] = await sandbox.account(one, "shop");
        }
    });
    after(() => sandbox.stop());

    interface Answer {
        status: number;
        headers: Headers;
        json: any;
    }
    async function post(
        provider: string,
        path: string,
        body: unknown,
        headers: Record<string, string> = {},
    ): Promise<Answer> {
        const raw = typeof body === "string";
        const response = await fetch(`${sandbox.url}/sandbox/${provider}/${path}`, {
            method: "POST",
            headers: { "Content-Type": "application/json", ...headers },
            body: raw ? body : JSON.stringify(body),
        });
        const text = await response.text();
        const json = text === "" ? null : JSON.parse(text);
        return { status: response.status, headers: response.headers, json };
    }
    const bearer = (provider: string, key: string): Record<string, string> => ({
        Authorization: `Bearer ${String(accounts[provider]!.credentials[key])}`,
    });

    test("LINE", async () => {
        const auth = bearer("line", "channel_access_token");
        const push = (body: unknown, headers: Record<string, string> = auth) =>
            post("line", "v2/bot/message/push", body, headers);
        const text = (what: string) => [{ type: "text", text: what }];
        const refusedBy = await push(
            { to: user, messages: text("hi") },
            { Authorization: "Bearer x" },
        );
        assert.equal(refusedBy.status, 401);
        assert.match(refusedBy.json.message, /^Authentication failed/);
        assert.ok(refusedBy.headers.get("x-line-request-id"));
        for (const [body, property] of [
            [{ to: user, messages: [] }, "messages"],
            [{ to: user, messages: Array(6).fill({ type: "text", text: "x" }) }, "messages"],
            [{ to: user, messages: text("") }, "messages[0].text"],
            [{ to: user, messages: text("x".repeat(5001)) }, "messages[0].text"],
            [{ to: user, messages: [{ type: "image" }] }, "messages[0].originalContentUrl"],
            [{ to: user, messages: [{ type: "flex", altText: "x" }] }, "messages[0].contents"],
            [{ to: user, messages: [{ type: "fax", text: "x" }] }, "messages[0].type"],
            [{ to: user, messages: ["x"] }, "messages[0]"],
        ] as const) {
            const refused = await push(body);
            assert.equal(refused.status, 400, property);
            assert.match(refused.json.message, /^The request body has \d+ error\(s\)$/);
            assert.equal(refused.json.details[0].property, property);
        }
        const wrong = await push({ to: "ann", messages: text("hi") });
        assert.equal(wrong.status, 400);
        assert.match(wrong.json.message, /'to'/);
        assert.equal((await push("{", auth)).status, 400);
        assert.equal(
            (await push({ to: user }, { ...auth, "Content-Type": "text/plain" })).status,
            415,
        );

        const retry = { ...auth, "X-Line-Retry-Key": randomUUID() };
        const first = await push({ to: user, messages: text("hi") }, retry);
        assert.equal(first.status, 200);
        const again = await push({ to: user, messages: text("hi") }, retry);
        assert.equal(again.status, 409);
        assert.equal(again.json.message, "The retry key is already accepted");
        assert.deepEqual(again.json.sentMessages, first.json.sentMessages);
        assert.ok(again.headers.get("x-line-accepted-request-id"));
        const bad = { ...auth, "X-Line-Retry-Key": "x" };
        assert.equal((await push({ to: user, messages: text("hi") }, bad)).status, 400);

        const many = (to: unknown) =>
            post("line", "v2/bot/message/multicast", { to, messages: text("hi") }, auth);
        assert.deepEqual((await many([user])).json, {});
        assert.equal((await many([])).status, 400);
        assert.equal((await many(Array(501).fill(user))).status, 400);
        const reply = { replyToken: "nope", messages: text("hi") };
        const used = await post("line", "v2/bot/message/reply", reply, auth);
        assert.equal(used.json.message, "Invalid reply token");
        assert.equal((await post("line", "v2/bot/message/reply", reply, retry)).status, 400);
        assert.equal((await post("line", "v2/bot/message/fax", {}, auth)).status, 404);
    });

    test("8x8", async () => {
        const { subaccount_id: id } = accounts["sms_8x8"]!.credentials;
        const path = `api/v1/subaccounts/${String(id)}`;
        const auth = bearer("sms_8x8", "api_key");
        const send = (body: unknown) => post("sms_8x8", `${path}/messages`, body, auth);
        assert.equal((await post("sms_8x8", `${path}/messages`, {})).json.code, 1200);
        const other = await post("sms_8x8", "api/v1/subaccounts/other/messages", {}, auth);
        assert.equal(other.status, 403);
        for (const body of [
            {},
            { destination: "+66812345678" },
            { destination: "none", text: "hi" },
            { destination: "+66812345678", text: "x".repeat(2000) },
            { destination: "+66812345678", text: "hi", clientMessageId: "x".repeat(51) },
            { destination: "+66812345678", text: "hi", encoding: "EBCDIC" },
            "[]",
        ]) {
            const refused = await send(body);
            assert.equal(refused.status, 400, JSON.stringify(body).slice(0, 60));
            assert.ok(refused.json.code > 0 && refused.json.errorId);
        }
        const fine = await send({
            destination: "+66812345678",
            text: "สวัสดี",
            clientMessageId: "c",
        });
        assert.equal(fine.json.status.code, "QUEUED");
        assert.equal(fine.json.encoding, "UCS2");
        const batch = { messages: [{ destination: "+66812345678", text: "a" }, { text: "b" }] };
        const some = await post("sms_8x8", `${path}/messages/batch`, batch, auth);
        assert.deepEqual([some.json.acceptedCount, some.json.rejectedCount], [1, 1]);
    });

    test("Twilio", async () => {
        const { account_sid: sid, auth_token: token } = accounts["twilio"]!.credentials;
        const path = `2010-04-01/Accounts/${String(sid)}/Messages.json`;
        const basic = Buffer.from(`${String(sid)}:${String(token)}`).toString("base64");
        const auth = {
            Authorization: `Basic ${basic}`,
            "Content-Type": "application/x-www-form-urlencoded",
        };
        const send = (form: Record<string, string>) =>
            post("twilio", path, new URLSearchParams(form).toString(), auth);
        const fine = { To: "+66812345678", From: "+15005550006", Body: "hi" };
        assert.equal((await post("twilio", path, "")).json.code, 20003);
        for (const [form, code] of [
            [{ From: "+15005550006", Body: "hi" }, 21604],
            [{ To: "+66812345678", Body: "hi" }, 21603],
            [{ To: "+66812345678", From: "+15005550006" }, 21602],
            [{ ...fine, Body: "x".repeat(1601) }, 21617],
            [{ ...fine, To: "ann" }, 21211],
            [{ ...fine, To: "+15005550004" }, 21610],
            [{ ...fine, From: "no name at all here" }, 21212],
        ] as const) {
            const refused = await send(form as Record<string, string>);
            assert.equal(refused.json.code, code);
            assert.equal(refused.json.status, 400);
        }
        const sent = await send(fine);
        assert.equal(sent.status, 201);
        assert.equal(sent.json.status, "queued");
        const there = `${sandbox.url}/sandbox/twilio/${path.replace(".json", "")}`;
        const look = await fetch(`${there}/${sent.json.sid as string}.json`, { headers: auth });
        assert.equal(((await look.json()) as any).to, fine.To);
    });

    test("SendGrid", async () => {
        const auth = bearer("sendgrid", "api_key");
        const send = (body: unknown) => post("sendgrid", "v3/mail/send", body, auth);
        const fine = {
            personalizations: [{ to: [{ email: "a@b.example" }] }],
            from: { email: "c@d.example" },
            subject: "Hi",
            content: [{ type: "text/plain", value: "x" }],
        };
        assert.equal((await post("sendgrid", "v3/mail/send", fine)).status, 401);
        const html = { type: "text/html", value: "x" };
        for (const [change, field] of [
            [{ personalizations: [] }, "personalizations"],
            [{ personalizations: [{ to: [{ email: "x" }] }] }, "personalizations.0.to.0.email"],
            [
                { personalizations: [{ to: [{ email: "a@b.example" }], custom_args: { n: 1 } }] },
                "personalizations.0.custom_args",
            ],
            [{ from: {} }, "from.email"],
            [{ subject: "" }, "subject"],
            [{ content: [] }, "content"],
            [{ content: [html, fine.content[0]] }, "content"],
            [{ content: [{ type: "text/plain", value: "" }] }, "content.0.value"],
        ] as const) {
            const refused = await send({ ...fine, ...change });
            assert.equal(refused.status, 400, field);
            assert.equal(refused.json.errors[0].field, field);
        }
        const sent = await send(fine);
        assert.equal(sent.status, 202);
        assert.equal(sent.json, null);
        assert.match(sent.headers.get("x-message-id") ?? "", /^[\w-]{22}$/);
    });

    test("Resend", async () => {
        const auth = bearer("resend", "api_key");
        const send = (body: unknown, more: Record<string, string> = {}) =>
            post("resend", "emails", body, { ...auth, ...more });
        const fine = { from: "S <s@s.example>", to: ["a@b.example"], subject: "Hi", text: "x" };
        assert.equal((await post("resend", "emails", fine)).json.name, "missing_api_key");
        for (const [change, name] of [
            [{ from: undefined }, "missing_required_field"],
            [{ to: [] }, "missing_required_field"],
            [{ subject: undefined }, "missing_required_field"],
            [{ to: ["none"] }, "validation_error"],
            [{ to: Array(51).fill("a@b.example") }, "validation_error"],
            [{ text: "" }, "validation_error"],
            [{ tags: [{ name: "a b", value: "c" }] }, "validation_error"],
        ] as const) {
            const refused = await send({ ...fine, ...change });
            assert.equal(refused.json.name, name);
            assert.equal(refused.json.statusCode, refused.status);
        }
        const key = { "Idempotency-Key": randomUUID() };
        const first = await send(fine, key);
        assert.deepEqual((await send(fine, key)).json, first.json);
        const other = await send({ ...fine, text: "y" }, key);
        assert.equal(other.status, 409);
        assert.equal(other.json.name, "invalid_idempotent_request");
        const long = await send(fine, { "Idempotency-Key": "x".repeat(257) });
        assert.equal(long.json.name, "invalid_idempotency_key");
        const batch = await post("resend", "emails/batch", [fine, fine], auth);
        assert.equal(batch.json.data.length, 2);
        const tooMany = await post("resend", "emails/batch", Array(101).fill(fine), auth);
        assert.equal(tooMany.status, 422);
    });

    test("FCM", async () => {
        const service = accounts["fcm"]!.credentials["service_account"] as Record<string, string>;
        const path = `v1/projects/${service["project_id"]!}/messages:send`;
        const none = await post("fcm", path, {}, { Authorization: "Bearer ya29.x" });
        assert.equal(none.json.error.status, "UNAUTHENTICATED");
        const grant = await post(
            "fcm",
            "token",
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b.c",
            { "Content-Type": "application/x-www-form-urlencoded" },
        );
        assert.equal(grant.json.error, "invalid_grant");
    });

    test("SMTP", async () => {
        const url = new URL(String(accounts["smtp"]!.credentials["url"]));
        const { username, password } = accounts["smtp"]!.credentials;
        const login = Buffer.from(`\0${String(username)}\0${String(password)}`).toString("base64");
        const talk = (lines: string[]): Promise<string[]> =>
            new Promise((resolve, reject) => {
                const answers: string[] = [];
                let next = 0;
                const socket = connect(Number(url.port), url.hostname);
                socket.setEncoding("utf8");
                socket.on("error", reject);
                socket.on("close", () => resolve(answers));
                let rest = "";
                socket.on("data", (text) => {
                    rest += String(text);
                    let end = rest.indexOf("\r\n");
                    for (; end >= 0; end = rest.indexOf("\r\n")) {
                        const line = rest.slice(0, end);
                        rest = rest.slice(end + 2);
                        if (line[3] === "-") continue;
                        answers.push(line);
                        if (next < lines.length) socket.write(`${lines[next++]!}\r\n`);
                        else socket.end();
                    }
                });
            });
        const early = await talk(["MAIL FROM:<a@b.example>", "EHLO x", "MAIL FROM:<a@b.example>"]);
        assert.match(early[1]!, /^503 /);
        assert.match(early[3]!, /^530 /);
        const wrong = await talk([
            "EHLO x",
            `AUTH PLAIN ${Buffer.from("\0a\0b").toString("base64")}`,
        ]);
        assert.match(wrong[2]!, /^535 /);
        const to = `ann.${randomUUID()}@customers.example`;
        const said = await talk([
            "EHLO x",
            `AUTH PLAIN ${login}`,
            "DATA",
            "MAIL FROM:<none>",
            "MAIL FROM:<news@shop.example>",
            "RCPT TO:<bounce@customers.example>",
            `RCPT TO:<${to}>`,
            "DATA",
            "Message-ID: <1@shop.example>\r\nSubject: Hi\r\n\r\n..dot\r\n.",
            "QUIT",
        ]);
        assert.deepEqual(
            said.map((line) => line.slice(0, 3)),
            ["220", "250", "235", "503", "501", "250", "550", "250", "354", "250", "221"],
        );
        const [message] = await sandbox.messages("smtp", to);
        assert.equal(message!.id, "<1@shop.example>");
        assert.match(String(message!.request), /\r\n\.dot\r\n$/);
        const long = await talk([`EHLO ${"x".repeat(5000)}`]);
        assert.match(long[1]!, /^500 /);
    });

    test("the console says what is wrong", async () => {
        const wrong = (method: string, path: string, body?: unknown): Promise<string> =>
            sandbox.console(method, path, body).then(
                () => "fine",
                (error: Error) => error.message,
            );
        assert.match(await wrong("PUT", "accounts/fax/x", {}), /^404 there is no provider 'fax'/);
        assert.match(await wrong("PUT", "accounts/line/x%2f", {}), /^400 the name/);
        assert.match(await wrong("PUT", "accounts/line/x", { hook: "x" }), /^400 .*hook_url/);
        assert.match(
            await wrong("PUT", "accounts/line/x", { hook_url: "ftp://x" }),
            /^400 hook_url/,
        );
        const shares = { opened: 100, clicked: 0 };
        const told = await fetch(`${sandbox.url}/sandbox/accounts/line/shares`, {
            method: "PUT",
            body: JSON.stringify({ behaviour: shares }),
        });
        const text = await told.text();
        assert.match(text, /"opened":100,/);
        assert.match(text, /"clicked":0,/);
        assert.doesNotMatch(text, /\dE\d/);
        const behaviour = { opened: 101 };
        assert.match(
            await wrong("PUT", "accounts/line/x", { behaviour }),
            /^400 opened .*0 to 100/,
        );
        assert.match(
            await wrong("PUT", "faults", { faults: [{ provider: "x" }] }),
            /^400 faults\[0\]/,
        );
        assert.match(
            await wrong("PUT", "faults", { faults: [{ provider: "*", fault: "x" }] }),
            /slow/,
        );
        assert.match(await wrong("GET", "messages?limit=0"), /^400 limit/);
        assert.match(await wrong("GET", "messages/999999"), /^404/);
        assert.match(await wrong("GET", "nothing"), /^404/);
    });

    test("it is for this machine alone", async () => {
        const { code, stderr } = await pawlExit(["sandbox", "--listen", "0.0.0.0:0"], {});
        assert.equal(code, 2);
        assert.match(stderr, /127\.0\.0\.1/);
    });
});
