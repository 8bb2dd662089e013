import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { readOpenApi } from "../../../../clients/typescript/scripts/openapi.mjs";
import { neverMet, refusals } from "./codes.th";
import { details } from "./details.th";

const problem = readOpenApi().components.schemas.Problem.properties;
const source = fileURLToPath(new URL("../../../../src/", import.meta.url));

const textsIn = (folder: string): string =>
    readdirSync(source + folder, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".cpp"))
        .map((path) => readFileSync(`${source}${folder}/${path}`, "utf8"))
        .join("\n");

/** How the server writes a code: as a problem, or as an error that becomes one. */
const forms = [
    /\brefuse\(\s*[\w.]+,\s*"(\w+)"/g,
    /\brefusal\(\s*Errc::\w+,\s*"(\w+)"/g,
    /\brefusal\(\s*Errc::\w+,\s*\w+ \? "(\w+)" : "(\w+)"/g,
    /\b(?:conflict|forbidden)\(\s*"(\w+)"/g,
    /\{\s*\d{3},\s*"(\w+)"/g,
    /problem\.code = "(\w+)"/g,
];
/** Answered by another code, in problem.cpp. */
const renamed = ["missing_input", "input_does_not_fit"];
/** What src/connect/message_refusal.hpp lists. */
const ofMessages =
    /^\/\/ {3}(invalid_content|invalid_address|invalid_account|bad_signature|invalid_hook) /gm;

function written(): string[] {
    const texts = ["app", "api/http", "api/routes", "api/adapters"].map(textsIn).join("\n");
    const named = [
        ...readFileSync(`${source}base/error.cpp`, "utf8").matchAll(/return \{"(\w+)"/g),
    ];
    const messages = readFileSync(`${source}connect/message_refusal.hpp`, "utf8");
    const found = [...forms.flatMap((form) => [...texts.matchAll(form)]), ...named];
    const codes = found.flatMap(([, ...groups]) => groups.filter((group) => group !== undefined));
    const ofHeader = [...messages.matchAll(ofMessages)].map(([, code]) => code!);
    return [...new Set([...codes, ...ofHeader])].filter((code) => !renamed.includes(code)).sort();
}

describe("codes of problems", () => {
    test("in the description of the API are those that the server writes", () => {
        expect(written()).toEqual([...problem.code.enum].sort());
    });

    test("have words in Thai, unless these pages never meet them", () => {
        const known = [...Object.keys(refusals), ...Object.keys(neverMet)];
        expect(known.sort()).toEqual([...problem.code.enum].sort());
    });

    test("of places have words in Thai", () => {
        const codes: string[] = problem.errors.items.properties.code.enum;
        expect(Object.keys(details).sort()).toEqual([...codes].sort());
    });
});
