import { describe, expect, it } from "vitest";
import { type ExactNumber, formatJson } from "@/data/json";
import { paramKind, paramOf, paramsOf, rangeOf } from "./action";
import {
    columnsOf,
    conditionOf,
    groupOf,
    textOfValue,
    valueOfColumns,
    valueOfText,
} from "./condition";
import { formOf, kindOf } from "./kinds";
import { cardsOf, messageOf } from "./lineCard";
import { namesOfPerson, personNames } from "./personNames";
import { fill, namesFor } from "./sample";
import { kindOfTool, parametersOf, withAction, withKind } from "./tool";

const values = {
    user: { first_name: "Ann", address: { city: "Bangkok" } },
    trigger: { items: "2 shirts", total: 5 },
    input: {},
    steps: { pay: { result: { id: 7 } } },
};

describe("templates", () => {
    it("are filled from the sample", () => {
        expect(fill("Hi {{ user.first_name }}, {{trigger.total}}", values)).toBe("Hi Ann, 5");
        expect(fill('{{ user.nick | default: "friend" }}', values)).toBe("friend");
        expect(fill("{{ user.nick }}", values)).toBe("⟨user.nick⟩");
        expect(fill("{{ user.constructor.name }}", values)).toBe("⟨user.constructor.name⟩");
        expect(fill("{{ steps.pay.result }}", values)).toBe('{"id":7}');
    });
    it("know what can be said", () => {
        const names = namesFor(values, ["pay", "later"]);
        expect(names).toContain("user.address.city");
        expect(names).toContain("trigger.items");
        expect(names).toContain("steps.pay.result.id");
        expect(names).toContain("steps.later.result");
    });
});

describe("what templates can say of a person", () => {
    const source = {
        columns: ["full_name", "tier", "Two words"],
        addresses: { email: "mail", line: "line_id" },
        locale_column: "language",
        timezone_column: null,
    };
    const of = (more: object) => ({ source: { ...source, ...more }, redacted: ["income"] });
    const seen = [
        { attributes: { tier: "gold", nick: "A" }, addresses: { email: "a@b.c" } },
        { attributes: { nick: "B", "no name": 1 }, addresses: {} },
    ];
    it("is what the table of the tenant has, and nothing else", () => {
        const others = ["locale", "addresses.email", "addresses.line"];
        expect(personNames(of({}), [])).toEqual(["full_name", "tier", ...others]);
        expect(personNames(of({ columns: null }), seen)).toEqual(["tier", "nick", ...others]);
    });
    it("is what people have and the usual names where Pawl keeps them", () => {
        const names = personNames({ source: null, redacted: [] }, seen)!;
        expect(names.slice(0, 3)).toEqual(["tier", "nick", "first_name"]);
        expect(names).not.toContain("email");
    });
    it("is what people have where the viewer may see no more", () => {
        const names = ["tier", "nick", "locale", "timezone", "addresses.email"];
        expect(personNames(undefined, seen)).toEqual(names);
        expect(personNames(undefined, [])).toBe(undefined);
    });
    it("is said by messages and conditions alone where it is redacted", () => {
        const redacted = of({ columns: ["tier", "income"] });
        expect(namesOfPerson(redacted, [], "message")).toContain("income");
        expect(namesOfPerson(redacted, [], "human")).not.toContain("income");
        expect(namesOfPerson(undefined, [], "message")).toBe(undefined);
    });
    it("takes the place of the sample", () => {
        const known = namesFor(values, [], ["tier", "addresses.line"]);
        expect(known.slice(0, 3)).toEqual(["user.tier", "user.addresses.line", "run.subject"]);
        expect(known).not.toContain("user.first_name");
        expect(namesFor(values, [])).toContain("user.first_name");
    });
});

