import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { check, openapi } from "./support/contract.js";

// Generators of clients and pages of documentation trip over what a parser of YAML lets through: an
// unquoted comma, for one, makes the rest of a description a property.

const rules = [
    "struct",
    "no-unresolved-refs",
    "no-identical-paths",
    "no-duplicated-tag-names",
    "no-invalid-media-type-examples",
    "no-invalid-parameter-examples",
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

test("an example that does not fit is noticed", async () => {
    const document = structuredClone(openapi) as any;
    document.components.schemas.Run.properties.version.example = "three";
    document.components.responses.Run.content["application/json"].example.status = "lost";
    document.components.parameters.runId.example = 7;
    assert.equal((await problemsOf(document)).length, 3);
});

interface Schema {
    $ref?: string;
    description?: string;
    example?: unknown;
    default?: unknown;
    const?: unknown;
    enum?: unknown[];
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
    example?: unknown;
}
interface Media {
    schema?: Schema;
    example?: unknown;
}

/** Whether a value is not made of others that the document describes one by one. */
function isWhole(schema: Schema): boolean {
    const { items, additionalProperties: others, oneOf, anyOf } = schema;
    if (schema.$ref || schema.properties || schema.allOf) return false;
    const parts = [...(oneOf ?? []), ...(anyOf ?? []), items, others];
    return parts.every((part) => typeof part !== "object" || isWhole(part));
}

function isShown({ example, default: usual, const: only, enum: all, items }: Schema): boolean {
    return (
        [example, usual, only, all].some((one) => one !== undefined) || !!(items && isShown(items))
    );
}

/** Properties of a schema that do not say what they mean, or do not show what they are. */
function unsaid(schema: Schema | undefined, at: string): string[] {
    if (!schema || schema.$ref) return [];
    const { items, additionalProperties: others } = schema;
    const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
    return [
        ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
            ...(part.$ref || part.description ? [] : [`${at}.${name}`]),
            ...(isWhole(part) && !isShown(part) ? [`${at}.${name}: example`] : []),
            ...unsaid(part, `${at}.${name}`),
        ]),
        ...unsaid(items, `${at}[]`),
        ...(typeof others === "object" ? unsaid(others, `${at}{}`) : []),
        ...parts.flatMap((part) => unsaid(part, at)),
    ];
}

/** What the bodies of a request or an answer do not say or show. */
function gapsOfBody(
    content: Record<string, Media> | undefined,
    at: string,
    needsExample = (type: string): boolean => type === "application/json",
): string[] {
    return Object.entries(content ?? {}).flatMap(([type, media]) => [
        ...unsaid(media.schema, at),
        ...(media.example === undefined && needsExample(type) ? [`${at}: example`] : []),
    ]);
}

/** Operations, parameters, properties without a description; these, bodies without an example. */
function gapsOf(document: any): string[] {
    const gaps: string[] = [];
    const look = (list: Parameter[] | undefined, at: string): void => {
        for (const one of list ?? []) {
            if (one.$ref) continue;
            if (!one.description) gaps.push(`${at}: parameter ${one.name}`);
            if (one.example === undefined) gaps.push(`${at}: parameter ${one.name}: example`);
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
            const body = operation.requestBody?.content;
            gaps.push(...gapsOfBody(body, `${at}: body`, () => true));
            for (const [status, answer] of Object.entries<any>(operation.responses)) {
                gaps.push(...gapsOfBody(answer.content, `${at}: ${status}`));
            }
        }
    }
    const { parameters, responses, schemas } = document.components;
    look(Object.values<Parameter>(parameters), "components");
    for (const [name, answer] of Object.entries<any>(responses)) {
        gaps.push(...gapsOfBody(answer.content, `answer ${name}`));
    }
    for (const [name, schema] of Object.entries<Schema>(schemas)) {
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
    assert.deepEqual(gapsOf(document), ["get /v1/runs", "Run.id"]);
});

test("what shows nothing is noticed", () => {
    const document = structuredClone(openapi) as any;
    const { parameters, responses, schemas } = document.components;
    delete document.paths["/v1/runs"].post.requestBody.content["application/json"].example;
    delete document.paths["/v1/keys"].get.responses["200"].content["application/json"].example;
    delete parameters.runId.example;
    delete responses.Run.content["application/json"].example;
    delete schemas.Run.properties.id.example;
    assert.deepEqual(gapsOf(document), [
        "get /v1/keys: 200: example",
        "post /v1/runs: body: example",
        "components: parameter id: example",
        "answer Run: example",
        "Run.id: example",
    ]);
});

/** Calls a function with each example of the document and the schema that it is of. */
function eachExample(
    part: any,
    at: string,
    see: (schema: object, example: unknown, at: string) => void,
    named = false, // the members have names that the document chose, such as those of properties
): void {
    if (typeof part !== "object" || part === null) return;
    if (!named && part.example !== undefined) {
        const { example, ...schema } = part;
        see(part.schema ?? schema, example, at);
    }
    for (const [key, value] of Object.entries(part)) {
        if (!named && ["example", "default", "const", "enum"].includes(key)) continue;
        eachExample(value, `${at}/${key}`, see, !named && ["properties", "schemas"].includes(key));
    }
}

test("examples have the format that they should have", () => {
    let seen = 0;
    eachExample(openapi, "", (schema, example, at) => {
        seen++;
        check(schema, example, at);
    });
    assert.ok(seen > 1000, `${seen} examples`);
});

test("an example of another format is noticed", () => {
    const { Run } = (structuredClone(openapi) as any).components.schemas;
    Run.properties.created_at.example = "yesterday";
    assert.throws(() => eachExample(Run, "Run", check), /created_at: .*date-time/);
});
