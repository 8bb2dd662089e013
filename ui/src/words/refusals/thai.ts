import { say } from "..";
import { filled, type Values } from "../fill";
import type { Place, Refusal } from "../problem";
import { statusWords } from "../statuses";
import { kinds, refusals } from "./codes.th";
import { type DetailCode, details } from "./details.th";

/** What is wrong at a place, without the place. */
export function thaiDetail({ code, values = {}, detail }: Place): string {
    const known = code !== undefined && Object.hasOwn(details, code);
    const said = known ? filled(details[code as DetailCode], values) : undefined;
    if (said === undefined) return detail;
    return values["similar"] ? `${said} หมายถึง “${values["similar"]}” หรือไม่` : said;
}

/** The first place, and how many more there are. */
function firstOf(errors: Place[] | undefined, detail: string): string {
    const [first] = errors ?? [];
    if (!errors || !first) return detail;
    const said = thaiDetail(first);
    // All that the sentence of the server says beside the place.
    if (said === first.detail) return detail;
    const place = first.pointer ?? first.parameter ?? "";
    const more = errors.length > 1 ? ` (และอีก ${errors.length - 1} แห่ง)` : "";
    return `${place} ${said}`.trim() + more;
}

function thing(values: Values): string | undefined {
    const of = values["workflow"] ?? values["template"];
    const known = of === undefined ? values : { of, ...values };
    return Object.values(kinds)
        .map((kind) => filled(kind, known))
        .find((text) => text !== undefined);
}

/** What the code does not say, by the class of the answer. */
function byClass(status: number | undefined, detail: string): string {
    const heading = (status ?? 500) < 500 ? "เซิร์ฟเวอร์ปฏิเสธคำขอ" : "เซิร์ฟเวอร์ขัดข้อง";
    return detail ? `${heading}: ${detail}` : heading;
}

/** What went wrong; what has no words is as the server says it, behind a heading. */
export function thaiProblem({ code, status, detail = "", errors, values = {} }: Refusal): string {
    const missing = code === "not_found" ? thing(values) : undefined;
    if (missing) return `ไม่พบ${missing}`;
    const sentence = Object.entries(refusals).find(([known]) => known === code)?.[1];
    const state = values["status"];
    const known = statusWords.keys.find((key) => key === state);
    const said = filled(sentence, {
        detail,
        ...(sentence?.includes("{places}") ? { places: firstOf(errors, detail) } : {}),
        ...values,
        ...(known ? { status: say(statusWords, known) } : {}),
    });
    return said ?? byClass(status, detail);
}