describe("conditions as rows", () => {
    const row = { path: "a", operator: "=", value: 1 };
    const there = (value: unknown) => conditionOf(groupOf(value)!);
    it("come back as they were", () => {
        const query = { query: { table: "orders", field: "id", operator: "exists" } };
        for (const value of [
            row,
            query,
            { any: [row, row] },
            { all: [row, query, { any: [row] }] },
            { not: row },
            { not: { any: [row, row] } },
            { not: { all: [row, row] } },
            { all: [{ not: row }, row] },
        ]) {
            expect(there(value)).toEqual(value);
        }
    });
    it("are one comparison where one is enough", () => {
        expect(there({ all: [row] })).toEqual(row);
        expect(conditionOf({ mode: "none", parts: [{ kind: "test", test: row }] })).toEqual({
            not: row,
        });
    });
    it("are left alone when they say more", () => {
        let deep: unknown = row;
        for (let i = 0; i < 20; ++i) deep = { all: [deep, row] };
        const strange = [{ all: [row], any: [row] }, { path: "a", wrong: 1 }, [row], "a", deep];
        for (const value of strange) expect(groupOf(value)).toBeUndefined();
    });
    it("of columns are a row for each", () => {
        const value = { tier: "gold", total: { operator: ">", value: 5 } };
        expect(valueOfColumns(columnsOf(value)!)).toEqual(value);
        expect(columnsOf({ tier: ["gold"] })).toBeUndefined();
        expect(columnsOf({ tier: { value: 1 } })).toBeUndefined();
        expect(columnsOf(undefined)).toEqual([]);
        expect(valueOfColumns([{ name: "a", operator: "exists", value: 1 }])).toEqual({
            a: { operator: "exists" },
        });
    });
    it("keep what a value is", () => {
        for (const value of [1, 1.5, true, "gold", "1", "true", null, [1, "a"]]) {
            const operator = Array.isArray(value) ? "in" : "=";
            const read = valueOfText(textOfValue(value), operator);
            expect(read).toEqual(value === null ? "" : value);
        }
        const big = valueOfText("9007199254740993", "=");
        expect((big as ExactNumber).text).toBe("9007199254740993");
        expect(valueOfText("1, 2", "between")).toEqual([1, 2]);
    });
});

describe("kinds of settings", () => {
    it("follow the schema and what is there", () => {
        expect(kindOf("channel", { enum: ["a"] }, undefined)).toBe("choice");
        expect(kindOf("timeout", { anyOf: [{ type: "string" }, { type: "number" }] }, "1h")).toBe(
            "duration",
        );
        expect(kindOf("approvers", { anyOf: [{ type: "array" }, { type: "string" }] }, ["a"])).toBe(
            "texts",
        );
        const rows = { type: "array", items: { properties: { to: { type: "string" } } } };
        expect(kindOf("escalate", rows, undefined)).toBe("rows");
        expect(kindOf("headers", { type: "object" }, undefined)).toBe("values");
        expect(kindOf("form", { type: "object" }, { required: ["a"] })).toBe("schema");
        expect(kindOf("while", { type: "object" }, undefined)).toBe("condition");
        expect(kindOf("value", {}, { deep: 1 })).toBe("values");
        expect(kindOf("retry", { type: "object", properties: {} }, undefined)).toBe("object");
    });
});

describe("cards of LINE", () => {
    const cards = {
        altText: "A gift",
        cards: [
            {
                picture: "https://example.com/a.png",
                title: "Hi {{ user.first_name }}",
                text: "For you",
                buttons: [
                    { label: "Take it", kind: "uri" as const, does: "https://example.com" },
                    { label: "No", kind: "message" as const, does: "No, thanks" },
                ],
            },
            { picture: "", title: "", text: "", buttons: [] },
        ],
    };
    it("are messages and come back", () => {
        expect(cardsOf(messageOf(cards))).toEqual(cards);
        const one = { ...cards, cards: cards.cards.slice(0, 1) };
        expect(messageOf(one).contents).toMatchObject({ type: "bubble" });
        expect(cardsOf(messageOf(one))).toEqual(one);
    });
    it("are left alone when they say more", () => {
        const message = messageOf(cards) as { contents: object };
        expect(cardsOf({ ...message, quickReply: {} })).toBeUndefined();
        expect(cardsOf({ type: "flex", altText: "a", contents: null })).toBeUndefined();
        const styled = { ...message.contents, styles: {} };
        expect(cardsOf({ ...message, contents: styled })).toBeUndefined();
    });
});

