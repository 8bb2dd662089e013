import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Definition } from "@pawl/client";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pawlCommand } from "./support/process.js";
import { database, databaseUrl, pawl } from "./support/server.js";

// GET /v1/node-types says what the server takes: every node that it has stored fits, and what is
// done to such a node to spoil it, both refuse.

type Node = Record<string, any>;
type Stored = Definition & { nodes: Node[] };

// What the journeys and the examples name.
await database.query(`create table if not exists purchase_ledger (id bigint, user_id text,
        created_at timestamptz);
    create table if not exists user_accounts (id text, birthday date, timezone text);
    select pawl.allow_condition_table('public.purchase_ledger', 'user_id');
    select pawl.register_action('award_points', 'select $amount');`);
for (const folder of ["workflows/patterns", "workflows/journeys"]) {
    await pawlCommand(["workflows", "apply", "-f", folder], { DATABASE_URL: databaseUrl });
}

const ajv = new Ajv2020({ strict: false });
const types = await pawl.nodeTypes();
const schemas = new Map<string, ValidateFunction>(
    types.map((one) => [one.type, ajv.compile(one.schema)]),
);
const fits = (node: Node): string => {
    const validate = schemas.get(node["type"] as string)!;
    return validate(node) ? "" : JSON.stringify(validate.errors);
};

interface Shown {
    type: string;
    example?: Node;
}
// No workflow here calls a URL, and the schema has no example of it.
const known: Record<string, Node> = { http: { config: { url: "https://a.example/" } } };
const exampleOf = (one: Shown): Node | undefined => one.example ?? known[one.type];

// Steps that are nothing without another one, and how they lead to it.
const ways: Record<string, string> = {
    cancel: "default",
    foreach: "each",
    loop: "each",
    scope: "body",
    switch: "gold",
};

/** A workflow of what the type shows as its example. */
function ofExample(one: Shown): Stored {
    const it = { id: "it", type: one.type, ...exampleOf(one) };
    const other = { id: "other", type: "wait", config: { duration: "1s" } };
    const handle = ways[one.type];
    const name = `example_${one.type}`;
    if (one.type === "join") {
        return { name, nodes: [other, it], edges: [{ from: "other", to: "it" }] } as never;
    }
    if (!handle) return { name, nodes: [it], edges: [] } as never;
    return { name, nodes: [it, other], edges: [{ from: "it", to: "other", handle }] } as never;
}

/** All that is stored, and for types that no workflow here has, their examples. */
async function stored(): Promise<Stored[]> {
    const all: Stored[] = [];
    for await (const workflow of pawl.workflows.list()) {
        all.push((await pawl.workflows.get(workflow.name)).definition as Stored);
    }
    const seen = new Set(all.flatMap(({ nodes }) => nodes.map((node) => node["type"])));
    const others = (types as Shown[]).filter((one) => exampleOf(one) && !seen.has(one.type));
    return [...all, ...others.map(ofExample)];
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
        const unseen = types.map((one) => one.type).filter((type) => !seen.has(type));
        assert.deepEqual(unseen, []);
    });

    test("every example fits, and the server takes it", async () => {
        const refused: Record<string, unknown> = {};
        for (const one of types as Shown[]) {
            if (!exampleOf(one)) continue;
            const definition = ofExample(one);
            for (const node of definition.nodes) assert.equal(fits(node), "", one.type);
            const { errors } = await pawl.workflows.validate(definition);
            if (errors.length > 0) refused[one.type] = errors;
        }
        assert.deepEqual(refused, {});
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
        "switched off by a word": (node) => ({ ...node, disabled: "yes" }),
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
