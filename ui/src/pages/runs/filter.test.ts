import { describe, expect, it } from "vitest";
import {
    announces,
    chipsOf,
    completions,
    parseFilter,
    toQuery,
    withoutToken,
    withTokens,
} from "./filter";

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
    it("reads errors and conditions on data", () => {
        const typed = 'error:"no answer" data.total>=100 data.name="Ann: B" data.at!=2026-01-31';
        const { tokens, mistakes } = parseFilter(typed, now);
        expect(mistakes).toEqual([]);
        expect(tokens).toEqual([
            { key: "error", value: "no answer" },
            { key: "where", value: "data.total>=100" },
            { key: "where", value: 'data.name="Ann: B"' },
            { key: "where", value: "data.at!=2026-01-31" },
        ]);
        for (const wrong of ["data.total", "data.total>", "data.", "data:1", "data"]) {
            expect(parseFilter(wrong, now).mistakes[0]?.kind).toBe("notData");
        }
    });
    it("adds conditions on data, and takes one away", () => {
        const both = withTokens({ where: "data.a=1", status: "failed" }, [
            { key: "where", value: 'data.b="x y"' },
            { key: "where", value: "data.a=1" },
            { key: "status", value: "waiting" },
        ]);
        expect(both).toEqual({ where: 'data.a=1 data.b="x y"', status: "waiting" });
        expect(toQuery(both, now)).toEqual({
            status: "waiting",
            where: ["data.a=1", 'data.b="x y"'],
        });
        const one = withoutToken(both, { key: "where", value: "data.a=1" });
        expect(one).toEqual({ where: 'data.b="x y"', status: "waiting" });
        expect(withoutToken(one, { key: "where", value: 'data.b="x y"' })).toEqual({
            status: "waiting",
        });
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
    it("sends errors to the server", () => {
        expect(toQuery({ error: "timeout" }, now)).toEqual({ error: "timeout" });
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
