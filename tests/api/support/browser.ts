import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import assert from "node:assert/strict";

/** What the web UI is told about who is signed in. */
export interface Session {
    subject: string;
    name: string;
    person: boolean;
    tenant: string;
    tenants: { name: string; role: string | null }[];
    role: string | null;
    scopes: string[];
    csrf: string | null;
    expires_at: string | null;
}

export interface Answer {
    status: number;
    headers: IncomingHttpHeaders;
    body: Buffer;
    json: any;
}

/** One request with any headers: fetch decides some of them itself. */
export function ask(
    method: string,
    url: string,
    headers: Record<string, string> = {},
    body?: unknown,
): Promise<Answer> {
    return new Promise((resolve, reject) => {
        const all: Record<string, string> = { ...headers };
        if (body !== undefined) all["Content-Type"] ??= "application/json";
        const sent = httpRequest(url, { method, headers: all }, (response) => {
            const parts: Buffer[] = [];
            response.on("data", (part: Buffer) => parts.push(part));
            response.on("end", () => {
                const whole = Buffer.concat(parts);
                let json: unknown;
                if (/json/.test(String(response.headers["content-type"]))) {
                    json = JSON.parse(whole.toString() || "null");
                }
                const { statusCode, headers } = response;
                resolve({ status: statusCode!, headers, body: whole, json });
            });
        });
        sent.on("error", reject);
        sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** A browser with one cookie, on pages of one server. */
export class Browser {
    cookie = "";
    csrf = "";

    constructor(readonly url: string) {}

    async send(
        method: string,
        path: string,
        body?: unknown,
        headers: Record<string, string> = {},
    ): Promise<Answer> {
        const own: Record<string, string> = { Origin: new URL(this.url).origin };
        if (this.cookie) own["Cookie"] = `theme=dark; ${this.cookie}`;
        if (this.csrf && method !== "GET") own["X-Pawl-Csrf"] = this.csrf;
        const answer = await ask(method, this.url + path, { ...own, ...headers }, body);
        const set = answer.headers["set-cookie"]?.[0];
        if (set) this.cookie = /Max-Age=0/.test(set) ? "" : set.split(";")[0]!;
        return answer;
    }

    /** Signs in and remembers what writes need. */
    async signIn(body: { key?: string; ticket?: string }): Promise<Session> {
        const answer = await this.send("POST", "/v1/session", body);
        assert.equal(answer.status, 200, answer.body.toString());
        const session = answer.json as Session;
        this.csrf = session.csrf ?? "";
        return session;
    }
}
