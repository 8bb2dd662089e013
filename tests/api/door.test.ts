import { Pawl, type PawlError } from "@pawl/client";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { binary } from "./support/paths.js";
import { pawlCommand, pawlExit, Program } from "./support/process.js";
import { RawStream } from "./support/raw_stream.js";
import { createKey, freshDatabase, Serve } from "./support/serve.js";
import { within } from "./support/until.js";

// Who is let in, and how much is done for callers that are not.

const secret = randomUUID() + randomUUID();
const metricsKey = `metrics-${randomUUID()}`;

/** What an identity provider signs. */
function token(claims: Record<string, unknown>, seconds = 300): string {
    const encode = (part: object): string =>
        Buffer.from(JSON.stringify(part)).toString("base64url");
    const exp = Math.floor(Date.now() / 1000) + seconds;
    const text = `${encode({ alg: "HS256" })}.${encode({ exp, ...claims })}`;
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const inTenant = (name: string, claims: Record<string, unknown>): Record<string, unknown> => ({
    app_metadata: { tenant: name },
    ...claims,
});

/** A request with headers that fetch does not let callers choose. */
function raw(
    url: string,
    headers: Record<string, string>,
): Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }> {
    return new Promise((resolve, reject) => {
        const sent = httpRequest(url, { headers }, (response) => {
            let body = "";
            response.setEncoding("utf8").on("data", (text: string) => (body += text));
            response.on("end", () =>
                resolve({ status: response.statusCode!, body, headers: response.headers }),
            );
        });
        sent.on("error", reject).end();
    });
}

function residentBytes(pid: number): number {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes) * 1024;
}

