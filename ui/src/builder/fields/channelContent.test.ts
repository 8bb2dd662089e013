import { describe, expect, it } from "vitest";
import { contentFor } from "./channelContent";
import { type Row, withPart } from "./RowsField";

const moved = (config: Row, to: string) => withPart(config, contentFor(config, to));

describe("a message by another channel", () => {
    it("keeps its text", () => {
        const sms = { text: "Hi" };
        expect(moved(sms, "line")).toEqual({ messages: [{ type: "text", text: "Hi" }] });
        expect(moved(moved(sms, "line"), "sms")).toEqual(sms);
        expect(moved(sms, "push")).toEqual({ body: "Hi" });
        expect(moved(moved(sms, "push"), "webhook")).toEqual(sms);
        expect(moved(sms, "email")).toEqual(sms);
    });
    it("keeps a title, HTML and more where they fit", () => {
        const email = { subject: "S", text: "Hi", html: "<b>Hi</b>", category: "c" };
        expect(moved(email, "push")).toEqual({ title: "S", body: "Hi", category: "c" });
        expect(moved(email, "webhook")).toEqual({ text: "Hi", category: "c" });
        expect(moved({ title: "T", body: "B", data: { a: 1 } }, "email")).toEqual({
            subject: "T",
            text: "B",
        });
        const two = [
            { type: "text", text: "One" },
            { type: "sticker", packageId: "1", stickerId: "2" },
            { type: "text", text: "Two" },
        ];
        expect(moved({ messages: two }, "sms")).toEqual({ text: "One\n\nTwo" });
        expect(moved({ messages: two }, "line")).toEqual({ messages: two });
        expect(moved({ text: "T", body: { a: 1 } }, "sms")).toEqual({ text: "T" });
        expect(moved({ text: "T", body: { a: 1 } }, "webhook")).toEqual({
            text: "T",
            body: { a: 1 },
        });
    });
    it("begins anew where nothing was written", () => {
        expect(moved({ text: "" }, "line")).toEqual({ messages: [{ type: "text", text: "" }] });
        expect(moved({ messages: [{ type: "text", text: "" }] }, "push")).toEqual({ title: "" });
    });
});
