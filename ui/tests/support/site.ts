import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../../build/ui", import.meta.url));

export interface Site {
    url: string;
    close: () => void;
}

const types: Record<string, string> = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".json": "application/json",
};

/** The policy under which the pages must work. */
const policy = (nonce: string) =>
    [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ].join("; ");

function page(response: ServerResponse, base: string): void {
    const nonce = randomBytes(16).toString("base64");
    const html = readFileSync(join(built, "index.html"), "utf8")
        .replaceAll("__PAWL_BASE__", `${base}/`)
        .replaceAll("__PAWL_NONCE__", nonce);
    response.writeHead(200, {
        "Content-Type": types[".html"]!,
        "Content-Security-Policy": policy(nonce),
        "Cache-Control": "no-store",
    });
    response.end(html);
}

function file(path: string, response: ServerResponse): void {
    const name = join(built, normalize(path));
    if (!name.startsWith(built) || !existsSync(name)) {
        response.writeHead(404).end();
        return;
    }
    const type = types[extname(name)] ?? "application/octet-stream";
    response.writeHead(200, { "Content-Type": type, "Cache-Control": "max-age=31536000" });
    response.end(readFileSync(name));
}

function forward(api: string, from: IncomingMessage, response: ServerResponse): void {
    const target = new URL(from.url ?? "/", api);
    const headers = { ...from.headers, host: target.host };
    delete headers.origin;
    const onward = request(target, { method: from.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on("error", () => response.destroy());
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    from.pipe(onward);
}

/**
 * Serves what the build made, as the binary does, and passes everything else to the API. `base`:
 * the path below which all of it is. `port`: where it was before; 0: anywhere.
 */
export async function startSite(api: string, base = "", port = 0): Promise<Site> {
    const server = createServer((from, response) => {
        const whole = (from.url ?? "/").replace(/\?.*/, "");
        const path = whole.startsWith(`${base}/`) ? whole.slice(base.length) : whole;
        if (/^\/(v1|sandbox|openapi\.json|metrics|livez|readyz)(\/|$)/.test(path)) {
            forward(api, from, response);
        } else if (path.startsWith("/assets/")) {
            file(path, response);
        } else {
            page(response, base);
        }
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: () => {
            server.closeAllConnections();
            server.close();
        },
    };
}