describe("the door", () => {
    let server: Serve;
    let metricsUrl = "";
    const bearer = (text: string): Record<string, string> => ({ Authorization: `Bearer ${text}` });
    const get = (path: string, key?: string): Promise<Response> =>
        fetch(server.url + path, { headers: key ? bearer(key) : {} });
    const detail = async (response: Response): Promise<string> =>
        ((await response.json()) as { detail: string }).detail;

    before(async () => {
        const flags = ["--tenant-claim", "app_metadata.tenant", "--metrics-listen", "127.0.0.1:0"];
        server = new Serve(
            await freshDatabase(),
            [...flags, "--allowed-host", "pawl.test", "--cors-origin", "https://app.test"],
            { PAWL_JWT_SECRET: secret, PAWL_METRICS_KEY: metricsKey },
        );
        await server.start();
        const port = await server.logged(/"metrics_port":(\d+)/);
        metricsUrl = `http://127.0.0.1:${port}/metrics`;
        await pawlCommand(["tenants", "create", "acme"], { DATABASE_URL: server.databaseUrl });
    });
    after(() => server.stop());

    test("a command through a server may name the tenant of its key, and no other", async () => {
        const key = await createKey(server.databaseUrl, ["runs:read"], "acme");
        const env = { PAWL_URL: server.url, PAWL_API_KEY: key };
        const list = (tenant: string) =>
            pawlExit(["runs", "list", "-o", "json", "--tenant", tenant], env);
        const own = await list("acme");
        assert.equal(own.code, 0, own.stderr);
        const other = await list("globex");
        assert.equal(other.code, 2, other.stdout);
        assert.match(other.stderr, /the API key is of the tenant 'acme', not of 'globex'/);
    });

    test("a token that names no tenant is of none", async () => {
        for (const claims of [
            { role: "service_role" },
            { role: "service_role", tenant: "acme" },
            inTenant("", { role: "service_role" }),
            { role: "service_role", app_metadata: { tenant: null } },
        ]) {
            const response = await get("/v1/runs", token(claims));
            assert.equal(response.status, 401);
            assert.match(await detail(response), /app_metadata\.tenant/);
        }
        for (const name of ["acme", "default"]) {
            const named = token(inTenant(name, { role: "service_role" }));
            assert.equal((await get("/v1/runs", named)).status, 200);
        }
    });

    test("scopes in a token count only when the operator names their claim", async () => {
        for (const claims of [{ scope: "admin" }, { scp: ["admin"] }, { role: "guest" }]) {
            const response = await get("/v1/runs", token(inTenant("acme", claims)));
            assert.equal(response.status, 403);
        }
        const other = new Serve(server.databaseUrl, ["--scope-claim", "scope", "--no-worker"], {
            PAWL_JWT_SECRET: secret,
        });
        await other.start();
        const read = token({ scope: "openid runs:read", scp: ["admin"] });
        const ask = (path: string): Promise<Response> =>
            fetch(other.url + path, { headers: bearer(read) });
        assert.equal((await ask("/v1/runs")).status, 200);
        assert.equal((await ask("/v1/workflows")).status, 403);
        await other.stop();
    });

    test("the metrics are for the operator", async () => {
        assert.equal((await get("/metrics")).status, 401);
        const scraped = await get("/metrics", metricsKey);
        assert.equal(scraped.status, 200);
        assert.match(await scraped.text(), /^pawl_/m);
        assert.equal((await get("/v1/runs", metricsKey)).status, 403, "it opens nothing else");
        assert.equal((await get("/metrics", `${metricsKey}x`)).status, 401);
        const key = (scopes: string[], tenant?: string): Promise<string> =>
            createKey(server.databaseUrl, scopes, tenant);
        assert.equal((await get("/metrics", await key(["metrics:read"]))).status, 200);
        assert.equal((await get("/metrics", await key(["runs:read"]))).status, 403);
        const tenant = await get("/metrics", await key(["admin"], "acme"));
        assert.equal(tenant.status, 403);
        assert.match(await detail(tenant), /all tenants/);
        const page = await raw(`${server.url}/metrics`, {
            ...bearer(metricsKey),
            Origin: "https://app.test",
        });
        assert.equal(page.status, 200);
        assert.equal(page.headers["access-control-allow-origin"], undefined);
    });

    test("a port of its own shows the metrics to this machine, and to no page", async () => {
        const response = await fetch(metricsUrl);
        assert.equal(response.status, 200);
        assert.match(await response.text(), /^pawl_/m);
        assert.equal((await raw(metricsUrl, { Host: "rebind.test" })).status, 421);
        assert.equal((await raw(metricsUrl, { Origin: "https://evil.test" })).status, 403);
        const env = { DATABASE_URL: server.databaseUrl };
        const open = ["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "0.0.0.0:0"];
        const { code, stderr } = await pawlExit(open, env);
        assert.equal(code, 2);
        assert.match(stderr, /--metrics-key/);
    });

    test("a worker shows them to this machine, and to others with the key", async () => {
        const env = { DATABASE_URL: server.databaseUrl, PAWL_METRICS_KEY: metricsKey };
        const args = ["worker", "--listen", "0.0.0.0:0", "--log-format", "json"];
        const worker = new Program(args, env);
        const port = await worker.logged(/"listen":"0\.0\.0\.0:(\d+)"/);
        const url = `http://127.0.0.1:${port}`;
        assert.equal((await fetch(`${url}/readyz`)).status, 200);
        const refused = await fetch(`${url}/metrics`);
        assert.equal(refused.status, 401);
        assert.match(await refused.text(), /--metrics-key/);
        const shown = await fetch(`${url}/metrics`, { headers: bearer(metricsKey) });
        assert.equal(shown.status, 200);
        await worker.stop();
    });

    test("only named hosts and origins are answered", async () => {
        const url = `${server.url}/livez`;
        for (const Host of ["rebind.test", "127.rebind.test", "localhost.rebind.test:80"]) {
            const refused = await raw(url, { Host });
            assert.equal(refused.status, 421, Host);
            assert.match(refused.body, /--allowed-host/);
        }
        for (const Host of ["localhost", "localhost:99", "pawl.test", "[::1]:8080"]) {
            assert.equal((await raw(url, { Host })).status, 200, Host);
        }
        assert.equal((await raw(url, { Origin: "https://evil.test" })).status, 403);
        assert.equal((await raw(url, { Origin: "null" })).status, 403);
        const allowed = await raw(url, { Origin: "https://app.test" });
        assert.equal(allowed.headers["access-control-allow-origin"], "https://app.test");
        const same = await raw(url, { Origin: server.url });
        assert.equal(same.status, 200);
        assert.equal(same.headers["access-control-allow-origin"], undefined, "no page by default");
    });

    test("bodies without a key are not taken in", async () => {
        const { hostname, port } = new URL(server.url);
        const megabyte = Buffer.alloc(1_000_000, " ");
        const lines = ["POST /v1/runs HTTP/1.1", `Host: ${hostname}`];
        const head = [...lines, `Content-Length: ${megabyte.length}`, "", ""].join("\r\n");
        const before = residentBytes(server.pid);
        let largest = before;
        const keyless = Array.from({ length: 200 }, () => {
            return new Promise<string>((resolve, reject) => {
                let answer = "";
                const socket = connect(Number(port), hostname, () => {
                    // All but the last byte: the request is never complete.
                    socket.write(head);
                    socket.write(megabyte.subarray(1));
                });
                socket.setEncoding("utf8").on("data", (text: string) => {
                    answer += text;
                    largest = Math.max(largest, residentBytes(server.pid));
                });
                socket.on("close", () => (answer ? resolve(answer) : reject(new Error("cut"))));
                socket.on("error", () => socket.destroy());
            });
        });
        for (const answer of await Promise.all(keyless)) {
            assert.match(answer, /^HTTP\/1\.1 401 .*\r\n/);
            assert.match(answer, /\r\nConnection: close\r\n/);
        }
        const grown = largest - before;
        assert.ok(grown < 32 << 20, `200 keyless bodies took ${grown >> 20} MiB`);
    });

    test("what a path opens is not in the log", async () => {
        const made = `${"a".repeat(70)}.${"b".repeat(43)}`;
        const tries = [`/v1/callbacks/${made}`, `/v1/callbacks/${made}/more`, `/v1/x/${made}`];
        for (const path of tries) {
            await fetch(server.url + path, { method: "POST" });
        }
        await server.logged(/"path":"(\/v1\/x\/[^"]*)"/);
        assert.match(server.log, /"path":"\/v1\/callbacks\/\(secret\)"/);
        assert.ok(!server.log.includes("a".repeat(70)));
    });

    test("a stream ends when its key is revoked", async () => {
        const key = await createKey(server.databaseUrl, ["runs:read"]);
        const stream = new RawStream(await get("/v1/stream", key));
        // The client tries again, and is told why that is in vain.
        const client = new Pawl({ url: server.url, key });
        const told = assert.rejects(
            async () => {
                for await (const one of client.stream()) assert.fail(one.type);
            },
            (error: PawlError) => error.status === 401,
        );
        const args = ["keys", "revoke", key.slice(5, 13)];
        await pawlCommand(args, { DATABASE_URL: server.databaseUrl });
        const begun = Date.now();
        const messages = await stream.rest();
        assert.deepEqual(
            messages.map((one) => [one.event, one.data.status, one.data.code]),
            [["refused", 401, "unauthenticated"]],
        );
        assert.match(messages[0]!.data.detail, /revoked/);
        const took = Date.now() - begun;
        assert.ok(took < 12_000, `${took} ms`);
        await within("the client gives up", told);
    });

    test("a stream ends with its token", async () => {
        const short = token(inTenant("acme", { role: "authenticated" }), 3);
        const stream = new RawStream(await get("/v1/stream", short));
        const [last, ...rest] = await stream.rest();
        assert.equal(rest.length, 0);
        assert.equal(last?.event, "refused");
        assert.match(last?.data.detail, /expired/);
        const claims = JSON.parse(Buffer.from(short.split(".")[1]!, "base64url").toString());
        const late = Date.now() - claims.exp * 1000;
        assert.ok(late >= -5 && late < 5000, `${late} ms after its end`);
    });
});

