/**
 * Mail as a page of its own for a frame without script. The frame inherits the policy of this page,
 * so nothing is loaded from elsewhere; styles that stand in the mail get the nonce, and whatever
 * would load, move or send something is taken out before.
 */

const gone =
    "script, iframe, frame, frameset, object, embed, applet, base, link, meta, video, audio, source, " +
    "track, portal, svg, math, template, noscript";

/** Without addresses that would be loaded, and without ways to close its element. */
export function quietCss(css: string): string {
    return css
        .replace(/@import[^;]*;?/gi, "")
        .replace(/url\(\s*(?!["']?data:)[^)]*\)/gi, "none")
        .replace(/image-set\([^)]*\)/gi, "none")
        .replaceAll("<", "");
}

/** One declaration list, which must not end its rule. */
const inside = (css: string) => quietCss(css).replace(/[{}]/g, "");

function clean(element: Element): void {
    const tag = element.tagName.toLowerCase();
    for (const { name, value } of [...element.attributes]) {
        const low = name.toLowerCase();
        const picture = tag === "img" && low === "src" && /^data:image\//i.test(value);
        const plain =
            /^(class|id|align|valign|width|height|bgcolor|color|border|cellpadding|cellspacing|colspan|rowspan|dir|lang|role|alt|title|data-pawl-style|face|size)$/.test(
                low,
            );
        if (plain || picture) continue;
        element.removeAttribute(name);
        if (tag === "a" && low === "href") {
            element.setAttribute("title", value.slice(0, 2000));
            element.setAttribute("class", `${element.getAttribute("class") ?? ""} pawl-link`);
        }
    }
    if (tag === "img" && !element.hasAttribute("src")) {
        const box = element.ownerDocument.createElement("span");
        box.className = "pawl-picture";
        box.textContent = element.getAttribute("alt") || "▦";
        element.replaceWith(box);
    }
}

const base =
    "body{margin:12px;font:14px/1.5 system-ui,sans-serif;color:#1b1f29;background:#fff;overflow-wrap:anywhere}" +
    ".pawl-link{color:#3b52cc;text-decoration:underline}" +
    ".pawl-picture{display:inline-block;padding:4px 8px;border:1px dashed #8d95a3;border-radius:4px;color:#646c7a;font-size:12px}";

/**
 * Styles and handlers of events under other names: this page's policy has no say in a mail that is
 * only read here.
 */
export function unstyled(html: string): string {
    let out = html.replace(/<(\/?)style\b/gi, "<$1pawl-style");
    for (let before = ""; before !== out; ) {
        before = out;
        out = out
            .replace(/(<[a-z][^>]*?[\s"'/])style(\s*=)/gi, "$1data-pawl-raw$2")
            .replace(/(<[a-z][^>]*?[\s"'/])on([a-z]+\s*=)/gi, "$1data-pawl-$2");
    }
    return out;
}

/** The text of `srcdoc` for a mail of unknown origin. */
export function frameOf(html: string, nonce: string): string {
    const page = new DOMParser().parseFromString(unstyled(html), "text/html");
    const rules: string[] = [];
    for (const style of page.querySelectorAll("pawl-style")) {
        rules.push(quietCss(style.textContent ?? ""));
        style.remove();
    }
    for (const one of page.querySelectorAll(gone)) one.remove();
    for (const one of page.querySelectorAll("[data-pawl-raw]")) {
        one.setAttribute("data-pawl-style", String(rules.length));
        rules.push(
            `[data-pawl-style="${rules.length}"]{${inside(one.getAttribute("data-pawl-raw") ?? "")}}`,
        );
    }
    for (const one of [...page.querySelectorAll("*")]) clean(one);
    const sheet = `<style nonce="${nonce}">${base}</style><style nonce="${nonce}">${rules.join("\n")}</style>`;
    return `<!doctype html><html><head><meta charset="utf-8">${sheet}</head><body data-pawl-style="${page.body.getAttribute("data-pawl-style") ?? ""}">${page.body.innerHTML}</body></html>`;
}
