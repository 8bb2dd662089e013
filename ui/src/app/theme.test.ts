import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import { describe, expect, it } from "vitest";
import { theme, variables } from "./theme";

const whole = mergeMantineTheme(DEFAULT_THEME, theme);
const mantine = defaultCssVariablesResolver(whole);
const own = variables(whole);

/** What a variable is in the end, as red, green and blue. */
function colour(all: Record<string, string>, name: string): number[] {
    let value = `var(${name})`;
    for (let found = /^var\((.+)\)$/.exec(value); found; found = /^var\((.+)\)$/.exec(value)) {
        value = all[found[1]!] ?? "";
    }
    const long = value.length === 4 ? value.replace(/[0-9a-f]/gi, "$&$&") : value;
    const hex = /^#([0-9a-f]{6})$/i.exec(long)?.[1];
    if (hex) return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    const parts = /^rgba\((\d+), (\d+), (\d+), 1\)$/.exec(value)?.slice(1).map(Number);
    if (!parts) throw new Error(`${name} is ${value}`);
    return parts;
}

/** As the accessibility rules define it. */
function light(rgb: number[]): number {
    const [r, g, b] = rgb
        .map((part) => part / 255)
        .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: number[], other: number[]): number {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright! + 0.05) / (dark! + 0.05);
}

describe.each(["light", "dark"] as const)("colours of the %s scheme", (scheme) => {
    const all = {
        ...mantine.variables,
        ...mantine[scheme],
        ...own.variables,
        ...own[scheme],
    } as Record<string, string>;
    const names = ["pawl", "red", "gray", "blue", "teal", "green", "yellow", "orange"];
    it.each(names)("%s can be read", (name) => {
        const is = (part: string) => colour(all, `--mantine-color-${part}`);
        const pairs = {
            "an alert or badge": [`${name}-light-color`, `${name}-light`],
            "a subtle button": [`${name}-light-color`, "body"],
            "a subtle button under the pointer": [`${name}-light-color`, `${name}-light-hover`],
            "an outlined button": [`${name}-outline`, "body"],
            "a text": [`${name}-text`, "body"],
            "quiet words in an alert": ["dimmed", `${name}-light`],
        };
        const low = Object.entries(pairs)
            .map(([what, [ink, paper]]) => ({ what, ratio: contrast(is(ink!), is(paper!)) }))
            .filter(({ ratio }) => ratio < 4.5);
        expect(low).toEqual([]);
    });
    it.each(["pawl", "red", "blue", "teal"])("white words on %s can be read", (name) => {
        for (const part of ["filled", "filled-hover"]) {
            const ground = colour(all, `--mantine-color-${name}-${part}`);
            expect(contrast([255, 255, 255], ground)).toBeGreaterThan(4.5);
        }
    });
});
