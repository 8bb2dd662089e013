import { describe, expect, test } from "vitest";
import type { Definition } from "../graph";
import { answerSchemaOf, dataSchemaOf } from "./answerSchema";

const definition = {
    name: "w",
    nodes: [
        { id: "look", type: "http", config: { url: "https://shop.example/{{ input.id }}" } },
        {
            id: "judge",
            type: "agent",
            config: { schema: { properties: { ok: { type: "boolean" } } } },
        },
        { id: "paid", type: "wait", config: { event: "order.paid" } },
        {
            id: "say",
            type: "message",
            config: {
                text: "Hi {{ steps.look.result.customer.name }}, {{ steps.look.result.total }}",
                data: [{ of: "{{ steps.paid.result.data.amount }} {{ steps.looked.result.x }}" }],
            },
        },
        { id: "big", type: "condition", config: { path: "steps.judge.result.score" } },
        {
            id: "ask",
            type: "human",
            config: { form: { properties: { note: { type: "string" } } } },
        },
    ],
    edges: [{ from: "big", to: "ask", when: { path: "steps.paid.result.data.shop" } }],
} as unknown as Definition;

const node = (id: string) => definition.nodes.find((one) => one.id === id)!;

describe("what a step may answer", () => {
    test("is what other steps read of it", () => {
        expect(answerSchemaOf(definition, "look")).toEqual({
            type: "object",
            properties: { customer: { type: "object", properties: { name: {} } }, total: {} },
        });
        expect(answerSchemaOf(definition, "say")).toBeUndefined();
    });
    test("is what its own schema says, and more", () => {
        expect(answerSchemaOf(definition, "judge")).toEqual({
            type: "object",
            properties: { ok: { type: "boolean" }, score: {} },
        });
    });
    test("of events and people is their data", () => {
        expect(dataSchemaOf(definition, node("paid"))).toEqual({
            type: "object",
            properties: { amount: {}, shop: {} },
        });
        expect(dataSchemaOf(definition, node("ask"))).toEqual({
            properties: { note: { type: "string" } },
        });
        expect(dataSchemaOf(definition, node("look"))).toBeUndefined();
    });
});
