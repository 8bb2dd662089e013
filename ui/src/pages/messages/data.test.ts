import { describe, expect, it } from "vitest";
import { detailsOf } from "./data";

describe("what a provider said", () => {
    it("begins with the reason", () => {
        const detail = { status: "5.1.1", permanent: true, reason: "550 No such mailbox" };
        expect(detailsOf({ detail })).toEqual(["550 No such mailbox", "status: 5.1.1"]);
    });
    it.each([null, "text", 7, {}, { url: "" }, { deep: { reason: "x" } }])(
        "is nothing for %j",
        (detail) => expect(detailsOf({ detail })).toEqual([]),
    );
});
