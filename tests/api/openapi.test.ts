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
