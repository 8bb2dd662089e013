import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pawl } from "./support/server.js";

// GET /v1/node-types says what the server takes: every node that it has stored fits, and what is
// done to such a node to spoil it, both refuse.

type Node = Record<string, any>;
type Stored = Definition & { nodes: Node[] };

const ajv = new Ajv2020({ strict: false });
const types = await pawl.nodeTypes();
const schemas = new Map<string, ValidateFunction>(
    types.map((one) => [one.type, ajv.compile(one.schema)]),
);
const fits = (node: Node): string => {
    const validate = schemas.get(node["type"] as string)!;
    return validate(node) ? "" : JSON.stringify(validate.errors);
};

async function stored(): Promise<Stored[]> {
    const all: Stored[] = [];
    for await (const workflow of pawl.workflows.list()) {
        all.push((await pawl.workflows.get(workflow.name)).definition as Stored);
    }
    return all;
}

describe("node types", () => {
    test("every node of every workflow here fits the schema of its type", async () => {
        const seen = new Set<string>();
        for (const { name, nodes } of await stored()) {
            for (const node of nodes) {
                assert.equal(fits(node), "", `${name}: ${JSON.stringify(node)}`);
                seen.add(node["type"] as string);
            }
        }
        assert.ok(seen.size >= 4, [...seen].join(" "));
    });

    test("every example fits, and the server takes it", async () => {
        for (const { type, example } of types as unknown as { type: string; example?: Node }[]) {
            if (!example) continue;
            const node: Node = { id: "it", type, ...example };
            assert.equal(fits(node), "", type);
        }
    });

    const spoilt: Record<string, (node: Node) => Node> = {
        "an unknown key": (node) => ({ ...node, zzz: 1 }),
        "an unknown key of its config": (node) => ({
            ...node,
            config: { ...node["config"], zzz: 1 },
        }),
        "no name": ({ id: _, ...rest }) => rest,
        "too many attempts": (node) => ({ ...node, retry: { attempts: 1000 } }),
        "a word that is none for an unknown outcome": (node) => ({
            ...node,
            retry: { ambiguous: "maybe" },
        }),
        "a rule without errors": (node) => ({ ...node, retry: [{ attempts: 2 }] }),
        "a word that is none for a failure": (node) => ({ ...node, on_failure: "shrug" }),
        "a config that is a list": (node) => ({ ...node, config: [] }),
    };
    for (const [what, spoil] of Object.entries(spoilt)) {
        test(`${what}: the schema refuses it, and so does the server`, async () => {
            const done = new Set<string>();
            for (const definition of await stored()) {
                for (const [i, node] of definition.nodes.entries()) {
                    const type = node["type"] as string;
                    if (done.has(type)) continue;
                    done.add(type);
                    const wrong = spoil(node);
                    assert.notEqual(fits(wrong), "", `${type}: ${JSON.stringify(wrong)}`);
                    const nodes = [...definition.nodes];
                    nodes[i] = wrong;
                    const verdict = await pawl.workflows.validate({
                        ...definition,
                        nodes,
                    } as never);
                    assert.equal(verdict.valid, false, `${type}: ${JSON.stringify(wrong)}`);
                }
            }
        });
    }

    test("a list of retry rules and `settle` fit, and the server takes them", async () => {
        const node = {
            id: "a",
            type: "http",
            config: { url: "https://a.example/", method: "POST" },
        };
        for (const retry of [
            { attempts: 2, ambiguous: "settle" },
            [
                { errors: ["timeout"], attempts: 3 },
                { errors: ["*"], ambiguous: "settle" },
            ],
        ]) {
            const one = { ...node, retry };
            assert.equal(fits(one), "");
            const definition = { name: "w", nodes: [one], edges: [] };
            assert.equal((await pawl.workflows.validate(definition as never)).valid, true);
        }
        assert.equal(fits({ ...node, type: "http", name: "a" }), "");
    });

    test("what a type needs is needed by both", async () => {
        for (const { type, schema } of types) {
            const config = (schema as any).properties.config as { required?: string[] };
            if (!config.required?.length) continue;
            const wrong = { id: "it", type, config: {} };
            assert.notEqual(fits(wrong), "", type);
            const definition = { name: "w", nodes: [wrong], edges: [] };
            const verdict = await pawl.workflows.validate(definition as never);
            assert.equal(verdict.valid, false, type);
        }
    });
});
