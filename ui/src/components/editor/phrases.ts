import { EditorState, type Extension } from "@codemirror/state";
import { i18n } from "@lingui/core";

/** What the editor says by itself; its English words are the names of their translations. */
const thai: Record<string, string> = {
    "Fold line": "พับบรรทัด",
    "Unfold line": "กางบรรทัด",
    "Folded lines": "พับบรรทัดแล้ว",
    "Unfolded lines": "กางบรรทัดแล้ว",
    "folded code": "ส่วนที่พับไว้",
    unfold: "กาง",
    to: "ถึง",
    Find: "ค้นหา",
    Replace: "แทนที่ด้วย",
    next: "ถัดไป",
    previous: "ก่อนหน้า",
    all: "ทั้งหมด",
    "match case": "ตรงตัวพิมพ์",
    "by word": "ทั้งคำ",
    regexp: "นิพจน์ปรกติ",
    replace: "แทนที่",
    "replace all": "แทนที่ทั้งหมด",
    close: "ปิด",
    "current match": "ผลที่พบปัจจุบัน",
    "on line": "ที่บรรทัด",
    "replaced match on line $": "แทนที่ที่บรรทัด $ แล้ว",
    "replaced $ matches": "แทนที่ $ แห่งแล้ว",
    "Go to line": "ไปที่บรรทัด",
    go: "ไป",
    "Control character": "อักขระควบคุม",
    "Selection deleted": "ลบส่วนที่เลือกแล้ว",
    Completions: "คำที่เติมได้",
    Diagnostics: "ปัญหา",
    "No diagnostics": "ไม่มีปัญหา",
    "$ unchanged lines": "$ บรรทัดที่เหมือนกัน",
};

/** The words of an editor in the language of the viewer. */
export const phrases = (): Extension => EditorState.phrases.of(i18n.locale === "th" ? thai : {});
