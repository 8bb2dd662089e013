import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { until } from "./until.js";

/** What a step sent. */
export interface Received {
    headers: IncomingMessage["headers"];
    body: { action?: string; payload?: Record<string, unknown> };
    text: string; // the bytes of the body
}

/** How a function answers one call. */
export type Answer = (call: Received) => Promise<Reply | undefined> | Reply | undefined;

export interface Reply {
    status?: number;
    body: unknown;
}

export const ok =
    (data: unknown = {}): Answer =>
    () => ({ body: { success: true, data } });
export const fails =
    (status: number, error?: string): Answer =>
    () => ({ status, body: { success: false, ...(error ? { error } : {}) } });
/** 200, and yet it says that it did not work. */
export const refuses =
    (error: string): Answer =>
    () => ({ body: { success: false, error } });
/** Takes the call and never answers. */
export const never: Answer = () => undefined;

/** A function that the steps of one test call. */
export class StepFunction {
    readonly calls: Received[] = [];
    private answers: Answer[] = [ok()];

    constructor(readonly name: string) {}

    /** One answer a call; the last one stays. */
    will(...answers: Answer[]): this {
        this.answers = answers;
        return this;
    }

    /** Answers only after `open` was called. */
    waits(then: Answer = ok()): () => void {
        let open = (): void => {};
        const gate = new Promise<void>((resolve) => (open = resolve));
        this.will(async (call) => {
            await gate;
            return then(call);
        });
        return open;
    }

    called(times: number): Promise<Received[]> {
        const what = `call ${times} of ${this.name}`;
        return until(what, () => this.calls.length >= times && this.calls);
    }

    async answer(call: Received): Promise<Reply | undefined> {
        this.calls.push(call);
        const place = Math.min(this.calls.length, this.answers.length) - 1;
        return await this.answers[place]?.(call);
    }
}

/** An HTTP server whose functions answer what the test decides. */
export class Sink {
    private readonly functions = new Map<string, StepFunction>();
    private readonly server: Server = createServer((request, response) => {
        void this.serve(request, response);
    });

    async start(): Promise<string> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        this.server.unref();
        return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }

    function(name = `f-${randomUUID()}`): StepFunction {
        const made = new StepFunction(name);
        this.functions.set(name, made);
        return made;
    }

    stop(): void {
        this.server.closeAllConnections();
        this.server.close();
    }

    private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
        let text = "";
        for await (const piece of request.setEncoding("utf8")) text += piece as string;
        const target = this.functions.get((request.url ?? "").replace(/^\//, ""));
        const body = JSON.parse(text) as Received["body"];
        const call = { headers: request.headers, body, text };
        const missing = { status: 404, body: { success: false, error: "no such function" } };
        const reply = target ? await target.answer(call) : missing;
        if (!reply) return; // never
        response.writeHead(reply.status ?? 200, { "Content-Type": "application/json" });
        response.end(JSON.stringify(reply.body));
    }
}
