import { Pawl, type Definition, type Run } from "@pawl/client";
import { randomUUID } from "node:crypto";
import { after } from "node:test";
import pg from "pg";
import { checkedFetch } from "./contract.js";
import { pawlCommand } from "./process.js";
import { createKey, freshDatabase, Serve } from "./serve.js";
import { Sink } from "./sink.js";

// One server for all test files of this process, whose steps call the sink.

export const functionsKey = `functions-${randomUUID()}`;
export const sink = new Sink();
export const functionsUrl = await sink.start();
export const databaseUrl = await freshDatabase();
await pawlCommand(["workflows", "apply", "-f", "workflows"], { DATABASE_URL: databaseUrl });
// Pages of any origin may call it: the tests of front ends have one of their own.
const options = ["--functions-url", functionsUrl, "--cors-origin", "*", "--unsafe-sql-as-engine"];
const server = new Serve(databaseUrl, options, {
    PAWL_FUNCTIONS_KEY: functionsKey,
    PAWL_LINK_SECRET: `links-${randomUUID()}`,
});
await server.start();

export const { url, key } = server;

/** A client with all rights; its answers are checked against the OpenAPI document. */
export const pawl = new Pawl({ url, key, fetch: checkedFetch });

export const database = new pg.Pool({ connectionString: databaseUrl, max: 4 });

after(async () => {
    await database.end();
    await server.stop();
    sink.stop();
});

interface RequestOptions {
    key?: string | undefined;
    headers?: Record<string, string>;
    body?: unknown;
}

function toInit(method: string, options: RequestOptions): RequestInit {
    const headers: Record<string, string> = { ...options.headers };
    const token = "key" in options ? options.key : key;
    if (token) headers["Authorization"] = `Bearer ${token}`;
    const { body } = options;
    if (body === undefined) return { method, headers };
    headers["Content-Type"] ??= "application/json";
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    return { method, headers, body: isRaw ? (body as BodyInit) : JSON.stringify(body) };
}

/** One request, without the client's retries, checked against the document. */
export function request(
    method: string,
    path: string,
    options: RequestOptions = {},
): Promise<Response> {
    return checkedFetch(url + path, toInit(method, options));
}

/** The same, unchecked: for what is not in the document. */
export function uncheckedRequest(
    method: string,
    path: string,
    options: RequestOptions = {},
): Promise<Response> {
    return fetch(url + path, toInit(method, options));
}

const keys = new Map<string, Promise<string>>();

/** A key that may do only this. */
export function keyWith(...scopes: string[]): Promise<string> {
    const name = scopes.join(" ");
    let made = keys.get(name);
    if (!made) {
        made = createKey(databaseUrl, scopes);
        keys.set(name, made);
    }
    return made;
}

export type StepDefinition = Record<string, unknown>;

/** Publishes a workflow under a name of its own. */
export async function define(
    steps: StepDefinition[],
    rest: Record<string, unknown> = {},
): Promise<string> {
    const name = `w-${randomUUID()}`;
    await pawl.workflows.apply({ name, steps, ...rest } as Definition);
    return name;
}

/** Starts a run and waits for its end. */
export async function runToEnd(workflow: string, data: Record<string, unknown> = {}): Promise<Run> {
    const { id } = await pawl.start(workflow, data);
    return await pawl.wait(id, { timeout: 60_000 });
}

/** What the document calls an execution: a row of its view. */
export async function execution(id: string): Promise<Record<string, unknown>> {
    const text = "select to_jsonb(e) as row from workflow_executions e where id = $1";
    const { rows } = await database.query<{ row: Record<string, unknown> }>(text, [id]);
    return rows[0]?.row ?? {};
}

/** How many runs a workflow has, by the document's view. */
export async function countRuns(workflow: string): Promise<number> {
    const text = "select count(*)::int as n from workflow_executions where workflow_name = $1";
    const { rows } = await database.query<{ n: number }>(text, [workflow]);
    return rows[0]?.n ?? 0;
}

/** Calls a function route the way the document's front end does. */
export async function invoke(
    action: string,
    payload?: unknown,
    name = "workflow-enqueue",
): Promise<{ status: number; body: { success: boolean; data?: any; error?: string } }> {
    const response = await request("POST", `/functions/v1/${name}`, { body: { action, payload } });
    return { status: response.status, body: (await response.json()) as any };
}
