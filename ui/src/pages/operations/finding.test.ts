import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { readOpenApi } from "../../../../clients/typescript/scripts/openapi.mjs";
import { sayFinding } from "./finding";
import { checks, findings } from "./findings.th";

const source = fileURLToPath(new URL("../../../../", import.meta.url));
const read = (path: string) => readFileSync(source + path, "utf8");
const checksCpp = read("src/app/doctor/checks.cpp");
const sql = ["doctor", "doctor_server", "watches"]
    .map((name) => read(`sql/queries/${name}.sql`))
    .join("\n");
const codes: string[] = readOpenApi().components.schemas.Finding.properties.code.enum;

const found = (more: object) =>
    ({
        check: "dead workers",
        verdict: "warn",
        detail: "in English",
        next: "a command",
        code: "dead_worker",
        values: { worker: "w1", pid: "7", host: "app-1", age: "00:01:00", count: "3" },
        ...more,
    }) as Parameters<typeof sayFinding>[0];

describe("findings", () => {
    test("each that the server knows has words in Thai, and no other has", () => {
        expect(codes.length).toBeGreaterThan(60);
        expect(Object.keys(findings).sort()).toEqual([...codes].sort());
    });

    test("each is written by a check, with the values that its words name", () => {
        for (const [code, said] of Object.entries(findings)) {
            const text = sql.includes(`'${code}'`) ? sql : checksCpp;
            expect(text.includes(`'${code}'`) || text.includes(`"${code}"`), code).toBe(true);
            for (const [, name] of `${said.detail} ${said.next ?? ""}`.matchAll(/\{(\w+)\}/g)) {
                const written = text.includes(`'${name}'`) || text.includes(`"${name}"`);
                expect(written, `${code}: ${name}`).toBe(true);
            }
        }
    });

    test("every check has a name in Thai", () => {
        const rows = [...checksCpp.matchAll(/\{"([a-z ]+)", queries::/g)].map(([, name]) => name!);
        expect(rows.length).toBeGreaterThan(10);
        expect(rows.filter((name) => !Object.hasOwn(checks, name))).toEqual([]);
    });

    test("are said with their figures, and in English as the server says them", () => {
        expect(sayFinding(found({}), "en")).toEqual({
            check: "dead workers",
            detail: "in English",
            next: "a command",
        });
        expect(sayFinding(found({}), "th")).toEqual({
            check: "เวิร์กเกอร์ที่หายไป",
            detail: "w1 (pid 7 บน app-1) เงียบไป 00:01:00 ถืออยู่ 3 รัน",
            next: "เวิร์กเกอร์อื่นรับรันต่อในไม่กี่วินาที หากยังเป็นอยู่ ดูบันทึกของเวิร์กเกอร์",
        });
    });

    test("keep commands, and the sentence of the server where a value or the words are missing", () => {
        const off = found({ code: "fsync_off", next: "alter system set fsync = on", values: {} });
        expect(sayFinding(off, "th").next).toBe("alter system set fsync = on");
        expect(sayFinding(found({ values: {} }), "th").detail).toBe("in English");
        expect(sayFinding(found({ code: "of_tomorrow" }), "th").detail).toBe("in English");
        expect(sayFinding(found({ next: null }), "th").next).toBeNull();
    });
});
