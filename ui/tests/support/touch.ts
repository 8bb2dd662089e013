import assert from "node:assert/strict";
import type { CDPSession, Locator, Page } from "playwright-core";

interface Point {
    x: number;
    y: number;
}

async function middleOf(at: Locator | Point): Promise<Point> {
    if (!("boundingBox" in at)) return at;
    const box = await at.boundingBox();
    assert.ok(box);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** One finger. Pages that are loaded from then on know that there is a touch screen. */
export class Touch {
    private readonly session: CDPSession;

    private constructor(session: CDPSession) {
        this.session = session;
    }

    static async on(page: Page): Promise<Touch> {
        const session = await page.context().newCDPSession(page);
        await session.send("Emulation.setTouchEmulationEnabled", {
            enabled: true,
            maxTouchPoints: 1,
        });
        return new Touch(session);
    }

    private async send(type: "touchStart" | "touchMove" | "touchEnd", at?: Point): Promise<void> {
        await this.session.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [at] : [] });
    }

    async tap(at: Locator | Point): Promise<void> {
        // It stands still, and nothing lies over it.
        if ("boundingBox" in at) await at.click({ trial: true });
        await this.send("touchStart", await middleOf(at));
        await this.send("touchEnd");
    }

    async drag(from: Locator | Point, to: Locator | Point): Promise<void> {
        const begin = await middleOf(from);
        const end = await middleOf(to);
        await this.send("touchStart", begin);
        for (let i = 1; i <= 6; ++i) {
            const share = i / 6;
            await this.send("touchMove", {
                x: begin.x + (end.x - begin.x) * share,
                y: begin.y + (end.y - begin.y) * share,
            });
        }
        await this.send("touchEnd");
    }
}
