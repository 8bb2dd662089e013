import type { paths } from "@pawl/client/openapi.gen";
import createClient, { type Middleware } from "openapi-fetch";
import { say } from "@/words";
import { commonWords } from "@/words/common";
import { loadRefusals } from "@/words/refusal";
import { heard } from "./clock";
import { ApiError } from "./error";
import { parseExact } from "./json";
import { baseUrl } from "./place";
import { sessionEnded, sessionHeaders } from "./session";

export type { Schemas } from "./schemas";
export { ApiError };

/** In the words of the viewer. */
async function refuse({ status, headers }: Response, problem: object): Promise<never> {
    await loadRefusals();
    throw new ApiError(status, problem, headers);
}

/** Makes `json()` keep exact numbers; openapi-fetch calls it when it sees a length. */
function exactly(response: Response): Response {
    const headers = new Headers(response.headers);
    if (!headers.has("content-length")) headers.set("content-length", "1");
    Object.defineProperty(response, "headers", { value: headers });
    response.json = async () => parseExact(await response.text());
    return response;
}

async function send(request: Request): Promise<Response> {
    const asked = Date.now();
    try {
        const response = await fetch(request);
        heard(response, asked);
        return exactly(response);
    } catch (cause) {
        if (request.signal.aborted) throw cause;
        throw new ApiError(0, { detail: say(commonWords, "noAnswer") });
    }
}

const authorise: Middleware = {
    onRequest({ request }) {
        const write = request.method !== "GET" && request.method !== "HEAD";
        for (const [name, value] of Object.entries(sessionHeaders(write))) {
            request.headers.set(name, value);
        }
        return request;
    },
    onResponse({ response }) {
        if (response.status === 401) sessionEnded();
    },
};

/** The public API, with the types of its OpenAPI document. */
export const api = createClient<paths>({ baseUrl: baseUrl || window.location.origin, fetch: send });
api.use(authorise);

interface Answer<T> {
    data?: T;
    error?: unknown;
    response: Response;
}

/** The body of a successful answer; everything else is an ApiError. */
export async function call<T>(answer: Promise<Answer<T>>): Promise<T> {
    const { data, error, response } = await answer;
    if (response.ok) return data as T;
    const problem = typeof error === "object" && error !== null ? error : {};
    return refuse(response, problem);
}

/**
 * For routes that the types do not know yet. Prefer `api`: a route that stays belongs into the
 * OpenAPI document.
 */
export async function request<T>(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
): Promise<T> {
    const response = await send(
        new Request((baseUrl || window.location.origin) + path, {
            method,
            headers: {
                ...sessionHeaders(method !== "GET"),
                ...more,
                ...(body === undefined ? {} : { "Content-Type": "application/json" }),
            },
            ...(body === undefined
                ? {}
                : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        }),
    );
    if (response.status === 401) sessionEnded();
    const text = await response.text();
    let value: unknown;
    try {
        value = parseExact(text);
    } catch {
        value = { detail: text.slice(0, 500) };
    }
    if (!response.ok) {
        return refuse(response, value ?? {});
    }
    return value as T;
}
