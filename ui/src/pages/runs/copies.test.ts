import { expect, test } from "vitest";
import { asCli, asSql } from "./copies";

test("a command lists the same runs, or there is none", () => {
    expect(asCli({ workflow: "a", status: "failed", subject: "it's" })).toBe(
        "runs list --workflow a --status failed --subject 'it'\\''s'",
    );
    for (const filter of [{ after: "2h" }, { correlation: "x" }, { status: "failed,waiting" }]) {
        expect(asCli(filter)).toBeUndefined();
    }
});

test("a statement lists the same runs, or there is none", () => {
    expect(asSql({ workflow: "it's", status: "failed,completed", error: "50%" })).toBe(
        "select *\nfrom workflow_executions\nwhere workflow_name = 'it''s'\n" +
            "  and status in ('failed', 'completed')\n  and error_message ilike '%50\\%%'\n" +
            "order by created_at desc\nlimit 100;",
    );
    for (const filter of [{ subject: "x" }, { where: "data.a=1" }, { status: "waiting" }]) {
        expect(asSql(filter)).toBeUndefined();
    }
});