describe("params of an action", () => {
    const amount = { type: "integer", minimum: 1, maximum: 1000 };
    it("are all that it takes, with what is known of each", () => {
        const schema = { properties: { amount } };
        const action = { name: "award", params: ["amount", "why"], schema, own: false };
        expect(paramsOf(action)).toEqual([
            ["amount", amount],
            ["why", {}],
        ]);
        expect(paramsOf({ ...action, schema: null })[0]).toEqual(["amount", {}]);
        expect(rangeOf(amount)).toBe("1 – 1000");
        expect(rangeOf({ minimum: 0 })).toBe("≥ 0");
        expect(rangeOf({})).toBe("");
    });
    it("are edited by their schema, or as a template", () => {
        expect(paramKind({ enum: ["a", "b"] }, "a")).toBe("choice");
        expect(paramKind({ enum: ["a", "b"] }, "{{ trigger.x }}")).toBe("text");
        expect(paramKind({ type: "boolean" }, undefined)).toBe("switch");
        expect(paramKind({ type: "boolean" }, "{{ trigger.x }}")).toBe("text");
        expect(paramKind(amount, 5)).toBe("text");
    });
    it("are numbers where the schema allows one", () => {
        expect(paramOf(amount, "50")).toBe(50);
        expect(paramOf(amount, "{{ trigger.amount }}")).toBe("{{ trigger.amount }}");
        expect(paramOf({ type: "string" }, "50")).toBe("50");
        expect(paramOf({}, "-1.5")).toBe(-1.5);
        expect(paramOf({}, "12345678901234567890")).toBe("12345678901234567890");
        expect(paramOf({}, "0.1234567890123456789")).toBe("0.1234567890123456789");
        expect(paramOf({}, "007")).toBe("007");
    });
    it("are not rounded", () => {
        const number = { type: "number" };
        for (const text of ["0.1234567890123456789", "-12345678901234567890.5"]) {
            expect(formatJson(paramOf(number, text))).toBe(text);
        }
        expect(paramOf(number, "-0.5")).toBe(-0.5);
        expect(paramOf(number, "0.10")).toBe(0.1);
    });
    it("are text until they are numbers", () => {
        for (const text of ["-", "1.", "-.", ".5", "1e"]) {
            expect(paramOf({ type: "number" }, text)).toBe(text);
        }
    });
});

describe("tools of an agent", () => {
    const actions = ["award", "tag"].map((name) => ({
        name,
        params: [name === "award" ? "amount" : "tag"],
        schema: { properties: { amount: { type: "integer" } } },
        own: true,
    }));
    const given = parametersOf(actions[0]!);
    it("take what the action takes", () => {
        expect(given).toEqual({
            type: "object",
            required: ["amount"],
            properties: { amount: { type: "integer" } },
        });
        const tool = withAction({ action: "", description: "Gives points" }, "award", actions);
        expect(tool).toEqual({ action: "award", description: "Gives points", parameters: given });
        const other = withAction({ ...tool, name: "award" }, "tag", actions);
        expect(other).toEqual({
            action: "tag",
            description: "Gives points",
            parameters: { type: "object", required: ["tag"], properties: { tag: {} } },
        });
    });
    it("keep what someone has written", () => {
        const written = { type: "object", properties: { amount: { maximum: 5 } } };
        const tool = { action: "award", name: "give", description: "x", parameters: written };
        expect(withAction(tool, "tag", actions)).toEqual({ ...tool, action: "tag" });
        expect(withAction({ action: "award" }, "gone", actions)).toEqual({ action: "gone" });
    });
    it("are one thing at a time", () => {
        const tool = { action: "award", description: "x" };
        expect(withKind(tool, "http")).toEqual({ http: { url: "" }, description: "x" });
        expect(kindOfTool(withKind(tool, "sql"))).toBe("sql");
        expect(kindOfTool({})).toBe("action");
    });
});

describe("settings that are an object or a list of such", () => {
    const policy = { type: "object", properties: { attempts: { type: "integer" } } };
    const list = { type: "array", items: policy };
    const retry = { description: "How it is retried", anyOf: [policy, list] };
    it("have a form for the object", () => {
        const form = formOf(retry, undefined);
        expect(form).toEqual({ ...policy, description: "How it is retried" });
        expect(kindOf("retry", form, undefined)).toBe("object");
        expect(formOf(retry, { attempts: 3 })).toEqual(form);
    });
    it("are shown as they are where a list or a text is there, or may be", () => {
        expect(formOf(retry, [{ attempts: 3 }])).toBe(retry);
        expect(formOf(retry, "{{ input.retry }}")).toBe(retry);
        const review = { anyOf: [{ type: "boolean" }, policy] };
        expect(formOf(review, undefined)).toBe(review);
    });
});
