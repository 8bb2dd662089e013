import { i18n } from "@lingui/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { readOpenApi } from "../../../../clients/typescript/scripts/openapi.mjs";
import { whyText } from "./whyText";
import { clauseWords, helpWords } from "./whyWords";

const { WhyClause, WhyHelp } = readOpenApi().components.schemas;
const codesOf = (schema: { properties: { code: { enum: string[] } } }) =>
    schema.properties.code.enum;

beforeEach(() => i18n.activate("th"));
// Files of tests share what they import.
afterEach(() => i18n.activate("en"));

type Why = Parameters<typeof whyText>[0];
const why = (code: string, values: Record<string, unknown>, rest: Partial<Why> = {}): Why => ({
    sentence: "Said by the server.",
    clauses: [{ code: code as never, values }],
    what_helps: "",
    help: { code: "nothing", values: {} },
    places: [],
    place_clauses: [],
    ...rest,
});
const said = (code: string, values: Record<string, unknown>) =>
    whyText(why(code, values), "th").sentence;

// The English is the sentence of the server: tests/unit/plan/why_codes_test.cpp has one of each.
describe("why a run does not move", () => {
    test("each code that the server knows has words in Thai, and no other has", () => {
        expect([...clauseWords.keys].sort()).toEqual([...codesOf(WhyClause)].sort());
        expect([...helpWords.keys].sort()).toEqual([...codesOf(WhyHelp)].sort());
        for (const code of codesOf(WhyClause)) expect(said(code, {})).toMatch(/[\u0e00-\u0e7f]/);
    });

    test("is said with what it names, and without what is not known", () => {
        const at = "2026-03-01T09:00:00.000000Z";
        expect(said("waits_signal", { step: "pay", signal: "paid" })).toBe(
            "รออยู่ที่ “pay” สัญญาณ paid",
        );
        expect(said("waits_signal", { step: "pay", signal: "paid", until: at })).toBe(
            `รออยู่ที่ “pay” สัญญาณ paid ไม่เกิน ${at}`,
        );
        expect(said("waits_person", { step: "ask", title: "ดีไหม" })).toBe(
            "รออยู่ที่ “ask” ให้คนตัดสินใจ: ดีไหม",
        );
        expect(said("waits_person", { step: "ask", title: "ดีไหม", assignee: "ann" })).toBe(
            "รออยู่ที่ “ask” ให้ ann ตัดสินใจ: ดีไหม",
        );
        expect(said("backing_off", { step: "pay", failures: 2 })).toContain("จะลองอีกตอนนี้");
        expect(said("paused", {})).toBe("หยุดชั่วคราว");
        expect(said("paused", { reason: "ร้านปิด" })).toBe("หยุดชั่วคราว: ร้านปิด");
        expect(said("at_work", { step: "pay", attempt: 1 })).toBe("กำลังทำ “pay” (ครั้งที่ 1)");
        expect(said("failed", { step: "a", error: "http_500", message: "{odd} 'text'" })).toBe(
            "ล้มเหลวที่ “a”: http_500: {odd} 'text'",
        );
    });

    test("names all events, with their keys", () => {
        const events = [
            { event: "paid", key: "17" },
            { event: "left", filtered: true },
        ];
        expect(said("waits_event", { step: "w", events, mode: "any" })).toBe(
            "รออยู่ที่ “w” เหตุการณ์ paid คีย์ 17 หรือ left ที่ผ่านตัวกรอง",
        );
        expect(said("waits_event", { step: "w", events, mode: "all" })).toContain("17 และ left");
    });

    test("says what helps, and each place", () => {
        const full = why(
            "stopping",
            {},
            {
                clauses: [
                    { code: "stopping", values: {} },
                    { code: "ready", values: { step: "a" } },
                ],
                what_helps: "or end it at once: pawl runs cancel R --force",
                help: { code: "force", values: { command: "pawl runs cancel R --force" } },
                places: ["'a' …", "'b' …"],
                place_clauses: [
                    { code: "ready", values: { step: "a" } },
                    { code: "joining", values: { step: "b", came: 1 } },
                ],
            },
        );
        const thai = whyText(full, "th");
        expect(thai.sentence).toMatch(/^ไม่เริ่มสิ่งใหม่ รอสิ่งที่ทำอยู่ให้จบ: “a” พร้อมแล้ว/);
        expect(thai.help).toBe("หรือจบทันที: pawl runs cancel R --force");
        expect(thai.places).toEqual(["“a” พร้อมแล้ว กำลังรอเวิร์กเกอร์ที่ว่าง", "“b” รอสาขาอื่น มาแล้ว 1"]);
        expect(whyText(full, "en")).toEqual({
            sentence: full.sentence,
            help: full.what_helps,
            places: full.places,
        });
    });

    test("of a newer server is as that says it", () => {
        expect(said("of_tomorrow", {})).toBe("Said by the server.");
        const newer = why(
            "paused",
            {},
            {
                what_helps: "do this",
                help: { code: "of_tomorrow" as never, values: {} },
            },
        );
        expect(whyText(newer, "th").help).toBe("do this");
    });
});
