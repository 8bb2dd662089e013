import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { ask } from "./support/browser.js";
import { source } from "./support/paths.js";
import { pawlExit } from "./support/process.js";
import { freshDatabase, Serve } from "./support/serve.js";

// The web UI comes out of the binary. CMake says which one that was built with; without one, a page
// says how to get it.

const folder = process.env["PAWL_UI_DIR"] ?? join(source, "build/ui");
const built = existsSync(join(folder, "index.html"));
const html = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

function directives(policy: unknown): Map<string, string[]> {
    return new Map(
        String(policy)
            .split(";")
            .map((part) => part.trim().split(" "))
            .map(([name, ...values]) => [name!, values]),
    );
}

function checkSafety(headers: NodeJS.Dict<string | string[]>): Map<string, string[]> {
    const policy = directives(headers["content-security-policy"]);
    assert.deepEqual(policy.get("default-src"), ["'none'"]);
    assert.deepEqual(policy.get("script-src"), ["'self'"]);
    assert.deepEqual(policy.get("connect-src"), ["'self'"]);
    assert.deepEqual(policy.get("frame-ancestors"), ["'none'"]);
    assert.doesNotMatch(String(headers["content-security-policy"]), /unsafe|https?:|\*/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "no-referrer");
    return policy;
}

describe("the web UI", () => {
    let server: Serve;
    let proxied: Serve;
    before(async () => {
        const database = await freshDatabase();
        server = new Serve(database, ["--no-worker"]);
        proxied = new Serve(database, ["--no-worker", "--base-path", "/pawl/"]);
        await server.start();
        await proxied.start();
    });
    after(async () => {
        await server.stop();
        await proxied.stop();
    });

    test("what is no page is answered as before", async () => {
        for (const path of ["/v1/nothing", "/functions/v1/x", "/assets/none.js", "/docs/none"]) {
            const answer = await ask("GET", server.url + path, html);
            assert.equal(answer.status, 404, path);
            assert.match(String(answer.headers["content-type"]), /problem\+json/, path);
        }
        for (const [method, headers] of [
            ["POST", html],
            ["GET", { Accept: "application/json" }],
            ["GET", {}],
            ["GET", { Accept: "text/html;q=0" }],
        ] as [string, Record<string, string>][]) {
            const answer = await ask(method, `${server.url}/people/42`, headers);
            assert.equal(answer.status, 404);
            assert.match(String(answer.headers["content-type"]), /problem\+json/);
        }
        const openapi = await ask("GET", `${server.url}/openapi.json`, html);
        assert.match(String(openapi.headers["content-type"]), /^application\/json/);
    });

    test("an address that the API and the UI share is the UI's for a browser alone", async () => {
        const key = { Authorization: `Bearer ${server.key}` };
        const program = await ask("GET", `${server.url}/workflows`, { ...html, ...key });
        assert.equal(program.status, 200);
        assert.ok(program.json.data);
        const browser = await ask("GET", `${server.url}/workflows`, html);
        assert.match(String(browser.headers["content-type"]), /^text\/html/);
        assert.equal((await ask("GET", `${server.url}/workflows`)).status, 401);
    });

    test("without it, the page says how to get it", { skip: built }, async () => {
        const answer = await ask("GET", server.url + "/", html);
        assert.equal(answer.status, 404);
        assert.match(answer.body.toString(), /make build/);
        checkSafety(answer.headers);
    });

    test("the page is at / and at every address of the UI", { skip: !built }, async () => {
        const text = readFileSync(join(folder, "index.html"), "utf8");
        const nonces = new Set<string>();
        for (const path of ["/", "/runs/42?tab=log", "/workflows/welcome", "/settings/keys"]) {
            const answer = await ask("GET", server.url + path, html);
            assert.equal(answer.status, 200, path);
            assert.equal(answer.headers["content-type"], "text/html; charset=utf-8");
            assert.equal(answer.headers["cache-control"], "no-store");
            const policy = checkSafety(answer.headers);
            const nonce = /^'nonce-(.{22})'$/.exec(policy.get("style-src")?.[1] ?? "")?.[1] ?? "";
            assert.notEqual(nonce, "");
            nonces.add(nonce);
            const filled = text
                .replaceAll("__PAWL_BASE__", "/")
                .replaceAll("__PAWL_NONCE__", nonce);
            assert.equal(answer.body.toString(), filled);
        }
        assert.equal(nonces.size, 4, "each answer has its own");
    });

    test("files are compressed and kept", { skip: !built }, async () => {
        const names = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".js"));
        const path = `/assets/${names[0]}`;
        const bytes = readFileSync(join(folder, "assets", names[0]!));
        const get = (headers: Record<string, string>) => ask("GET", server.url + path, headers);
        const br = await get({ "Accept-Encoding": "gzip, deflate, br" });
        assert.equal(br.headers["content-encoding"], "br");
        assert.deepEqual(brotliDecompressSync(br.body), bytes);
        const gzip = await get({ "Accept-Encoding": "gzip, br;q=0" });
        assert.equal(gzip.headers["content-encoding"], "gzip");
        assert.deepEqual(gunzipSync(gzip.body), bytes);
        const plain = await get({});
        assert.equal(plain.headers["content-encoding"], undefined);
        assert.deepEqual(plain.body, bytes);
        const etags = [br, gzip, plain].map((one) => one.headers["etag"]);
        assert.equal(new Set(etags).size, 3, "each form is another one");
        for (const answer of [br, gzip, plain]) {
            assert.match(String(answer.headers["content-type"]), /^text\/javascript/);
            assert.equal(answer.headers["vary"], "Accept-Encoding");
            assert.equal(answer.headers["cache-control"], "public, max-age=31536000, immutable");
            checkSafety(answer.headers);
        }
        const again = await get({
            "Accept-Encoding": "br",
            "If-None-Match": `"other", ${String(br.headers["etag"])}`,
        });
        assert.equal(again.status, 304);
        assert.equal(again.body.length, 0);
        const head = await ask("HEAD", server.url + path);
        assert.equal(head.status, 200);
        assert.equal(Number(head.headers["content-length"]), bytes.length);
    });

    test("a proxy may have it below a path", { skip: !built }, async () => {
        const text = readFileSync(join(folder, "index.html"), "utf8");
        const file = /"\.\/(assets\/[^"]+\.js)"/.exec(text)?.[1] ?? "";
        assert.notEqual(file, "");
        const asset = `/${file}`;
        for (const path of ["/pawl", "/pawl/", "/pawl/runs?x=1", "/", "/runs"]) {
            const answer = await ask("GET", proxied.url + path, html);
            assert.equal(answer.status, 200, path);
            assert.match(answer.body.toString(), /<base href="\/pawl\/"/, path);
        }
        for (const path of [asset, `/pawl${asset}`]) {
            assert.equal((await ask("GET", proxied.url + path)).status, 200, path);
        }
        assert.equal((await ask("GET", `${proxied.url}/pawlx${asset}`)).status, 404);
    });

    test("the API is below the path too", async () => {
        const headers = { Authorization: `Bearer ${proxied.key}` };
        for (const path of ["/v1/runs", "/pawl/v1/runs"]) {
            assert.equal((await ask("GET", proxied.url + path, headers)).status, 200, path);
        }
    });

    test("a base path that is none is refused", async () => {
        const env = { DATABASE_URL: server.databaseUrl };
        for (const path of ["pawl", '/pa"wl', "//evil.test", "/../x", "/a b"]) {
            const args = ["serve", "--listen", "127.0.0.1:0", "--base-path", path];
            const { code, stderr } = await pawlExit(args, env);
            assert.equal(code, 2, path);
            assert.match(stderr, /--base-path/);
        }
    });
});
