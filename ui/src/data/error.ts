import type { Place, Refusal } from "@/words/problem";
import { refusalText } from "@/words/refusal";

/** An answer that is not a success, or no answer at all (status 0), with what it says. */
export class ApiError extends Error {
    readonly status: number;
    readonly code: string;
    readonly requestId: string | undefined;
    readonly errors: Place[];
    /** What the sentence names. */
    readonly values: Record<string, string>;
    /** In seconds: when the server wants to be asked again. */
    readonly retryAfter: number | undefined;
    private readonly refusal: Refusal;

    constructor(status: number, problem: Refusal & { request_id?: string }, headers?: Headers) {
        const refusal = { ...problem, status };
        super(refusalText(refusal));
        this.name = "ApiError";
        this.refusal = refusal;
        this.status = status;
        this.code = problem.code ?? (status === 0 ? "unreachable" : "unknown");
        this.requestId = problem.request_id ?? headers?.get("x-request-id") ?? undefined;
        this.errors = problem.errors ?? [];
        this.values = problem.values ?? {};
        const seconds = headers?.get("retry-after") ?? "";
        this.retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : undefined;
    }

    /** The message in the language that the viewer has now. */
    get text(): string {
        return refusalText(this.refusal);
    }
}

/** What went wrong, for a person. */
export function errorText(error: unknown): string {
    if (error instanceof ApiError) return error.text;
    return error instanceof Error ? error.message : String(error);
}
