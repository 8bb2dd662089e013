import { expect, test } from "vitest";
import { headerText, readMail } from "./mail";
import { type SandboxMessage, shownOf } from "./read";

const message = (provider: string, request: unknown): SandboxMessage => ({
    number: 1,
    at: "",
    provider,
    account: "shop",
    id: "",
    to: "ann",
    text: "",
    request,
    events: [],
});

test("each provider's request is read as what a person gets", () => {
    const mail = { from: "a@x", subject: "Hi", text: "t", html: "<p>h</p>" };
    expect(shownOf(message("resend", { ...mail, to: ["b@x"] }))).toEqual({
        kind: "email",
        ...mail,
        to: "ann",
    });
    const grid = {
        from: { email: "a@x" },
        personalizations: [{ to: [{ email: "b@x" }] }],
        subject: "Hi",
        content: [
            { type: "text/plain", value: "t" },
            { type: "text/html", value: "<p>h</p>" },
        ],
    };
    expect(shownOf(message("sendgrid", grid))).toEqual({ kind: "email", ...mail, to: "ann" });
    expect(shownOf(message("twilio", { Body: "t", From: "+1" }))).toMatchObject({
        kind: "sms",
        text: "t",
        from: "+1",
    });
    expect(shownOf(message("line", [{ type: "text", text: "t" }]))).toMatchObject({
        kind: "line",
        messages: [{ text: "t" }],
    });
    expect(shownOf(message("fcm", { notification: { title: "T", body: "B" } }))).toMatchObject({
        kind: "push",
        title: "T",
        body: "B",
    });
});

test("a request of any shape is shown, and breaks nothing", () => {
    const providers = ["resend", "sendgrid", "smtp", "line", "twilio", "sms_8x8", "fcm", "new"];
    for (const provider of providers) {
        for (const request of [null, 7, "x", [], [[]], { content: 1, to: {}, from: [] }]) {
            expect(() => shownOf(message(provider, request))).not.toThrow();
        }
    }
});

test("a mail of several parts, with letters beyond ASCII", () => {
    const source = [
        "From: =?utf-8?B?4Liq4Lih4LiK4Liy4Lii?= <a@x>",
        "Subject: =?UTF-8?Q?Hi=20=E0=B8=81?=",
        'Content-Type: multipart/alternative; boundary="b1"',
        "",
        "--b1",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "=E0=B8=81 is a let=",
        "ter",
        "--b1",
        "Content-Type: text/html; charset=utf-8",
        "Content-Transfer-Encoding: base64",
        "",
        btoa("<p>hi</p>"),
        "--b1--",
    ].join("\r\n");
    const mail = readMail(source);
    expect(mail.subject).toBe("Hi ก");
    expect(mail.from).toBe("สมชาย <a@x>");
    expect(mail.text.trim()).toBe("ก is a letter");
    expect(mail.html.trim()).toBe("<p>hi</p>");
    expect(headerText("plain")).toBe("plain");
});
