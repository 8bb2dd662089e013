import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { openapi } from "./support/contract.js";

// Generators of clients and pages of documentation trip over what a parser of YAML lets through: an
// unquoted comma, for one, makes the rest of a description a property.

const rules = [
    "struct",
    "no-unresolved-refs",
    "no-identical-paths",
    "no-duplicated-tag-names",
    "no-invalid-media-type-examples",
    "no-invalid-schema-examples",
    "operation-operationId",
    "operation-operationId-unique",
    "operation-summary",
    "operation-tag-defined",
    "path-declaration-must-exist",
    "path-not-include-query",
    "path-parameters-defined",
    "tag-description",
] as const;

async function problemsOf(document: unknown): Promise<string[]> {
    const severities = Object.fromEntries(rules.map((rule) => [rule, "error" as const]));
    const config = await createConfig({ rules: severities });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    return problems.map((one) => `${one.location[0]?.pointer}: ${one.message}`);
}

test("the description of the API is well formed", async () => {
    assert.deepEqual(await problemsOf(openapi), []);
});

test("a comma that ends a description early is noticed", async () => {
    const document = structuredClone(openapi) as unknown as { tags: Record<string, unknown>[] };
    document.tags[0]!["and the rest"] = null;
    assert.equal((await problemsOf(document)).length, 1);
});

interface Schema {
    $ref?: string;
    description?: string;
    properties?: Record<string, Schema>;
    items?: Schema;
    additionalProperties?: Schema | boolean;
    allOf?: Schema[];
    oneOf?: Schema[];
    anyOf?: Schema[];
}
interface Parameter {
    $ref?: string;
    name: string;
    description?: string;
}

/** Properties of a schema that do not say what they mean. */
function unsaid(schema: Schema | undefined, at: string): string[] {
    if (!schema || schema.$ref) return [];
    const { items, additionalProperties: others } = schema;
    const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
    return [
        ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
            ...(part.$ref || part.description ? [] : [`${at}.${name}`]),
            ...unsaid(part, `${at}.${name}`),
        ]),
        ...unsaid(items, `${at}[]`),
        ...(typeof others === "object" ? unsaid(others, `${at}{}`) : []),
        ...parts.flatMap((part) => unsaid(part, at)),
    ];
}

/** Operations, parameters, properties without a description, JSON bodies without an example. */
function gapsOf(document: any): string[] {
    const gaps: string[] = [];
    const look = (list: Parameter[] | undefined, at: string): void => {
        for (const one of list ?? []) {
            if (!one.$ref && !one.description) gaps.push(`${at}: parameter ${one.name}`);
        }
    };
    for (const [path, item] of Object.entries<any>(document.paths)) {
        look(item.parameters, path);
        for (const method of ["get", "post", "put", "patch", "delete"]) {
            const operation = item[method];
            if (!operation) continue;
            const at = `${method} ${path}`;
            if (!operation.description) gaps.push(at);
            look(operation.parameters, at);
            const body = operation.requestBody?.content["application/json"];
            gaps.push(...unsaid(body?.schema, `${at}: body`));
            if (body && body.example === undefined) gaps.push(`${at}: example`);
            for (const [status, answer] of Object.entries<any>(operation.responses)) {
                const schema = answer.content?.["application/json"]?.schema;
                gaps.push(...unsaid(schema, `${at}: ${status}`));
            }
        }
    }
    look(Object.values<Parameter>(document.components.parameters), "components");
    for (const [name, schema] of Object.entries<Schema>(document.components.schemas)) {
        gaps.push(...unsaid(schema, name));
    }
    return gaps;
}

test("everything says what it means", () => {
    assert.deepEqual(gapsOf(openapi), []);
});

test("what says nothing is noticed", () => {
    const document = structuredClone(openapi) as any;
    delete document.paths["/v1/runs"].get.description;
    delete document.components.schemas.Run.properties.id.description;
    delete document.paths["/v1/runs"].post.requestBody.content["application/json"].example;
    assert.deepEqual(gapsOf(document), ["get /v1/runs", "post /v1/runs: example", "Run.id"]);
});
