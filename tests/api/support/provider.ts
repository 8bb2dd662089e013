import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Grant {
    challenge: string;
    nonce: string;
    redirectUri: string;
}

/** A small identity provider: OpenID Connect's code flow with PKCE, and nothing else. */
export class Provider {
    url = "";
    readonly clientId = "pawl-ui";
    readonly clientSecret = `secret ${randomUUID()}`;
    /** Who signs in next, and what else their token says. */
    claims: Record<string, unknown> = {};
    /** What a provider that lies puts into the token or its head instead. */
    lies: Record<string, unknown> = {};
    headLies: Record<string, unknown> = {};
    signer: KeyObject;
    refused: string[] = [];
    private readonly keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
    private readonly grants = new Map<string, Grant>();
    private server: Server | undefined;

    constructor() {
        this.signer = this.keys.privateKey;
    }

    async start(): Promise<void> {
        this.server = createServer((request, response) => void this.answer(request, response));
        await new Promise<void>((resolve) => this.server!.listen(0, "127.0.0.1", resolve));
        this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.server?.close();
        this.server?.closeAllConnections();
    }

    private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const url = new URL(request.url!, this.url);
        const json = (status: number, body: object): void => {
            response.writeHead(status, { "Content-Type": "application/json" });
            response.end(JSON.stringify(body));
        };
        if (url.pathname === "/.well-known/openid-configuration") {
            return json(200, {
                issuer: this.url,
                authorization_endpoint: `${this.url}/authorize`,
                token_endpoint: `${this.url}/token`,
                jwks_uri: `${this.url}/jwks`,
            });
        }
        if (url.pathname === "/jwks") {
            const jwk = this.keys.publicKey.export({ format: "jwk" });
            return json(200, { keys: [{ ...jwk, kid: "1", use: "sig", alg: "RS256" }] });
        }
        if (url.pathname === "/authorize") return this.authorize(url, response);
        if (url.pathname === "/token") {
            let body = "";
            for await (const part of request) body += String(part);
            const why = this.wrongWith(new URLSearchParams(body), request);
            if (why) this.refused.push(why);
            const grant = this.grants.get(new URLSearchParams(body).get("code") ?? "");
            this.grants.delete(new URLSearchParams(body).get("code") ?? "");
            if (why || !grant) return json(400, { error: "invalid_grant" });
            return json(200, { token_type: "Bearer", id_token: this.token(grant.nonce) });
        }
        json(404, {});
    }

    /** The person behind the browser always agrees. */
    private authorize(url: URL, response: ServerResponse): void {
        const query = (name: string): string => url.searchParams.get(name) ?? "";
        const fine =
            query("response_type") === "code" &&
            query("client_id") === this.clientId &&
            query("code_challenge_method") === "S256" &&
            query("scope").split(" ").includes("openid");
        const back = new URL(query("redirect_uri"));
        back.searchParams.set("state", query("state"));
        if (fine) {
            const code = randomUUID();
            this.grants.set(code, {
                challenge: query("code_challenge"),
                nonce: query("nonce"),
                redirectUri: query("redirect_uri"),
            });
            back.searchParams.set("code", code);
        } else {
            back.searchParams.set("error", "invalid_request");
        }
        response.writeHead(302, { Location: back.href }).end();
    }

    private wrongWith(form: URLSearchParams, request: IncomingMessage): string {
        const grant = this.grants.get(form.get("code") ?? "");
        if (!grant) return "code";
        const hash = createHash("sha256").update(form.get("code_verifier") ?? "");
        if (hash.digest("base64url") !== grant.challenge) return "code_verifier";
        if (form.get("redirect_uri") !== grant.redirectUri) return "redirect_uri";
        const login = `${this.clientId}:${encodeURIComponent(this.clientSecret)}`;
        const basic = `Basic ${Buffer.from(login).toString("base64")}`;
        return request.headers.authorization === basic ? "" : "client";
    }

    private token(nonce: string): string {
        const now = Math.floor(Date.now() / 1000);
        const encode = (part: object): string =>
            Buffer.from(JSON.stringify(part)).toString("base64url");
        const head = { alg: "RS256", kid: "1", ...this.headLies };
        const usual = { iss: this.url, aud: this.clientId, iat: now, exp: now + 300, nonce };
        const text = `${encode(head)}.${encode({ ...usual, ...this.claims, ...this.lies })}`;
        return `${text}.${sign("sha256", Buffer.from(text), this.signer).toString("base64url")}`;
    }
}
