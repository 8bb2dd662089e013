import { i18n } from "@lingui/core";
import { afterEach, describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { readOpenApi } from "../../../clients/typescript/scripts/openapi.mjs";
import { readProblems } from "./problems";
import { problemText } from "./problemText";
import { problemWords } from "./problemWords";

const error = readOpenApi().components.schemas.Validation.properties.errors.items;
const codes: string[] = error.properties.code.enum;

// Files of tests share what they import.
afterEach(() => i18n.activate("en"));

const definition = {
    name: "w",
    nodes: [
        { id: "begin", type: "trigger", config: {} },
        { id: "pay", type: "http", config: {} },
    ],
    edges: [],
};
const read = (path: string, detail: string, code: string, values = {}) =>
    readProblems(definition as never, {
        valid: false,
        errors: [{ path, detail: `${path}: ${detail}`, code, values }],
    })[0]!;

describe("problems", () => {
    test("each that the server knows has words in Thai, and no other has", () => {
        expect(codes.length).toBeGreaterThan(100);
        const known = problemWords.keys.filter((key) => key !== "similar");
        expect([...known].sort()).toEqual(codes.filter((code) => code !== "other").sort());
    });

    test("are said with what they name", () => {
        i18n.activate("th");
        const lost = read("nodes[1]", "'pay' cannot be reached from 'begin': …", "unreachable", {
            step: "pay",
            start: "begin",
        });
        expect(problemText(lost, "th")).toBe("ไปไม่ถึง “pay” จาก “begin” ลากเส้นไปหา หรือลบออก");
        expect(lost.node).toBe("pay");
    });

    test("say which setting they are about", () => {
        i18n.activate("th");
        const url = read("nodes[1].config.url", "must be the address to call", "field_missing");
        expect(problemText(url, "th")).toBe("ที่อยู่ URL: ต้องกรอก");
        const whole = read("nodes[1].config", "must be a map", "must_be_map");
        expect(problemText(whole, "th")).toBe("ต้องเป็นชุดของชื่อและค่า");
        const share = read("nodes[1].config.variants[0].share", "…", "variant_share");
        expect(problemText(share, "th")).toBe("ใส่ส่วนแบ่งเป็นตัวเลข");
        expect(problemText(url, "en")).toBe("Url: must be the address to call");
        const key = read("nodes[1].retry.on", "unknown key: known here are …", "unknown_key");
        expect(problemText(key, "en")).toBe("On: unknown key: known here are …");
        const wait = read("nodes[1].config.duration", "'x' is not a duration", "no_duration");
        expect(problemText(wait, "en")).toBe("'x' is not a duration");
        const param = read("nodes[1].config.params.{{ x }}", "is not closed", "other");
        expect(problemText(param, "en")).toBe("X: is not closed");
    });

    test("name what was probably meant, and ways out by their words", () => {
        i18n.activate("th");
        const way = read("edges[0]", "…", "unknown_handle", {
            step: "pay",
            handle: "timeout",
            handles: "default",
            similar: "default",
        });
        expect(problemText(way, "th")).toContain("หมดเวลา");
        expect(problemText(way, "th")).toContain("หมายถึง “default” หรือไม่");
    });

    test("without words are as the server says them", () => {
        const other = read("nodes[1].config.url", "is odd (in 'pay')", "other");
        expect(problemText(other, "th")).toBe("is odd");
        expect(problemText(other, "en")).toBe("Url: is odd");
        const newer = read("nodes[1]", "is of tomorrow", "of_tomorrow");
        expect(problemText(newer, "th")).toBe("is of tomorrow");
    });
});
