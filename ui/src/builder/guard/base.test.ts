import { describe, expect, it } from "vitest";
import { draftOf } from "../layout";
import { readDraft, textOf } from "../text/definition";
import { baseAt, baseOf } from "./base";

const draft = draftOf({ name: "x", nodes: [{ id: "begin", type: "trigger" }], edges: [] }, null);

describe("the version that a draft began with", () => {
    it("stands in its text, and not in what is edited", () => {
        const text = textOf(draft, 3);
        expect(baseOf(text)).toBe(3);
        expect(JSON.stringify(readDraft(text)?.definition)).not.toContain("version");
        expect(baseOf(textOf(draft, 0))).toBe(0);
        expect(baseOf(textOf(draft))).toBeUndefined();
        expect(baseOf("name: [")).toBeUndefined();
        expect(baseOf("gibberish")).toBeUndefined();
    });
    it("is found by time where it does not say", () => {
        const versions = [
            { version: 4, created_at: "2026-05-04T00:00:00Z", draft: true },
            { version: 3, created_at: "2026-05-03T00:00:00Z" },
            { version: 2, created_at: "2026-05-02T00:00:00Z" },
        ];
        expect(baseAt(versions, "2026-05-05T00:00:00Z")).toBe(3);
        expect(baseAt(versions, "2026-05-02T00:00:00Z")).toBe(2);
        expect(baseAt(versions, "2026-05-01T00:00:00Z")).toBe(0);
    });
});
