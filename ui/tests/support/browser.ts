import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after } from "node:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { keepPriority } from "./priority.ts";
import { type Pawl, root } from "./serve.ts";

const screenshots = `${root}build/ui/screenshots`;

export interface Look {
    width?: number;
    height?: number;
    scheme?: "light" | "dark";
    language?: "en" | "th";
    /** false: pages run no script. */
    script?: boolean;
}

let browser: Promise<Browser> | undefined;

/** One browser for all files of a process: to start it takes longer than many a test. */
function theBrowser(): Promise<Browser> {
    browser ??= chromium.launch({
        // The same engine as chromium, without windows, which take a third of the time.
        executablePath: process.env["PAWL_CHROMIUM"] ?? "/usr/bin/chromium-headless-shell",
        args: [
            "--no-sandbox",
            "--font-render-hinting=none",
            "--disable-gpu",
            // Pages keep the priority of the tests.
            "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows",
            // No page lives long enough for its scripts to become faster than that takes.
            ...(process.env["PAWL_SPEED"] ? [] : ["--js-flags=--no-opt,--no-maglev"]),
        ],
    });
    return browser;
}

const priority = keepPriority();
after(async () => {
    clearInterval(priority);
    await (await browser)?.close();
});

/** The pages of a test file. They fail the test if they log an error or break the policy. */
export class Viewer {
    private readonly contexts: BrowserContext[] = [];
    readonly problems: string[] = [];
    // A page that is left breaks its requests off: as many of these are expected.
    private readonly unanswered: string[] = [];
    private brokenOff = 0;

    async open(look: Look = {}): Promise<Page> {
        const width = look.width ?? 1440;
        const context = await (await theBrowser()).newContext({
            viewport: { width, height: look.height ?? (width < 600 ? 740 : 900) },
            colorScheme: look.scheme ?? "light",
            locale: look.language ?? "en",
            timezoneId: "Asia/Bangkok",
            reducedMotion: "reduce",
            javaScriptEnabled: look.script ?? true,
        });
        this.contexts.push(context);
        await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        const page = await context.newPage();
        page.setDefaultTimeout(Number(process.env["PAWL_UI_TIMEOUT"] ?? 60_000));
        page.on("pageerror", (error) => this.problems.push(`error: ${error.message}`));
        page.on("console", (message) => {
            const text = message.text();
            // Answers that are no success are logged by the browser itself: pages show them.
            if (message.type() !== "error" || text.startsWith("Failed to load resource")) return;
            const unanswered = text.startsWith("TypeError: Failed to fetch");
            (unanswered ? this.unanswered : this.problems).push(text);
        });
        page.on("requestfailed", (request) => {
            if (request.failure()?.errorText === "net::ERR_ABORTED") this.brokenOff++;
        });
        return page;
    }

    /** Fails if a page logged an error since the last call. */
    check(): void {
        const expected = this.unanswered.splice(0, this.brokenOff);
        this.brokenOff -= expected.length;
        const problems = [...this.problems.splice(0), ...this.unanswered.splice(0)];
        assert.deepEqual(problems, []);
    }

    async close(): Promise<void> {
        for (const context of this.contexts.splice(0)) await context.close();
    }
}

/** A server with pages, and a key that opens it. */
type Served = Pick<Pawl, "url" | "key">;

const keyOf = new WeakMap<BrowserContext, string>();

/** Opens a path with a session of this key; what the page of signing in does is tested there. */
export async function signIn(page: Page, pawl: Served, path = "/", key = pawl.key): Promise<void> {
    const context = page.context();
    if (keyOf.get(context) !== key) {
        await context.clearCookies();
        const answer = await context.request.post(`${pawl.url}/v1/session`, { data: { key } });
        assert.ok(answer.ok(), `signing in was answered ${answer.status()}`);
        keyOf.set(context, key);
    }
    await page.goto(pawl.url + path);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
}

/**
 * Shows a page that is signed in at another size, colour or language. This takes a fraction of what
 * a new page takes, which has neither session nor cached scripts.
 */
export async function turn(page: Page, look: Look): Promise<void> {
    const width = look.width ?? 1440;
    await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
    await page.emulateMedia({ colorScheme: look.scheme ?? "light" });
    const language = look.language ?? "en";
    if ((await page.evaluate(() => document.documentElement.lang)) === language) return;
    await page.evaluate((to) => localStorage.setItem("pawl-language", to), language);
    await page.reload();
    await page.getByRole("heading", { level: 1 }).first().waitFor();
}

/** Nothing of the page is beside the screen. */
export async function checkWidth(page: Page): Promise<void> {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    const screen = page.viewportSize()?.width ?? 0;
    assert.ok(wide <= screen, `${page.url()} is ${wide} px wide`);
}

/** Goes to a path without loading the page again. */
export async function go(page: Page, path: string): Promise<void> {
    await page.evaluate((to) => {
        history.pushState({}, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
    }, path);
}

export async function shoot(page: Page, name: string): Promise<Buffer> {
    mkdirSync(screenshots, { recursive: true });
    return await page.screenshot({ path: `${screenshots}/${name}.png` });
}

/**
 * Presses keys of a keyboard with another layout: `KeyG` that writes `เ`. Playwright itself only
 * has the American one.
 */
export async function pressOn(
    page: Page,
    keys: [code: string, writes: string, held?: "Control" | "Shift"][],
): Promise<void> {
    const session = await page.context().newCDPSession(page);
    for (const [code, key, held] of keys) {
        const modifiers = held === "Control" ? 2 : held === "Shift" ? 8 : 0;
        const text = held === "Control" ? {} : { text: key };
        const windowsVirtualKeyCode = code.charCodeAt(code.length - 1);
        const press = { code, key, modifiers, windowsVirtualKeyCode };
        await session.send("Input.dispatchKeyEvent", { type: "keyDown", ...press, ...text });
        await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...press });
    }
    await session.detach();
}
