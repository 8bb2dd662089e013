import type { Schemas } from "@/data/api";
import { fullTime } from "@/data/time";
import { filled } from "@/words/fill";
import { checks, findings } from "./findings.th";

type Finding = Schemas["Finding"];

interface Said {
    check: string;
    detail: string;
    next: string | null;
}

/** Moments as people write them; other values are names and figures. */
function readable(values: Finding["values"], language: string): Finding["values"] {
    const at = new Date(values["since"] ?? "");
    return Number.isNaN(at.getTime()) ? values : { ...values, since: fullTime(at, language) };
}

/** A finding in the language of the viewer; in English the server has said it already. */
export function sayFinding(finding: Finding, language: string): Said {
    const { check, code, detail, next } = finding;
    // A later server may find what has no words here.
    const known = language !== "en" && Object.hasOwn(findings, code);
    if (!known) return { check, detail, next };
    const values = readable(finding.values, language);
    const said = findings[code];
    return {
        check: checks[check] ?? check,
        detail: filled(said.detail, values) ?? detail,
        next: next && (filled(said.next, values) ?? next),
    };
}
