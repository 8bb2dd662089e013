import type { ProblemPlace } from "./types.js";

interface Facts {
    status?: number;
    code: string;
    detail: string;
    errors?: ProblemPlace[];
    requestId?: string | undefined;
    retryAfter?: number | undefined;
    cause?: unknown;
}

/** The server refused a request, or the client could not reach it. */
export class PawlError extends Error {
    override readonly name = "PawlError";
    /** The HTTP status; 0 if there was no answer. */
    readonly status: number;
    /** Stable, for programs: `not_found`, ...; the client's own are `network` and `timeout`. */
    readonly code: string;
    /** For people. */
    readonly detail: string;
    /** Each error in the request. */
    readonly errors: ProblemPlace[];
    /** Finds the request in the server's log. */
    readonly requestId: string | undefined;
    /** Milliseconds after which the server accepts a retry. */
    readonly retryAfter: number | undefined;

    constructor(facts: Facts) {
        super(facts.detail, facts.cause === undefined ? undefined : { cause: facts.cause });
        this.status = facts.status ?? 0;
        this.code = facts.code;
        this.detail = facts.detail;
        this.errors = facts.errors ?? [];
        this.requestId = facts.requestId;
        this.retryAfter = facts.retryAfter;
    }

    /** True if the same request may succeed later. */
    get retryable(): boolean {
        return this.code === "network" || [429, 502, 503, 504].includes(this.status);
    }
}

// Seconds or a date (RFC 9110).
function readRetryAfter(response: Response): number | undefined {
    const text = response.headers.get("retry-after");
    if (!text) return undefined;
    const seconds = Number(text);
    const milliseconds = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
    return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a refusal: a problem document, the envelope of the function routes, or neither. */
export function errorFrom(response: Response, text: string): PawlError {
    let body: unknown;
    try {
        body = JSON.parse(text);
    } catch {
        // A proxy's page: use its status.
    }
    const said = isObject(body) ? body : {};
    const detail = said["detail"] ?? said["error"];
    return new PawlError({
        status: response.status,
        code: typeof said["code"] === "string" ? said["code"] : `http_${response.status}`,
        detail:
            typeof detail === "string"
                ? detail
                : `the server answered ${response.status} ${response.statusText}`.trim(),
        errors: Array.isArray(said["errors"]) ? (said["errors"] as ProblemPlace[]) : [],
        requestId:
            typeof said["request_id"] === "string"
                ? said["request_id"]
                : (response.headers.get("x-request-id") ?? undefined),
        retryAfter: readRetryAfter(response),
    });
}
