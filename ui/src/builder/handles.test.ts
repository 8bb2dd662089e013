import { i18n } from "@lingui/core";
import { beforeAll, expect, test } from "vitest";
import type { GraphNode } from "./graph";
import { summaryOf } from "./handles";

// Steps and edges have names in the language of the viewer.
beforeAll(() => i18n.activate("en"));

test.each([
    [{ path: "trigger.total", operator: ">", value: 100 }, "trigger.total > 100"],
    [{ query: { table: "orders", field: "id", operator: "exists" } }, "orders.id exists"],
    [
        { all: [{ path: "user.tier", value: "gold" }, { path: "a" }, { path: "b" }] },
        'user.tier = "gold" +2',
    ],
    [{ not: { path: "user.tier", operator: "is null" } }, "not user.tier is null"],
    [{ any: [] }, ""],
    [{ any: "half written" }, "="],
])("a condition in one line: %j", (config, said) => {
    expect(summaryOf({ id: "a", type: "condition", config } as GraphNode)).toBe(said);
});
