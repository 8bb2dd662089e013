import { describe, expect, it } from "vitest";
import { inputSchemaOf, personUsesOf } from "./inputSchema";

const of = (config: unknown, rest: object = {}) =>
    inputSchemaOf({ nodes: [{ id: "a", type: "code", config }], ...rest });

describe("inputSchemaOf", () => {
    it("has what is required, and what templates and limits need", () => {
        const schema = of(
            { text: "Hi {{ name }}, {{ input.order.id }} {{ trigger.city | default: 'x' }}" },
            { required_fields: ["plan"], flow: { concurrency: { limit: 1, key: "{{ shop }}" } } },
        );
        expect(Object.keys(schema?.properties ?? {})).toEqual([
            "plan",
            "shop",
            "name",
            "order",
            "city",
        ]);
        expect(schema?.required).toEqual(["plan", "shop", "name", "order"]);
        expect(schema?.properties?.["order"]).toEqual({
            type: "object",
            properties: { id: { "x-used-by": ["a"] } },
            required: ["id"],
        });
        expect(schema?.properties?.["city"]).toEqual({ "x-used-by": ["a"] });
    });
    it("leaves out what the run itself fills", () => {
        const text = "{{ steps.b.result }} {{ run.id }} {{ user.email }} {{ step_1_result }}";
        expect(of({ text }, { person: true })).toBeUndefined();
        const draft = [{ id: "a", type: "message", config: { text: "{{ user.email }}" } }];
        expect(inputSchemaOf({ nodes: draft })).toBeUndefined();
        expect(of({ text: "{{ item.id }}" })?.required).toEqual(["item"]);
        const each = [{ id: "e", type: "foreach", config: { items: "{{ input.orders[0].id }}" } }];
        expect(
            inputSchemaOf({ nodes: [...each, { id: "b", config: { text: "{{ item.id }}" } }] }),
        ).toEqual({
            type: "object",
            properties: { orders: { type: "array", "x-used-by": ["e"] } },
            required: ["orders"],
        });
    });
    it("knows what it is compared with", () => {
        const schema = of({
            all: [
                { path: "input.plan", operator: "in", value: ["pro", "free"] },
                { path: "input.vip", operator: "=", value: true },
                { path: "steps.b.result", operator: "=", value: "no" },
            ],
        });
        expect(schema?.properties).toEqual({
            plan: { examples: ["pro", "free"] },
            vip: { type: "boolean" },
        });
        expect(schema?.required).toBeUndefined();
    });
    it("is the workflow's own, with the steps that use each part", () => {
        const input_schema = {
            type: "object",
            required: ["name"],
            properties: {
                name: { type: "string", title: "Their name" },
                order: { type: "object", properties: { id: { type: "integer" } } },
            },
        };
        const text = "{{ name }} {{ input.order.id }} {{ city }}";
        const schema = of({ text }, { input_schema, required_fields: ["plan"] });
        expect(schema).toEqual({
            type: "object",
            required: ["name", "plan"],
            properties: {
                name: { type: "string", title: "Their name", "x-used-by": ["a"] },
                order: {
                    type: "object",
                    properties: { id: { type: "integer", "x-used-by": ["a"] } },
                },
                plan: {},
            },
        });
        expect(input_schema.properties.name).not.toHaveProperty("x-used-by");
        for (const empty of [true, {}, { properties: {} }, "x"]) {
            expect(Object.keys(of({ text }, { input_schema: empty })?.properties ?? {})).toEqual([
                "name",
                "order",
                "city",
            ]);
        }
    });
    it("is of each start of a batch, not of a run that has several", () => {
        const input_schema = { properties: { name: { type: "string" } } };
        const nodes = [{ id: "a", config: { text: "{{ input.items }}" } }];
        const batch = { nodes, flow: { batch: { limit: 2 } }, input_schema };
        expect(inputSchemaOf(batch)?.properties?.["name"]).toBeDefined();
        expect(inputSchemaOf(batch, true)).toBeUndefined();
        expect(inputSchemaOf({ ...batch, input_schema: undefined })).toBeUndefined();
    });
    it("knows what is asked of the person", () => {
        const nodes = [{ id: "a", config: { text: "{{ user.first_name }} {{ user.tier | x }}" } }];
        expect(personUsesOf({ nodes })).toEqual(["first_name", "tier"]);
        expect(personUsesOf(null)).toEqual([]);
    });
    it("is none where nothing is known, whatever the definition is", () => {
        for (const strange of [undefined, null, [], "x", { nodes: 5 }, { nodes: [null, "a"] }]) {
            expect(inputSchemaOf(strange)).toBeUndefined();
        }
        const proto = of({ text: "{{ __proto__.x }} {{ constructor }} {{ input.toString }}" });
        expect(({} as { x?: unknown }).x).toBeUndefined();
        expect(Object.keys(proto?.properties ?? {})).toContain("constructor");
    });
});
