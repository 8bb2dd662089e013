import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import assert from "node:assert/strict";
import {
    existsSync,
    readdirSync,
    readFileSync,
    renameSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { source } from "./paths.js";
// @ts-expect-error: plain JavaScript
import { readOpenApi } from "../../../clients/typescript/scripts/openapi.mjs";

// Every answer that the suite gets is checked against the OpenAPI document.

interface Media {
    [type: string]: { schema?: object };
}
interface ResponseObject {
    $ref?: string;
    content?: Media;
}
interface OperationObject {
    operationId: string;
    "x-scope": string;
    requestBody?: { required?: boolean; content: Media };
    parameters?: { $ref?: string; name?: string; in?: string }[];
    responses: Record<string, ResponseObject>;
}

export interface Operation {
    id: string;
    method: string;
    path: string;
    scope: string;
    pattern: RegExp;
    object: OperationObject;
}

interface Document {
    paths: Record<string, Record<string, OperationObject>>;
    components: Record<string, Record<string, unknown>>;
}

/** The document, as JSON of an earlier process as long as no file of it has changed since. */
function readDocument(): Document {
    const folder = `${source}src/api/openapi/`;
    const kept = `${source}build/api/openapi.json`;
    const changed = (path: string): number => statSync(path).mtimeMs;
    const newest = Math.max(...[".", ...readdirSync(folder)].map((file) => changed(folder + file)));
    if (existsSync(kept) && changed(kept) > newest) {
        return JSON.parse(readFileSync(kept, "utf8")) as Document;
    }
    const document = readOpenApi() as Document;
    const draft = `${kept}.${process.pid}`; // others read it meanwhile
    writeFileSync(draft, JSON.stringify(document));
    renameSync(draft, kept);
    return document;
}

export const openapi = readDocument();

const methods = ["get", "post", "put", "patch", "delete"];
const ajv = new Ajv2020({ strict: false, allErrors: true });
const addFormats = addFormatsModule as unknown as (to: Ajv2020) => void;
addFormats(ajv);
ajv.addSchema({ $id: "openapi", components: openapi.components });

function toPattern(path: string): RegExp {
    return new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`);
}

export const operations: Operation[] = Object.entries(openapi.paths).flatMap(([path, item]) =>
    methods
        .filter((method) => item[method])
        .map((method) => {
            const object = item[method] as OperationObject;
            const pattern = toPattern(path);
            const scope = object["x-scope"];
            return { id: object.operationId, method, path, scope, pattern, object };
        }),
);

/** The operation of a request; a literal path is better than one with parameters. */
export function findOperation(method: string, path: string): Operation | undefined {
    const wanted = method.toLowerCase();
    return operations
        .filter((one) => one.method === wanted && one.pattern.test(path))
        .sort((a, b) => a.path.split("{").length - b.path.split("{").length)[0];
}

const compiled = new Map<string, ValidateFunction>();

/** Holds a value against a schema of the document, formats included. */
export function check(schema: object, value: unknown, what: string): void {
    const text = JSON.stringify(schema);
    let validate = compiled.get(text);
    if (!validate) {
        const absolute = JSON.parse(text.replaceAll('"#/components', '"openapi#/components'));
        validate = ajv.compile(absolute as object);
        compiled.set(text, validate);
    }
    const valid = validate(value);
    const wrong = ajv.errorsText(validate.errors, { dataVar: "body" });
    assert.ok(valid, `${what}: ${wrong}\n${JSON.stringify(value, null, 1)?.slice(0, 2000)}`);
}

function resolve(response: ResponseObject): ResponseObject {
    if (!response.$ref) return response;
    const name = response.$ref.replace("#/components/responses/", "");
    return openapi.components["responses"]?.[name] as ResponseObject;
}

const exercised = new Set<string>();

/** The operations that were answered with success so far. */
export function exercisedOperations(): ReadonlySet<string> {
    return exercised;
}

export interface Problem {
    type: string;
    title: string;
    status: number;
    detail: string;
    code: string;
    values?: Record<string, string>;
    errors?: ProblemPlace[];
    request_id?: string;
}

interface ProblemPlace {
    pointer?: string;
    parameter?: string;
    detail: string;
    code?: string;
    values?: Record<string, string>;
}

/** Holds a refusal against the schema of problems and against its own response. */
export async function readProblem(response: Response, status: number): Promise<Problem> {
    assert.equal(response.status, status);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    const problem = (await response.json()) as Problem;
    check({ $ref: "#/components/schemas/Problem" }, problem, "problem");
    assert.equal(problem.status, status);
    assert.equal(problem.type, `urn:pawl:problem:${problem.code}`);
    assert.equal(problem.request_id ?? null, response.headers.get("x-request-id"));
    // Who reads the detail alone must know how much is wrong.
    const places = problem.errors ?? [];
    const name = (place: (typeof places)[0]): string =>
        place.parameter ?? place.pointer?.split("/").at(-1) ?? "";
    assert.ok(
        places.length < 2 ||
            /\(and \d+ more\)/.test(problem.detail) ||
            places.every((place) => problem.detail.includes(name(place))),
        `the detail does not tell of all places: ${JSON.stringify(problem)}`,
    );
    return problem;
}

async function checkAnswer(operation: Operation, response: Response): Promise<Response> {
    const what = `${operation.method.toUpperCase()} ${operation.path} -> ${response.status}`;
    const { responses } = operation.object;
    const listed = responses[String(response.status)] ?? responses["default"];
    assert.ok(listed, `${what}: the status is not in the document`);
    assert.ok(response.status < 500 || response.status === 503, `${what}: the server failed`);
    const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
    const { content } = resolve(listed);
    if (!content && type === "") {
        exercised.add(operation.id);
        return response;
    }
    const media = content?.[type];
    assert.ok(media, `${what}: content type '${type}' is not in the document`);
    if (response.ok || response.status === 302) exercised.add(operation.id);
    if (type === "text/event-stream") return response;
    const text = await response.text();
    const isJson = type.endsWith("json");
    if (media.schema) check(media.schema, isJson ? JSON.parse(text) : text, what);
    const { status, statusText, headers } = response;
    const copy = (): Response => new Response(text, { status, statusText, headers });
    if (type === "application/problem+json") await readProblem(copy(), status);
    return copy();
}

function checkRequest(operation: Operation, init: RequestInit): void {
    const type = new Headers(init.headers).get("content-type")?.split(";")[0] ?? "";
    if (typeof init.body !== "string" || init.body === "" || type !== "application/json") return;
    const schema = operation.object.requestBody?.content[type]?.schema;
    const what = `${operation.id} accepted a request that the document forbids`;
    if (schema) check(schema, JSON.parse(init.body), what);
}

const violations: string[] = [];

/** What was not as the document says. The client under test may have swallowed the error. */
export function contractViolations(): readonly string[] {
    return violations;
}

/** fetch, but every answer must be what the document says. */
export const checkedFetch: typeof fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init.method ?? (input instanceof Request ? input.method : "GET");
    const response = await fetch(input, init);
    if (method === "OPTIONS") return response;
    try {
        const operation = findOperation(method, url.pathname);
        assert.ok(operation, `${method} ${url.pathname} is not in the document`);
        if (response.ok) checkRequest(operation, init);
        return await checkAnswer(operation, response);
    } catch (error) {
        if (error instanceof assert.AssertionError) violations.push(error.message);
        throw error;
    }
};
