import { createServer, type Server } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { chromium, type Browser, type Page } from "playwright-core";
import { source } from "./paths.js";

/** A page of another origin than the server's, with the client as modules, in a real browser. */
export class BrowserPage {
    private server: Server | undefined;
    private browser: Browser | undefined;
    origin = "";

    async open(): Promise<Page> {
        this.server = createServer((request, response) => {
            const file = /^\/client\/([\w.]+\.js)$/.exec(request.url ?? "")?.[1];
            if (!file) {
                response.writeHead(200, { "Content-Type": "text/html" });
                response.end("<!doctype html><title>A front end</title>");
                return;
            }
            readFile(`${source}clients/typescript/dist/${file}`).then(
                (text) => {
                    response.writeHead(200, { "Content-Type": "text/javascript" });
                    response.end(text);
                },
                () => response.writeHead(404).end(),
            );
        });
        await new Promise<void>((resolve) => this.server?.listen(0, "127.0.0.1", resolve));
        this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
        this.browser = await chromium.launch({
            executablePath: process.env["PAWL_CHROMIUM"] ?? "/usr/bin/chromium-headless-shell",
            // Its sandbox does not work as root, and the only page is ours.
            args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        });
        const page = await this.browser.newPage();
        await page.goto(this.origin);
        return page;
    }

    async close(): Promise<void> {
        await this.browser?.close();
        this.server?.closeAllConnections();
        this.server?.close();
    }
}