describe("the process", () => {
    test("passwords are not in the list of processes", async () => {
        const url = (await freshDatabase()).replace("postgres@", "postgres:hunter2hunter2@");
        const args = ["--database-url", url, "serve", "--listen", "127.0.0.1:0"];
        const program = new Program([...args, `--sql-url=${url}`, "--log-format", "json"]);
        await program.logged(/"(ready)"/);
        const shown = readFileSync(`/proc/${program.pid}/cmdline`, "utf8").split("\0");
        assert.ok(shown.includes("serve"), shown.join(" "));
        assert.ok(!shown.join(" ").includes("hunter2"), shown.join(" "));
        await program.stop();
    });

    test("the binary leaves nothing to rewrite", async () => {
        const read = promisify(execFile);
        const { stdout } = await read("readelf", ["-hldW", binary]);
        assert.match(stdout, /Type:\s+DYN/, "loaded at any address");
        assert.match(stdout, /GNU_RELRO/);
        assert.match(
            stdout,
            /\((FLAGS|BIND_NOW)\).*BIND_NOW|\(BIND_NOW\)/,
            "resolved at the start",
        );
        assert.match(stdout, /FLAGS_1.*\bNOW\b.*\bPIE\b/);
        assert.match(stdout, /GNU_STACK.* RW +(0x)?\d+$/m, "no code on the stack");
        assert.doesNotMatch(stdout, / RWE /);
        const symbols = await read("readelf", ["--dyn-syms", "-W", binary]);
        assert.match(symbols.stdout, /__stack_chk_fail/);
    });
});
