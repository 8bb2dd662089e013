import { expect, test } from "vitest";
import { quietCss, unstyled } from "./frame";

test("styles get other names, and words stay", () => {
    expect(unstyled('<p class=a style="color: red">style="x"</p><STYLE>p{}</STYLE>')).toBe(
        '<p class=a data-pawl-raw="color: red">style="x"</p><pawl-style>p{}</pawl-style>',
    );
    expect(unstyled("<b style=a style=b>")).toBe("<b data-pawl-raw=a data-pawl-raw=b>");
});

test("handlers of events get other names", () => {
    expect(unstyled('<img src=x onerror="a()" onLoad = b><svg/onload=c>')).toBe(
        '<img src=x data-pawl-error="a()" data-pawl-Load = b><svg/data-pawl-load=c>',
    );
});

test("styles load nothing", () => {
    const css = "@import url(https://x/a.css); p{background:url( 'https://x/b' );color:red}";
    expect(quietCss(css)).toBe(" p{background:none;color:red}");
    expect(quietCss("p{background:url(data:image/png;base64,AA)}")).toContain("data:image");
    expect(quietCss("</style><script>")).not.toContain("<");
});
