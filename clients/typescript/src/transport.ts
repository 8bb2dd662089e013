import { errorFrom, PawlError } from "./error.js";
import { backoff, Deadline, pause } from "./time.js";
import type { ChangeOptions } from "./types.js";

export interface PawlOptions {
    /** The address of the server, like `https://pawl.example.com`. */
    url: string;
    /** An API key or a JWT; a function is called before each request, for tokens that change. */
    key?: string | (() => string | Promise<string>) | undefined;
    /** Replaces the built-in fetch. */
    fetch?: typeof fetch | undefined;
    /** How often a failed request is retried. */
    retries?: number | undefined;
    /** Milliseconds that one attempt may take. */
    timeout?: number | undefined;
}

export type Query = Record<string, string | number | boolean | Date | string[] | undefined>;

interface RequestOptions {
    query?: Query | undefined;
    headers?: Record<string, string> | undefined;
    body?: unknown;
    signal?: AbortSignal | undefined;
}

/** A name as one segment of a path. */
export function segment(text: string): string {
    return encodeURIComponent(text);
}

// Must be unique, but not secret: Node 18 has no global crypto, and pages that
// came over plain HTTP have no crypto.randomUUID.
export function makeKey(): string {
    const bytes = new Uint8Array(16);
    const source = (globalThis as { crypto?: Crypto }).crypto;
    if (source) source.getRandomValues(bytes);
    else for (let i = 0; i < bytes.length; ++i) bytes[i] = Math.random() * 256;
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toText(value: NonNullable<Query[string]>): string {
    return value instanceof Date ? value.toISOString() : String(value);
}

function readJson<T>(text: string, base: string): T {
    try {
        return JSON.parse(text) as T;
    } catch (cause) {
        const detail = `${base} answers with something else than JSON: is it a Pawl server?`;
        throw new PawlError({ code: "no_json", detail, cause });
    }
}

/** Sends requests: authorizes, repeats where that is safe, turns refusals into errors. */
export class Transport {
    private readonly base: string;
    private readonly fetch: typeof fetch;
    private readonly retries: number;
    private readonly timeout: number;

    constructor(private readonly options: PawlOptions) {
        this.base = options.url.replace(/\/+$/, "");
        // A browser's fetch insists on being called as a method of the window.
        this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
        this.retries = options.retries ?? 4;
        this.timeout = options.timeout ?? 30_000;
    }

    async get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
        return readJson(await this.request("GET", path, { query, signal }), this.base);
    }

    async post<T>(path: string, body: unknown, options: ChangeOptions = {}): Promise<T> {
        const headers = { "Idempotency-Key": options.idempotencyKey ?? makeKey() };
        const { signal } = options;
        return readJson(await this.request("POST", path, { body, headers, signal }), this.base);
    }

    /** A POST that changes nothing, or nothing twice: it needs no key. */
    async ask<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
        return readJson(await this.request("POST", path, { body, signal }), this.base);
    }

    /** The same twice is the same once: it needs no key. */
    async put<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
        return readJson(await this.request("PUT", path, { body, signal }), this.base);
    }

    /** The body of the answer. May be sent more than once. */
    private async request(method: string, path: string, options: RequestOptions): Promise<string> {
        for (let tries = 0; ; ++tries) {
            try {
                // A connection lost in the middle of the body is a lost answer too.
                return await this.once(method, path, options, (response) => response.text());
            } catch (error) {
                const again = error instanceof PawlError && error.retryable;
                if (!again || tries >= this.retries) throw error;
                await pause(Math.min(error.retryAfter ?? backoff(tries), 60_000), options.signal);
            }
        }
    }

    /** An answer that continues until the signal fires; one attempt. */
    open(path: string, options: RequestOptions & { signal: AbortSignal }): Promise<Response> {
        return this.once("GET", path, options, undefined);
    }

    private once<T>(
        method: string,
        path: string,
        options: RequestOptions,
        read: (response: Response) => Promise<T>,
    ): Promise<T>;
    private once(
        method: string,
        path: string,
        options: RequestOptions,
        read: undefined,
    ): Promise<Response>;
    private async once(
        method: string,
        path: string,
        options: RequestOptions,
        read: ((response: Response) => Promise<unknown>) | undefined,
    ): Promise<unknown> {
        const init = await this.prepare(method, options);
        const deadline = new Deadline(options.signal, this.timeout, () => {
            const detail = `${method} ${this.base}${path}: no answer within ${this.timeout} ms`;
            return new PawlError({ code: "network", detail });
        });
        let goesOn = false;
        try {
            const { fetch } = this;
            const address = this.address(path, options.query);
            const response = await fetch(address, { ...init, signal: deadline.signal });
            if (!response.ok) throw errorFrom(response, await response.text());
            if (read) return await read(response);
            goesOn = true;
            return response;
        } catch (error) {
            if (deadline.signal.aborted) throw deadline.signal.reason;
            if (error instanceof PawlError) throw error;
            const why = error instanceof Error ? error.message : String(error);
            const detail = `${method} ${this.base}${path}: ${why}`;
            throw new PawlError({ code: "network", detail, cause: error });
        } finally {
            // The caller's signal must still end an answer that continues.
            if (goesOn) deadline.stopClock();
            else deadline.clear();
        }
    }

    private async prepare(method: string, options: RequestOptions): Promise<RequestInit> {
        const { key } = this.options;
        const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
        const token = typeof key === "function" ? await key() : key;
        if (token) headers["Authorization"] = `Bearer ${token}`;
        if (options.body === undefined) return { method, headers };
        const isText = typeof options.body === "string";
        headers["Content-Type"] = isText ? "application/yaml" : "application/json";
        const body = isText ? (options.body as string) : JSON.stringify(options.body);
        return { method, headers, body };
    }

    private address(path: string, query: Query = {}): string {
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries(query)) {
            if (value !== undefined) search.set(name, toText(value));
        }
        const text = search.toString();
        return this.base + path + (text ? `?${text}` : "");
    }
}
