import { i18n } from "@lingui/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ApiError, errorText } from "@/data/error";
import { loadRefusals, placeLine, refusalText } from "../refusal";
import { thaiProblem } from "./thai";

// Files of tests share what they import.
beforeEach(async () => {
    i18n.activate("th");
    await loadRefusals();
});
afterEach(() => i18n.activate("en"));

const base = { type: "", title: "Conflict", status: 409 };

describe("a problem in Thai", () => {
    test("names what the sentence of the server names", () => {
        const detail = "workflow 'hello' is switched off: too dear";
        const values = { workflow: "hello", why: "too dear" };
        const problem = { ...base, code: "workflow_switched_off", detail, values };
        expect(refusalText(problem)).toBe("เวิร์กโฟลว์ “hello” ถูกปิดไว้: too dear");
        i18n.activate("en");
        expect(refusalText(problem)).toBe(detail);
    });

    test("has the words of a status", () => {
        const detail = "the run is completed; nothing reaches it any more";
        const problem = { ...base, code: "run_closed", detail, values: { status: "completed" } };
        expect(refusalText(problem)).toBe("รันนี้จบแล้ว (เสร็จแล้ว) ส่งอะไรถึงไม่ได้อีก");
    });

    test("says what is not there", () => {
        const missing = (values?: Record<string, string>) =>
            refusalText({
                status: 404,
                code: "not_found",
                detail: "gone",
                ...(values ? { values } : {}),
            });
        expect(missing({ workflow: "hello" })).toBe("ไม่พบเวิร์กโฟลว์ “hello”");
        expect(missing({ workflow: "hello", version: "7" })).toBe("ไม่พบรุ่น “7” ของ “hello”");
        expect(missing({ planet: "x" })).toBe("ไม่พบสิ่งที่ขอ: gone");
        expect(missing()).toBe("ไม่พบสิ่งที่ขอ: gone");
    });

    test("says what is wrong at the first place, and at each", () => {
        const errors = [
            {
                pointer: "/limit",
                detail: "must be a whole number from 1 to 9",
                code: "must_be_whole",
                values: { least: "1", most: "9" },
            },
            { pointer: "/nmae", detail: "…", code: "unknown_key", values: { similar: "name" } },
            { pointer: "/x", detail: "is odd" },
        ];
        const problem = { status: 422, code: "validation_failed", detail: "…", errors };
        expect(refusalText(problem)).toBe(
            "ข้อมูลไม่ถูกต้อง: /limit ต้องเป็นจำนวนเต็มตั้งแต่ 1 ถึง 9 (และอีก 2 แห่ง)",
        );
        expect(errors.map(placeLine)).toEqual([
            "/limit ต้องเป็นจำนวนเต็มตั้งแต่ 1 ถึง 9",
            "/nmae ไม่รู้จักที่นี่ หมายถึง “name” หรือไม่",
            "/x is odd",
        ]);
    });

    test("without words, or without a value, is the sentence behind a heading", () => {
        const odd = { ...base, code: "of_tomorrow", detail: "it is odd" };
        expect(refusalText(odd)).toBe("เซิร์ฟเวอร์ปฏิเสธคำขอ: it is odd");
        expect(refusalText({ ...odd, code: "toString" })).toContain("it is odd");
        const older = { ...base, code: "not_own", detail: "sms comes with Pawl and stays" };
        expect(refusalText(older)).toBe("เซิร์ฟเวอร์ปฏิเสธคำขอ: sms comes with Pawl and stays");
        expect(refusalText({ status: 500, detail: "boom" })).toBe("เซิร์ฟเวอร์ขัดข้อง: boom");
        expect(thaiProblem({})).toBe("เซิร์ฟเวอร์ขัดข้อง");
    });

    test("follows the language, and what is no problem stays", () => {
        const error = new ApiError(409, { ...base, code: "busy", detail: "try again" });
        expect(error.message).toBe("เพิ่งอ่านไปเมื่อครู่ ลองใหม่อีกครั้ง");
        i18n.activate("en");
        expect(errorText(error)).toBe("try again");
        expect(errorText(new Error("no answer"))).toBe("no answer");
    });
});
