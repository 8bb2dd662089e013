import { defineWords } from "@/words";

// What is not known stands for itself as `none`.
const until = "{until, select, none {} other { ไม่เกิน {until}}}";
const reason = "{reason, select, none {} other {: {reason}}}";
const at = "{at, select, none {ตอนนี้} other {เมื่อ {at}}}";

/** Why a run does not move, by the codes of the server (src/plan/why_codes.hpp). */
const clauses = {
    no_worker: "“{step}” พร้อมแล้ว แต่ไม่มีเวิร์กเกอร์ทำงาน",
    begins_later: "จะเริ่มที่ “{step}” เมื่อ {at}",
    ready: "“{step}” พร้อมแล้ว กำลังรอเวิร์กเกอร์ที่ว่าง",
    at_work: "กำลังทำ “{step}” ({turn, select, none {} other {รอบที่ {turn} }}ครั้งที่ {attempt})",
    reached: "เพิ่งมาถึง “{step}”",
    switched_off: "“{step}” ปิดไว้ กำลังผ่านไป",
    held_back: `“{step}” ถูกพักไว้ก่อนครั้งที่ {attempt}: {reason} จะทำต่อ${at}`,
    backing_off: `“{step}” ล้มเหลว {failures} ครั้ง จะลองอีก${at}`,
    waits_time: "รออยู่ที่ “{step}” จนถึง {at}",
    waits_event: `รออยู่ที่ “{step}” เหตุการณ์ {events}${until}`,
    waits_signal: `รออยู่ที่ “{step}” สัญญาณ {signal}${until}`,
    waits_person: `รออยู่ที่ “{step}” ให้{assignee, select, none {{group, select, none {คน} other {คนในกลุ่ม {group} }}} other { {assignee} }}ตัดสินใจ: {title}${until}`,
    waits_child: `รออยู่ที่ “{step}” รันลูก {run}${until}`,
    waits_lock: "รออยู่ที่ “{step}” ล็อก {key}",
    waits_callback: `รออยู่ที่ “{step}” ให้บริการที่เรียกไปตอบกลับ${until}`,
    unknown_outcome:
        "ไม่รู้ผลของ “{step}” ({error, select, none {ไม่มีคำตอบ} other {{error}}}) อาจเกิดขึ้นแล้ว",
    joining: "“{step}” รอสาขาอื่น มาแล้ว {came}",
    iterating: "“{step}” ทำแล้ว {done} จาก {items} รายการ กำลังทำ {open}",
    undoing: "กำลังย้อนสิ่งที่ทำไป:",
    stopping: "ไม่เริ่มสิ่งใหม่ รอสิ่งที่ทำอยู่ให้จบ:",
    waits_limit:
        "รอที่ขีดจำกัด {limit}{key, select, none {} other { ของ “{key}”}}: อยู่ข้างใน {inside} จาก {most} รออยู่ {waiting}",
    paused: `หยุดชั่วคราว${reason}`,
    held: "ถูกพักไว้ ไม่ได้ล้มเหลว ({error}): {reason}",
    plan_next: "ต่อไปจะถามแผน โดยเวิร์กเกอร์ที่มีเวิร์กโฟลว์ C++ {workflow} {version}",
    ending: "กำลังจะจบ",
    completed: "เสร็จแล้ว",
    cancelled: `ถูกยกเลิก${reason}`,
    failed: "ล้มเหลวที่ “{step}”: {error}: {message}",
    not_undone: "ย้อน “{step}” ไม่ได้ เพราะ “{by}” ล้มเหลว: {error}",
    child_not_undone: "รันลูกยังไม่ถูกย้อน: “{by}” ย้อน “{step}” ใน {run} ไม่ได้: {error}",
};

/** What would move it. */
const helps = {
    nothing: "ไม่ต้องทำอะไร",
    start_worker: "เริ่มเวิร์กเกอร์: {command}",
    start_program: "เริ่มโปรแกรมที่มีเวิร์กโฟลว์นี้",
    look_at_target: "ดูที่ {target}",
    send_event: "ส่งเหตุการณ์: {command}",
    send_signal: "ส่งสัญญาณ: {command}",
    decide: "ตัดสินใจ: {command}",
    look_at_child: "ดูรันลูก: {command}",
    end_holder: "รันที่ถือล็อกอยู่ต้องออกหรือจบ",
    settle: "หาคำตอบ แล้ว: {command}",
    skip: "หรือข้ามขั้นตอน: {command}",
    force: "หรือจบทันที: {command}",
    raise_limit: "ให้รันข้างในจบ หรือเพิ่มขีดจำกัด: {command}",
    resume: "ให้ทำต่อ: {command}",
    fix_code: "แก้เวิร์กโฟลว์ C++ (หรือให้รุ่นใหม่) แล้ว: {command}",
    look_at_retry: "ดูรันที่ลองใหม่: {command}",
    retry: "แก้ไข แล้ว: {command}",
    retry_undoing: "แก้ไข แล้วให้ย้อนต่อ: {command}",
};

const parts = {
    event: "{event}{key, select, none {} other { คีย์ {key}}}{filtered, select, yes { ที่ผ่านตัวกรอง} other {}}",
    and: "และ",
    or: "หรือ",
};

// In English the sentence of the server is shown, so that they have no words here.
const english = <T extends Record<string, string>>(texts: T) =>
    Object.fromEntries(Object.keys(texts).map((key) => [key, ""])) as T;

export const clauseWords = defineWords("why", { en: english(clauses), th: clauses });
export const helpWords = defineWords("why-help", { en: english(helps), th: helps });
export const partWords = defineWords("why-part", { en: english(parts), th: parts });
