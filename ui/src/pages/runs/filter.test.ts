import { describe, expect, it } from "vitest";
import { announces, chipsOf, completions, parseFilter, toQuery } from "./filter";

const now = new Date("2026-05-01T12:00:00Z");

describe("parseFilter", () => {
    it("reads keys and quoted values", () => {
        const { tokens, mistakes } = parseFilter('workflow:welcome subject:"Ann B" after:2h', now);
        expect(mistakes).toEqual([]);
        expect(tokens).toEqual([
            { key: "workflow", value: "welcome" },
            { key: "subject", value: "Ann B" },
            { key: "after", value: "2h" },
        ]);
    });
    it("says what it cannot use", () => {
        const { tokens, mistakes } = parseFilter("nope:1 status:odd after:soon status: hello", now);
        expect(tokens).toEqual([]);
        expect(mistakes.map((one) => one.kind)).toEqual([
            "unknownKey",
            "notStatus",
            "notMoment",
            "noValue",
            "freeText",
        ]);
    });
    it("reads errors, and says that data cannot be searched", () => {
        const { tokens, mistakes } = parseFilter('error:"no answer" data.total>100', now);
        expect(tokens).toEqual([{ key: "error", value: "no answer" }]);
        expect(mistakes).toEqual([{ kind: "noData", text: "data.total>100" }]);
    });
});

describe("toQuery", () => {
    it("counts spans back from now", () => {
        expect(toQuery({ status: "failed", after: "2h", correlation: "o-1" }, now)).toEqual({
            status: "failed",
            correlation_id: "o-1",
            created_after: "2026-05-01T10:00:00.000Z",
        });
    });
    it("looks for errors among runs that can have one", () => {
        expect(toQuery({ error: "timeout" }, now)).toEqual({ status: "failed,cancelled" });
        expect(toQuery({ error: "timeout", status: "failed" }, now)).toEqual({ status: "failed" });
    });
});

describe("announces", () => {
    const event = (type: string) => ({ seq: 1, type, at: "", run_id: "r", workflow: "w" });
    it("tells of runs that the list would show", () => {
        expect(announces(event("run_started"), {})).toBe(true);
        expect(announces(event("run_started"), { status: "failed" })).toBe(false);
        expect(announces(event("run_failed"), { status: "failed,cancelled" })).toBe(true);
        expect(announces(event("run_failed"), {})).toBe(false);
        expect(announces(event("run_started"), { workflow: "other" })).toBe(false);
        expect(announces(event("run_started"), { before: "1h" })).toBe(false);
    });
});

describe("completions", () => {
    it("offers keys, then values", () => {
        expect(completions("sta", [])).toEqual(["status:"]);
        expect(completions("after:2h status:fa", [])).toEqual(["after:2h status:failed"]);
        expect(completions("workflow:w", ["welcome", "x y w"])).toEqual([
            "workflow:welcome",
            'workflow:"x y w"',
        ]);
        expect(completions("subject:4", [])).toEqual([]);
    });
});

describe("chipsOf", () => {
    it("keeps one order", () => {
        expect(chipsOf({ after: "2h", workflow: "w" }).map((one) => one.key)).toEqual([
            "workflow",
            "after",
        ]);
    });
});
